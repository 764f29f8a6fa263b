package host

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// With Remote.Push hosts need nothing of the job: what they do not have, the launcher itself, its libraries
// and the programs, comes through the connection. It lies in a folder that goes with the proxy: a shell that
// stays makes it and removes it.

// ProxyWord is the argument by which the launcher starts itself on other hosts.
const ProxyWord = "--gompi-proxy"

// pushing is the word by which that shell asks for the launcher.
const pushing = "gompi-push"

// pushScript is what the shell on a host does: its argument is the file of the launcher there, or empty to
// have it come. The size of the file comes ahead of it.
const pushScript = `d=$(mktemp -d "${TMPDIR:-/tmp}/gompi-XXXXXXXX") || exit 1
p=$1
if [ ! -x "$p" ]; then
  p=$d/mpiexec
  echo ` + pushing + `
  read n && head -c "$n" >"$p" && chmod 700 "$p"
fi
"$p" ` + ProxyWord + ` "$d"
r=$?
rm -rf "$d"
exit $r`

// startLine is the command line that starts the proxy on a host, for its shell.
func (hs *Hosts) startLine(h *Host) string {
	if !hs.Push {
		return quote(hs.Proxy) + " " + ProxyWord
	}
	there := hs.Proxy
	if h.outdated {
		there = ""
	}
	return "sh -c " + quote(pushScript) + " sh " + quote(there)
}

// SendLauncher sends the shell the launcher: this very program.
func (c *Command) SendLauncher() error {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	c.source = f
	c.Write([]byte(strconv.FormatInt(st.Size(), 10) + "\n"))
	return nil
}

// pushPortion is how much of a file goes at a time, in bytes.
const pushPortion = 256 << 10

// refill queues the next portion of what is sent; false when there is none.
func (c *Command) refill() bool {
	if c.source == nil {
		return false
	}
	portion := make([]byte, pushPortion)
	n, err := c.source.Read(portion)
	if c.queue = append(c.queue, portion[:max(n, 0)]...); err != nil {
		c.source.Close()
		c.source = nil
	}
	return len(c.queue) > 0
}

// pushed is a file that hosts may want.
type pushed struct {
	path    string // here, absolute
	library bool
	mode    int
	size    int
	sum     string // SHA-256
	file    *os.File
}

// PushFiles has other hosts be offered the programs and the libraries of gompi's that they need.
func (hs *Hosts) PushFiles(apps []process.App) (err error) {
	hs.Pushed, err = pushedFiles(apps, hs.Libraries)
	return err
}

// pushedFiles are some programs and the libraries of a folder that they need.
func pushedFiles(apps []process.App, libraries string) (all []pushed, err error) {
	add := func(path string, library bool) error {
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		for i := range all {
			if all[i].path == path {
				return nil
			}
		}
		p := pushed{path: path, library: library}
		if p.file, err = os.Open(path); err != nil {
			return err
		}
		st, err := p.file.Stat()
		if err == nil {
			p.mode, p.size = int(st.Mode().Perm()), int(st.Size())
			p.sum, err = sumOf(p.file)
		}
		all = append(all, p)
		return err
	}
	for i := range apps {
		app := &apps[i]
		path, err := app.Lookup()
		if err != nil {
			return nil, err
		}
		if app.File, err = filepath.Abs(process.Within(app.Dir, path)); err != nil {
			return nil, err
		}
		if err := add(app.File, false); err != nil {
			return nil, err
		}
		for _, name := range librariesOf(app.File) {
			library := filepath.Join(libraries, name)
			if _, err := os.Stat(library); err == nil && libraries != "" {
				if err := add(library, true); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

// libraryName is the library by its ABI, which a script may start programs with.
const libraryName = "libmpi_abi.so.1"

// librariesOf names the libraries that a program asks for.
func librariesOf(program string) []string {
	f, err := elf.Open(program)
	if err != nil {
		return []string{libraryName}
	}
	defer f.Close()
	names, err := f.ImportedLibraries()
	if err != nil {
		return nil
	}
	return names
}

// sumOf tells the contents of two files apart. Nobody has a reason to deceive it, so it is no cryptographic
// sum: package crypto would take mpiexec 32 MiB of memory.
func sumOf(f io.ReadSeeker) (string, error) {
	h := fnv.New128a()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return string(h.Sum(nil)), err
}

// serveFile sends a proxy the next portion of a file.
func (hs *Hosts) serveFile(l *Link, f *Frame) error {
	at, err := strconv.ParseInt(string(f.Body), 10, 64)
	if err != nil || f.Rank < 0 || f.Rank >= len(hs.Pushed) {
		return ErrFrame
	}
	portion := make([]byte, pushPortion)
	n, err := hs.Pushed[f.Rank].file.ReadAt(portion, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", hs.Pushed[f.Rank].path, err)
	}
	l.Send(&Frame{Kind: FramePortion, Rank: f.Rank, Body: portion[:n]})
	return nil
}

// Arrivals is what a proxy has got of the files of the job.
type Arrivals struct {
	folder string // for them, which goes with the proxy
	files  []pushed
	next   int // of files, the one that is being fetched
	to     *os.File
	got    int
	err    error
	send   func(f *Frame)    // to the launcher
	here   map[string]string // where the program is here that is at a path there
	own    bool              // some library has come
}

// NewArrivals makes what gets files into a folder, and asks for them by frames.
func NewArrivals(folder string, send func(f *Frame)) *Arrivals {
	return &Arrivals{folder: folder, send: send}
}

// Fetch begins to get the files that are not here.
func (a *Arrivals) Fetch(files []pushed) {
	a.files, a.here = files, map[string]string{}
	a.fetchNext()
}

// Done reports whether programs can be started.
func (a *Arrivals) Done() bool { return a.next == len(a.files) || a.err != nil }

// fetchNext goes on with the next file that is not here.
func (a *Arrivals) fetchNext() {
	for ; !a.Done(); a.next++ {
		p := &a.files[a.next]
		if p.isHere() {
			a.here[p.path] = p.path
			continue
		}
		folder := filepath.Join(a.folder, strconv.Itoa(a.next))
		if p.library {
			folder, a.own = filepath.Join(a.folder, "lib"), true
		}
		to := filepath.Join(folder, filepath.Base(p.path))
		a.here[p.path] = to
		if a.err = os.MkdirAll(folder, 0o700); a.err == nil {
			a.to, a.err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, os.FileMode(p.mode)|0o600)
		}
		if a.got = 0; a.err == nil {
			a.ask()
			return
		}
	}
}

// isHere reports whether the same file is at the same path.
func (p *pushed) isHere() bool {
	f, err := os.Open(p.path)
	if err != nil {
		return false
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || int(st.Size()) != p.size || int(st.Mode().Perm())&0o111 != p.mode&0o111 {
		return false
	}
	sum, err := sumOf(f)
	return err == nil && sum == p.sum
}

// ask asks for the next portion.
func (a *Arrivals) ask() {
	a.send(&Frame{Kind: frameFetch, Rank: a.next, Body: []byte(strconv.Itoa(a.got))})
}

// Portion takes one in.
func (a *Arrivals) Portion(f *Frame) error {
	if a.to == nil || f.Rank != a.next {
		return ErrFrame
	}
	_, err := a.to.Write(f.Body)
	a.got += len(f.Body)
	size := a.files[a.next].size
	if err == nil && len(f.Body) == 0 && a.got < size {
		err = fmt.Errorf("%s has become shorter", a.files[a.next].path)
	}
	if err == nil && a.got < size {
		a.ask()
		return nil
	}
	if err := a.to.Close(); err != nil {
		a.err = err
	}
	if a.to = nil; err != nil {
		a.err = err
	}
	a.next++
	a.fetchNext()
	return nil
}

// Settle has an app run what is here.
func (a *Arrivals) Settle(app *process.App) error {
	if len(a.files) == 0 {
		return nil
	}
	if a.err != nil {
		return process.NewStartError(process.ExitSetup, fmt.Sprintf("copying the program: %v", a.err))
	}
	app.File = a.here[app.File]
	if unix.Access(app.Dir, unix.X_OK) != nil {
		app.Dir = a.folder
	}
	if a.own {
		lib := filepath.Join(a.folder, "lib")
		if before := process.Variable(app.Env, "LD_LIBRARY_PATH"); before != "" {
			lib += ":" + before
		}
		app.Env = append(process.Without(app.Env, "LD_LIBRARY_PATH"), "LD_LIBRARY_PATH="+lib)
	}
	return nil
}

func packPushed(p *Packer, files []pushed) {
	p.Number(len(files))
	for i := range files {
		f := &files[i]
		p.Text(f.path)
		p.Truth(f.library)
		p.Numbers([]int{f.mode, f.size})
		p.Text(f.sum)
	}
}

func unpackPushed(u *Unpacker) (files []pushed) {
	for range u.Count() {
		f := pushed{path: u.Text(), library: u.Truth()}
		if n := u.Numbers(); len(n) == 2 {
			f.mode, f.size = n[0], n[1]
		} else if u.Err == nil {
			u.Err = ErrFrame
		}
		f.sum = u.Text()
		files = append(files, f)
	}
	return files
}

// isPushing reports whether a line asks for the launcher.
func isPushing(line []byte) bool { return bytes.Equal(bytes.TrimSpace(line), []byte(pushing)) }
