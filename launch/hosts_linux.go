package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gompi/launch/process"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// host is a machine on which ranks of the job run.
type host struct {
	name    string // as the user has it
	address string // of it, by which others reach it; "" where nobody knows
	// it has another gompi, so that it is sent this one
	outdated bool
	link     *link // to the proxy there; nil for this machine
	number   int   // by which proxies know it
	parent   *host // whose proxy starts the one there; nil where this machine does
}

// hostOf is the host of a rank that is to be started; nil where the job has no other than this machine.
func (j *job) hostOf(w *world, rank int) *host {
	if w.host != nil || len(j.hosts) == 0 {
		return w.host
	}
	return j.hosts[j.spec.Place[rank]]
}

// hostName is the name of a rank's host; "" for a job on this machine.
func (r *rank) hostName() string {
	if r.node.host == nil {
		return ""
	}
	return r.node.host.name
}

// How long other hosts may take.
const (
	greetingTime = 60 * time.Second // until the proxy answers
	retryTime    = time.Second      // until a host that refuses connections is tried again
	finishTime   = 5 * time.Second  // from its last word to its end
)

// connect starts a proxy on each other host that has ranks, as many at once as can be reached, and waits for
// their answers.
func (j *job) connect() error {
	var far []*host
	for i, name := range j.spec.Hosts {
		h := &host{name: name, number: i}
		j.hosts = append(j.hosts, h)
		if slices.Contains(j.spec.Place, i) && !IsLocal(name) {
			far = append(far, h)
		}
	}
	for i, h := range far {
		if n := j.spec.Fanout; n > 0 && treeParent(i, n) >= 0 {
			h.parent = far[treeParent(i, n)]
		}
	}
	if j.spec.Push && len(far) > 0 {
		var err error
		if j.pushed, err = j.pushedFiles(); err != nil {
			return err
		}
	}
	begin := time.Now()
	for {
		if done, err := j.dialAll(far, begin.Add(j.spec.Retry)); done || err != nil {
			return err
		}
		if err := j.turn(j.nextTime()); err != nil {
			return err
		}
		if j.overTime(time.Now()) {
			return process.NewStartError(process.ExitTimeout, j.timeOver())
		}
	}
}

// dialAll begins to reach the hosts that can be reached now. Those that have refused a connection are tried
// again until then. done is true when all proxies have answered.
func (j *job) dialAll(far []*host, until time.Time) (done bool, err error) {
	done = true
	for _, h := range far {
		l := h.link
		switch {
		case l == nil && h.parent != nil && (h.parent.link == nil || !h.parent.link.greeted):
		case l == nil:
			err = j.dial(h)
		case l.err != nil && h.outdated && !l.outdated:
			err = j.dial(h)
		case l.err != nil && l.parent != nil:
			h.parent = nil // the other host does not reach it, but this machine may
			err = j.dial(h)
		case l.err != nil && (!l.refused() || time.Now().After(until)):
			return false, l.err
		case l.err != nil && time.Since(l.heard) > retryTime:
			err = j.dial(h)
		}
		if err != nil {
			return false, err
		}
		done = done && h.link != nil && h.link.greeted
	}
	if !done {
		return false, nil
	}
	j.ownAddress()
	for _, h := range far {
		h.link.send(&frame{kind: frameSetup, body: j.setup(h)})
	}
	return true, nil
}

// ownAddress gives the hosts that are this machine the address by which another host has seen us, if it is
// one of ours: there may be a translation of addresses in between.
func (j *job) ownAddress() {
	address := ""
	for _, h := range j.hosts {
		if h.link != nil && h.link.parent == nil && isOwnAddress(h.link.seenAs) {
			address = h.link.seenAs
			break
		}
	}
	for _, h := range j.hosts {
		if h.link == nil {
			h.address = address
		}
	}
}

// setup is what the proxy on a host is told first.
func (j *job) setup(h *host) []byte {
	s := setup{name: j.spec.Name, mergeStderr: j.spec.MergeStderr, binding: j.spec.BindingText,
		silence: int(j.spec.Silence / time.Second), reportHang: int(j.spec.ReportHang / time.Millisecond),
		address: h.address, files: j.pushed}
	if w := j.out.Window; w != nil {
		s.terminal, s.rows, s.cols = true, int(w.Row), int(w.Col)
	}
	return s.pack()
}

// orderRanks has the proxies start the ranks of a world that are on their hosts.
func (j *job) orderRanks(w *world) error {
	j.enter(w)
	if !w.abroad() {
		return nil
	}
	here, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("the working directory: %w", err)
	}
	absolute := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(here, path)
	}
	o := order{universe: w.universe, identity: w.identity, spawned: w.spawned, port: w.port, values: w.kvs,
		apps: slices.Clone(w.apps)}
	for i := range o.apps {
		if o.apps[i].Dir = absolute(o.apps[i].Dir); o.apps[i].Dir == "" {
			o.apps[i].Dir = here
		}
	}
	for _, n := range w.nodes {
		if n.link() == nil {
			continue
		}
		o.ranks = nil
		for _, r := range w.ranks {
			if r.node == n {
				o.ranks = append(o.ranks, place{number: r.number, app: r.app, stdin: r.stdin,
					files: [2]string{absolute(r.files[0]), absolute(r.files[1])}, cpus: r.cpus})
			}
		}
		n.link().send(&frame{kind: frameStart, world: w.id, body: o.pack()})
	}
	return nil
}

// awaitNodes waits until the ranks of a world run on all hosts.
func (j *job) awaitNodes(w *world) error {
	waits := func() bool {
		return slices.ContainsFunc(w.nodes, func(n *node) bool { return n.link() != nil && !n.ready })
	}
	for waits() {
		if w.failing {
			return errEnding
		}
		if w.refused != nil {
			return w.refused
		}
		if err := j.turn(j.nextTime()); err != nil {
			return err
		}
	}
	return nil
}

// startAll lets the ranks of a world go on that wait for all to be started.
func (w *world) startAll() {
	for _, n := range w.nodes {
		if n.segment != nil {
			shm.SetStarted(n.segment)
		}
	}
	w.tell(&frame{kind: frameGo})
}

// tellAll sends a frame to all proxies.
func (j *job) tellAll(f *frame) {
	for _, h := range j.hosts {
		if h.link != nil {
			h.link.send(f)
		}
	}
}

// closeLinks has all proxies end whatever is left on their hosts, and waits for that.
func (j *job) closeLinks() {
	j.closing = true
	begun := j.end.begun || j.living > 0
	j.tellAll(&frame{kind: frameFinish, flag: begun})
	start := time.Now()
	for _, h := range j.hosts {
		for l := h.link; l != nil && !l.gone; {
			latest := start
			if l.heard.After(latest) {
				latest = l.heard
			}
			if !l.greeted || time.Since(latest) > finishTime || j.loop.Wait(latest.Add(finishTime)) != nil {
				break
			}
		}
	}
	for _, h := range slices.Backward(j.hosts) {
		if h.link != nil {
			h.link.kill()
		}
	}
}

// beat keeps links alive, and gives up those from which nothing has come for too long.
func (j *job) beat(now time.Time) {
	if j.up != nil {
		j.up.beat(now)
	}
	for _, h := range j.hosts {
		l := h.link
		switch {
		case l == nil || l.gone:
		case !l.greeted && now.Sub(l.heard) > greetingTime:
			l.lose(fmt.Sprintf("no answer for %v", greetingTime))
		case !l.greeted:
		case now.Sub(l.heard) > j.spec.Silence:
			l.lose(fmt.Sprintf("no sign of life for %v", j.spec.Silence))
		case now.Sub(l.sent) >= beatTime:
			l.send(&frame{kind: frameBeat})
		}
	}
}

// beatTime is how often each side gives a sign of life.
const beatTime = time.Second

// nextBeat is when beat has something to do, zero for never.
func (j *job) nextBeat() time.Time {
	var next time.Time
	sooner := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	if j.up != nil {
		sooner(j.up.sent.Add(beatTime))
	}
	for _, h := range j.hosts {
		switch l := h.link; {
		case l == nil:
		case !l.gone && !l.greeted:
			sooner(l.heard.Add(greetingTime))
		case !l.gone:
			sooner(l.sent.Add(beatTime))
		case l.err != nil:
			sooner(l.heard.Add(retryTime))
		}
	}
	return next
}

// awake forgives the time in which this process was stopped.
func (j *job) awake() {
	for _, h := range j.hosts {
		if h.link != nil {
			h.link.heard = time.Now()
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
