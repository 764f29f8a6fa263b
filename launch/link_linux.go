package launch

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

// link is the launcher's connection to its proxy on another host.
type link struct {
	job      *job
	host     *host
	way      way
	parent   *link  // behind whose proxy it is; nil when this process has started the command
	errors   []byte // what the command has written to its standard error
	in       []byte // what has come and is no whole frame yet
	greeted  bool   // the proxy has answered
	seenAs   string
	heard    time.Time // when anything came last
	sent     time.Time
	fate     fate      // of the command
	outdated bool      // as host.outdated when it began
	still    time.Time // since when all ranks behind it are known to sleep, zero when they do not
	gone     bool      // given up
	err      error     // why, when that was before any rank had been started
}

// way is how what the launcher says gets to a proxy: by a command of its own, or by another proxy, which has
// started one.
type way interface {
	Write(text []byte)
	sendLauncher() error // to the shell that the command has started
	kill()               // ends the command
}

// protocol is the version of the frames.
const protocol = "3"

// errOutdated says that a host has another gompi than this one, and is to be sent this one.
var errOutdated = errors.New("another gompi is there")

// greeting is the first word of the line by which a proxy answers.
const greeting = "gompi-proxy"

// dial starts the command that starts a proxy on a host, here or behind the proxy of another one.
func (j *job) dial(h *host) error {
	l := &link{job: j, host: h, outdated: h.outdated, heard: time.Now(), sent: time.Now()}
	argv := append(append([]string(nil), j.spec.Shell...), h.name, j.startLine(h))
	if h.parent != nil {
		h.link, l.parent = l, h.parent.link
		l.way = passage{l.parent, h.number}
		var p packer
		p.texts(argv)
		l.parent.send(&frame{kind: frameDial, rank: h.number, body: p})
		return nil
	}
	c, err := j.execute(argv, l)
	if err != nil {
		return process.NewStartError(process.ExitSetup, fmt.Sprintf("host %s: %v", h.name, err))
	}
	h.link, l.way = l, c
	return nil
}

// quote is a word as a shell reads it.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// send sends a frame, or queues what the stream does not take.
func (l *link) send(f *frame) {
	if l.sent = time.Now(); !l.gone {
		l.way.Write(f.append(nil))
	}
}

// took implements hearer.
func (l *link) took(text []byte) {
	l.heard = time.Now()
	if l.gone {
		return
	}
	l.in = append(l.in, text...)
	if err := l.take(); err != nil {
		l.lose(err.Error())
	}
}

// take deals with the whole frames that have come.
func (l *link) take() error {
	if !l.greeted {
		if err := l.greet(); err != nil || !l.greeted {
			return err
		}
	}
	rest := l.in
	for !l.gone {
		f, after, ok, err := nextFrame(rest)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		rest = after
		if err := l.job.fromProxy(l, &f); err != nil {
			return err
		}
	}
	l.in = append(l.in[:0], rest...)
	return nil
}

// greet looks for the line by which the proxy answers. What the shells of other hosts write ahead of it is
// dropped.
func (l *link) greet() error {
	for {
		end := bytes.IndexByte(l.in, '\n')
		if end < 0 {
			if len(l.in) > 1<<20 {
				return fmt.Errorf("what has been started there is no %s", l.job.spec.Proxy)
			}
			return nil
		}
		line := l.in[:end]
		l.in = l.in[end+1:]
		if isPushing(line) {
			if err := l.way.sendLauncher(); err != nil {
				return err
			}
			continue
		}
		words := strings.Fields(string(line))
		if len(words) < 4 || words[0] != greeting {
			continue
		}
		switch version, machine := words[2], words[3]; {
		case (version != l.job.spec.Version || words[1] != protocol) && l.job.spec.Push && !l.host.outdated:
			l.host.outdated = true
			return errOutdated
		case version != l.job.spec.Version || words[1] != protocol:
			return fmt.Errorf("%s is gompi %s there, and %s here", l.job.spec.Proxy, version, l.job.spec.Version)
		case machine != process.Architecture():
			return fmt.Errorf("its processors are %s, and %s here", machine, process.Architecture())
		}
		if len(words) == 8 { // the four words of SSH_CONNECTION
			l.seenAs, l.host.address = words[4], words[6]
		}
		l.greeted = true
		l.show()
		return nil
	}
}

// parted implements hearer: the link is given up.
func (l *link) parted(f fate) {
	if l.gone {
		return
	}
	l.fate = f
	shell, last := baseName(l.job.spec.Shell[0]), l.complaint()
	why := f.explain(shell)
	if last != "" {
		why = shell + ": " + strings.TrimPrefix(last, shell+": ")
	}
	switch code := f.status.ExitStatus(); {
	case l.greeted:
		why = "the connection is lost: " + why
	case f.exited && code == process.ExitNotFound:
		why = fmt.Sprintf("there is no %s (%s)", l.job.spec.Proxy, why)
	case f.exited && code == process.ExitNotRunnable:
		why = fmt.Sprintf("%s cannot be run there (%s)", l.job.spec.Proxy, why)
	}
	l.lose(why)
}

// refused reports whether the command says by its exit code that it has not reached the host.
func (l *link) refused() bool {
	const noConnection = 255 // of ssh
	return !l.greeted && l.fate.exited && l.fate.status.ExitStatus() == noConnection
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// lose gives the link up, and with it the ranks behind it.
func (l *link) lose(why string) {
	if l.gone {
		return
	}
	l.kill()
	l.job.answered(l)
	l.job.lostHost(l, why)
	for _, h := range l.job.hosts {
		if h.link != nil && h.link.parent == l {
			h.link.lose("host " + l.host.name + ", which leads to it, is lost")
		}
	}
}

// kill ends the command and closes the link.
func (l *link) kill() {
	if !l.gone {
		l.way.kill()
	}
	l.gone, l.heard = true, time.Now()
}

// complained implements hearer. Before the proxy answers it is kept: it may say why there will be no answer.
func (l *link) complained(text []byte) {
	l.errors = append(l.errors, text...)
	if len(l.errors) > 64<<10 {
		l.errors = l.errors[len(l.errors)-32<<10:]
	}
}

// complaint is the last line that says something, "" for none.
func (l *link) complaint() string {
	text := strings.TrimSpace(string(l.errors))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// show passes on what has been kept.
func (l *link) show() {
	for _, line := range strings.Split(string(l.errors), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			l.job.say("host %s: %s", l.host.name, line)
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
