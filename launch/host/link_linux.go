package host

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// Link is the launcher's connection to its proxy on another host.
type Link struct {
	hosts    *Hosts
	Host     *Host
	route    route
	parent   *Link  // behind whose proxy it is; nil when this process has started the command
	errors   []byte // what the command has written to its standard error
	in       []byte // what has come and is no whole frame yet
	Greeted  bool   // the proxy has answered
	seenAs   string
	heard    time.Time // when anything came last
	sent     time.Time
	exit     ExitStatus // of the command
	outdated bool       // as host.outdated when it began
	Still    time.Time  // since when all ranks behind it are known to sleep, zero when they do not
	Gone     bool       // given up
	Err      error      // why, when that was before any rank had been started
}

// route is how what the launcher says gets to a proxy: by a command of its own, or by another proxy, which
// has started one.
type route interface {
	Write(text []byte)
	SendLauncher() error // to the shell that the command has started
	Kill()               // ends the command
}

// Protocol is the version of the frames.
const Protocol = "4"

// errOutdated says that a host has another gompi than this one, and is to be sent this one.
var errOutdated = errors.New("another gompi is there")

// Greeting is the first word of the line by which a proxy answers.
const Greeting = "gompi-proxy"

// dial starts the command that starts a proxy on a host, here or behind the proxy of another one.
func (hs *Hosts) dial(h *Host) error {
	l := &Link{hosts: hs, Host: h, outdated: h.outdated, heard: time.Now(), sent: time.Now()}
	argv := append(append([]string(nil), hs.Shell...), h.Name, hs.startLine(h))
	if h.parent != nil {
		h.Link, l.parent = l, h.parent.Link
		l.route = passage{l.parent, h.number}
		var p Packer
		p.Texts(argv)
		l.parent.Send(&Frame{Kind: FrameDial, Rank: h.number, Body: p})
		return nil
	}
	c, err := hs.Execute(argv, l)
	if err != nil {
		return process.NewStartError(process.ExitSetup, fmt.Sprintf("host %s: %v", h.Name, err))
	}
	h.Link, l.route = l, c
	return nil
}

// quote is a word as a shell reads it.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Send sends a frame, or queues what the stream does not take.
func (l *Link) Send(f *Frame) {
	if l.sent = time.Now(); !l.Gone {
		l.route.Write(f.Append(nil))
	}
}

// Stdout implements CommandUser.
func (l *Link) Stdout(text []byte) {
	l.heard = time.Now()
	if l.Gone {
		return
	}
	l.in = append(l.in, text...)
	if err := l.take(); err != nil {
		l.lose(err.Error())
	}
}

// take deals with the whole frames that have come.
func (l *Link) take() error {
	if !l.Greeted {
		if err := l.greet(); err != nil || !l.Greeted {
			return err
		}
	}
	rest := l.in
	for !l.Gone {
		f, after, ok, err := NextFrame(rest)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		rest = after
		if err := l.hosts.take(l, &f); err != nil {
			return err
		}
	}
	l.in = append(l.in[:0], rest...)
	return nil
}

// take deals with a frame of a proxy.
func (hs *Hosts) take(l *Link, f *Frame) error {
	switch f.Kind {
	case FrameBeat:
		return nil
	case FrameSay:
		hs.User.Say("host %s: %s", l.Host.Name, f.Body)
		return nil
	case FramePassed, FrameComplaint, FrameEnded:
		return hs.fromRelay(l, f)
	case frameFetch:
		return hs.serveFile(l, f)
	case FrameStill:
		if l.Still = (time.Time{}); f.Flag {
			l.Still = time.Now()
		}
		return nil
	}
	return hs.User.Take(l, f)
}

// greet looks for the line by which the proxy answers. What the shells of other hosts write ahead of it is
// dropped.
func (l *Link) greet() error {
	for {
		end := bytes.IndexByte(l.in, '\n')
		if end < 0 {
			if len(l.in) > 1<<20 {
				return fmt.Errorf("what has been started there is no %s", l.hosts.Proxy)
			}
			return nil
		}
		line := l.in[:end]
		l.in = l.in[end+1:]
		if isPushing(line) {
			if err := l.route.SendLauncher(); err != nil {
				return err
			}
			continue
		}
		words := strings.Fields(string(line))
		if len(words) < 4 || words[0] != Greeting {
			continue
		}
		switch version, machine := words[2], words[3]; {
		case (version != l.hosts.Version || words[1] != Protocol) && l.hosts.Push && !l.Host.outdated:
			l.Host.outdated = true
			return errOutdated
		case version != l.hosts.Version || words[1] != Protocol:
			return fmt.Errorf("%s is gompi %s there, and %s here", l.hosts.Proxy, version, l.hosts.Version)
		case machine != process.Architecture():
			return fmt.Errorf("its processors are %s, and %s here", machine, process.Architecture())
		}
		if len(words) == 8 { // the four words of SSH_CONNECTION
			l.seenAs, l.Host.Address = words[4], words[6]
		}
		l.Greeted = true
		l.show()
		return nil
	}
}

// Exited implements CommandUser: the link is given up.
func (l *Link) Exited(f ExitStatus) {
	if l.Gone {
		return
	}
	l.exit = f
	shell, last := baseName(l.hosts.Shell[0]), l.complaint()
	why := f.explain(shell)
	if last != "" {
		why = shell + ": " + strings.TrimPrefix(last, shell+": ")
	}
	switch code := f.status.ExitStatus(); {
	case l.Greeted:
		why = "the connection is lost: " + why
	case f.exited && code == process.ExitNotFound:
		why = fmt.Sprintf("there is no %s (%s)", l.hosts.Proxy, why)
	case f.exited && code == process.ExitNotRunnable:
		why = fmt.Sprintf("%s cannot be run there (%s)", l.hosts.Proxy, why)
	}
	l.lose(why)
}

// refused reports whether the command says by its exit code that it has not reached the host.
func (l *Link) refused() bool {
	const noConnection = 255 // of ssh
	return !l.Greeted && l.exit.exited && l.exit.status.ExitStatus() == noConnection
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// lose gives the link up, and with it the ranks behind it.
func (l *Link) lose(why string) {
	if l.Gone {
		return
	}
	l.Kill()
	l.hosts.User.Lost(l, why)
	for _, h := range l.hosts.All {
		if h.Link != nil && h.Link.parent == l {
			h.Link.lose("host " + l.Host.Name + ", which leads to it, is lost")
		}
	}
}

// Kill ends the command and closes the link.
func (l *Link) Kill() {
	if !l.Gone {
		l.route.Kill()
	}
	l.Gone, l.heard = true, time.Now()
}

// Stderr implements CommandUser. Before the proxy answers it is kept: it may say why there will be no answer.
func (l *Link) Stderr(text []byte) {
	l.errors = append(l.errors, text...)
	if len(l.errors) > 64<<10 {
		l.errors = l.errors[len(l.errors)-32<<10:]
	}
}

// complaint is the last line that says something, "" for none.
func (l *Link) complaint() string {
	text := strings.TrimSpace(string(l.errors))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// show passes on what has been kept.
func (l *Link) show() {
	for _, line := range strings.Split(string(l.errors), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			l.hosts.User.Say("host %s: %s", l.Host.Name, line)
		}
	}
	l.errors = nil
}

// socketAddress is an address for bind, and its family; nil when the text is none.
func socketAddress(text string) (int, unix.Sockaddr) {
	a, err := netip.ParseAddr(text)
	switch {
	case err != nil:
		return 0, nil
	case a.Unmap().Is4():
		return unix.AF_INET, &unix.SockaddrInet4{Addr: a.Unmap().As4()}
	}
	return unix.AF_INET6, &unix.SockaddrInet6{Addr: a.As16()}
}
