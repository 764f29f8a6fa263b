package launch

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
func (j *job) startLine(h *host) string {
	if !j.spec.Push {
		return quote(j.spec.Proxy) + " " + ProxyWord
	}
	there := j.spec.Proxy
	if h.outdated {
		there = ""
	}
	return "sh -c " + quote(pushScript) + " sh " + quote(there)
}

// sendLauncher sends the shell the launcher: this very program.
func (c *command) sendLauncher() error {
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
func (c *command) refill() bool {
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

// pushedFiles are the programs of the job and the libraries of gompi's that they need.
func (j *job) pushedFiles() (all []pushed, err error) {
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
	for i := range j.spec.Apps {
		app := &j.spec.Apps[i]
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
			library := filepath.Join(j.spec.Libraries, name)
			if _, err := os.Stat(library); err == nil && j.spec.Libraries != "" {
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
func (j *job) serveFile(l *link, f *frame) error {
	at, err := strconv.ParseInt(string(f.body), 10, 64)
	if err != nil || f.rank < 0 || f.rank >= len(j.pushed) {
		return errFrame
	}
	portion := make([]byte, pushPortion)
	n, err := j.pushed[f.rank].file.ReadAt(portion, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", j.pushed[f.rank].path, err)
	}
	l.send(&frame{kind: framePortion, rank: f.rank, body: portion[:n]})
	return nil
}

// arrivals is what a proxy has got of the files of the job.
type arrivals struct {
	folder string // for them, which goes with the proxy
	files  []pushed
	next   int // of files, the one that is being fetched
	to     *os.File
	got    int
	err    error
	here   map[string]string // where the program is here that is at a path there
	own    bool              // some library has come
}

// fetch begins to get the files that are not here.
func (u *uplink) fetch(files []pushed) {
	u.files.files, u.files.here = files, map[string]string{}
	u.fetchNext()
}

// done reports whether programs can be started.
func (a *arrivals) done() bool { return a.next == len(a.files) || a.err != nil }

// fetchNext goes on with the next file that is not here.
func (u *uplink) fetchNext() {
	a := &u.files
	for ; !a.done(); a.next++ {
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
			u.ask()
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
func (u *uplink) ask() {
	u.send(&frame{kind: frameFetch, rank: u.files.next, body: []byte(strconv.Itoa(u.files.got))})
}

// portion takes one in.
func (u *uplink) portion(f *frame) error {
	a := &u.files
	if a.to == nil || f.rank != a.next {
		return errFrame
	}
	_, err := a.to.Write(f.body)
	a.got += len(f.body)
	size := a.files[a.next].size
	if err == nil && len(f.body) == 0 && a.got < size {
		err = fmt.Errorf("%s has become shorter", a.files[a.next].path)
	}
	if err == nil && a.got < size {
		u.ask()
		return nil
	}
	if err := a.to.Close(); err != nil {
		a.err = err
	}
	if a.to = nil; err != nil {
		a.err = err
	}
	a.next++
	u.fetchNext()
	return nil
}

// settle has an app run what is here.
func (a *arrivals) settle(app *process.App) error {
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

func packPushed(p *packer, files []pushed) {
	p.number(len(files))
	for i := range files {
		f := &files[i]
		p.text(f.path)
		p.truth(f.library)
		p.numbers([]int{f.mode, f.size})
		p.text(f.sum)
	}
}

func unpackPushed(u *unpacker) (files []pushed) {
	for range u.count() {
		f := pushed{path: u.text(), library: u.truth()}
		if n := u.numbers(); len(n) == 2 {
			f.mode, f.size = n[0], n[1]
		} else if u.err == nil {
			u.err = errFrame
		}
		f.sum = u.text()
		files = append(files, f)
	}
	return files
}

// isPushing reports whether a line asks for the launcher.
func isPushing(line []byte) bool { return bytes.Equal(bytes.TrimSpace(line), []byte(pushing)) }
