package host

import (
	"fmt"
	"slices"
	"time"

	"gompi/launch/loop"
	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// Host is a machine on which ranks of the job run.
type Host struct {
	Name    string // as the user has it
	Address string // of it, by which others reach it; "" where nobody knows
	// it has another gompi, so that it is sent this one
	outdated bool
	Link     *Link // to the proxy there; nil for this machine
	number   int   // by which proxies know it
	parent   *Host // whose proxy starts the one there; nil where this machine does
}

// Remote is how other hosts are reached.
type Remote struct {
	// command that runs a program on another host: these words, then the host, then a command line for its
	// shell
	Shell   []string
	Proxy   string // the file of the launcher on other hosts
	Version string // of gompi, the same on all
	// hosts are sent what they do not have: the launcher, the programs, and the libraries that these need of
	// those in that folder
	Push      bool
	Libraries string
	// what has the proxy find for its host what Spec.Binding is here
	BindingText string
	Fanout      int // hosts that this machine reaches, and each host behind it; 0 for all of them
	// for how long a host that refuses connections is tried again
	Retry   time.Duration
	Silence time.Duration // without any sign of life from a host after which it is lost
}

// User is told what comes of the links to other hosts.
type User interface {
	// Take deals with a frame of a proxy that is not about links.
	Take(l *Link, f *Frame) error
	// Lost is told of a link that is given up, and why.
	Lost(l *Link, why string)
	// Say tells the user one line.
	Say(format string, args ...any)
}

// Hosts are those of a job, and the commands that lead to them.
type Hosts struct {
	Remote
	All      []*Host // none when all ranks are started here
	User     User
	loop     *loop.Loop
	scratch  []byte
	Pushed   []pushed   // files for other hosts
	commands []*Command // that lead to other hosts
}

// NewHosts makes the hosts of a job, which has none yet.
func NewHosts(l *loop.Loop, scratch []byte, how Remote, user User) *Hosts {
	return &Hosts{Remote: how, loop: l, scratch: scratch, User: user}
}

// Plan enters the hosts by their names. It returns those that have ranks, by their indices, and are other
// machines.
func (hs *Hosts) Plan(names []string, used []int) (far []*Host) {
	for i, name := range names {
		h := &Host{Name: name, number: i}
		hs.All = append(hs.All, h)
		if slices.Contains(used, i) && !process.IsLocal(name) {
			far = append(far, h)
		}
	}
	for i, h := range far {
		if n := hs.Fanout; n > 0 && treeParent(i, n) >= 0 {
			h.parent = far[treeParent(i, n)]
		}
	}
	return far
}

// How long other hosts may take.
const (
	GreetingTime = 60 * time.Second // until the proxy answers
	retryTime    = time.Second      // until a host that refuses connections is tried again
	FinishTime   = 5 * time.Second  // from its last word to its end
)

// DialAll begins to reach the hosts that can be reached now. Those that have refused a connection are tried
// again until then. done is true when all proxies have answered.
func (hs *Hosts) DialAll(far []*Host, until time.Time) (done bool, err error) {
	done = true
	for _, h := range far {
		l := h.Link
		switch {
		case l == nil && h.parent != nil && (h.parent.Link == nil || !h.parent.Link.Greeted):
		case l == nil:
			err = hs.dial(h)
		case l.Err != nil && h.outdated && !l.outdated:
			err = hs.dial(h)
		case l.Err != nil && l.parent != nil:
			h.parent = nil // the other host does not reach it, but this machine may
			err = hs.dial(h)
		case l.Err != nil && (!l.refused() || time.Now().After(until)):
			return false, l.Err
		case l.Err != nil && time.Since(l.heard) > retryTime:
			err = hs.dial(h)
		}
		if err != nil {
			return false, err
		}
		done = done && h.Link != nil && h.Link.Greeted
	}
	if done {
		hs.ownAddress()
	}
	return done, nil
}

// ownAddress gives the hosts that are this machine the address by which another host has seen us, if it is
// one of ours: there may be a translation of addresses in between.
func (hs *Hosts) ownAddress() {
	address := ""
	for _, h := range hs.All {
		if h.Link != nil && h.Link.parent == nil && isOwnAddress(h.Link.seenAs) {
			address = h.Link.seenAs
			break
		}
	}
	for _, h := range hs.All {
		if h.Link == nil {
			h.Address = address
		}
	}
}

// TellAll sends a frame to all proxies.
func (hs *Hosts) TellAll(f *Frame) {
	for _, h := range hs.All {
		if h.Link != nil {
			h.Link.Send(f)
		}
	}
}

// Close has all proxies end whatever is left on their hosts, and waits for that. begun says that the job has
// failed.
func (hs *Hosts) Close(begun bool) {
	hs.TellAll(&Frame{Kind: FrameFinish, Flag: begun})
	start := time.Now()
	for _, h := range hs.All {
		for l := h.Link; l != nil && !l.Gone; {
			latest := start
			if l.heard.After(latest) {
				latest = l.heard
			}
			if !l.Greeted || time.Since(latest) > FinishTime || hs.loop.Wait(latest.Add(FinishTime)) != nil {
				break
			}
		}
	}
	for _, h := range slices.Backward(hs.All) {
		if h.Link != nil {
			h.Link.Kill()
		}
	}
}

// Beat keeps links alive, and gives up those from which nothing has come for too long.
func (hs *Hosts) Beat(now time.Time) {
	for _, h := range hs.All {
		l := h.Link
		switch {
		case l == nil || l.Gone:
		case !l.Greeted && now.Sub(l.heard) > GreetingTime:
			l.lose(fmt.Sprintf("no answer for %v", GreetingTime))
		case !l.Greeted:
		case now.Sub(l.heard) > hs.Silence:
			l.lose(fmt.Sprintf("no sign of life for %v", hs.Silence))
		case now.Sub(l.sent) >= BeatTime:
			l.Send(&Frame{Kind: FrameBeat})
		}
	}
}

// BeatTime is how often each side gives a sign of life.
const BeatTime = time.Second

// NextBeat is when beat has something to do, zero for never.
func (hs *Hosts) NextBeat() time.Time {
	var next time.Time
	sooner := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for _, h := range hs.All {
		switch l := h.Link; {
		case l == nil:
		case !l.Gone && !l.Greeted:
			sooner(l.heard.Add(GreetingTime))
		case !l.Gone:
			sooner(l.sent.Add(BeatTime))
		case l.Err != nil:
			sooner(l.heard.Add(retryTime))
		}
	}
	return next
}

// Awake forgives the time in which this process was stopped.
func (hs *Hosts) Awake() {
	for _, h := range hs.All {
		if h.Link != nil {
			h.Link.heard = time.Now()
		}
	}
}

// isOwnAddress reports whether a socket of this machine can have that address.
func isOwnAddress(text string) bool {
	family, address := socketAddress(text)
	if address == nil {
		return false
	}
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return unix.Bind(fd, address) == nil
}
