package launch

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// ProxyWord is the argument by which the launcher starts itself on other hosts.
const ProxyWord = "--gompi-proxy"

// uplink is a proxy's connection to the launcher: its own standard input and output. The proxy starts the
// ranks of its host and serves them, and leaves all decisions to the launcher. When that is gone it ends
// them.
type uplink struct {
	job    *job
	host   *host
	bind   func(text string) (func(n int) []int, int, error)
	in     []byte
	orders []frame // not carried out yet
	inlet  *inlet  // standard input of a rank, nil for none
	heard  time.Time
	sent   time.Time
	// without a sign of life from the launcher after which it is lost
	silence time.Duration
	files   arrivals
	relays  map[int]*relay // to proxies behind this one, by the number of their hosts
	paused  bool           // the launcher is stopped, as the user wanted, and gives no sign of life
	over    bool           // the launcher is gone
	finish  bool           // the job is over
	begun   bool           // all that ranks have left behind is to go
}

// Proxy serves a launcher on another host, to which standard input and output lead. bind has the proxy find
// what Spec.Binding is here; folder is for files that come, "" where none do. It must be called like Run, and
// returns the exit code.
func Proxy(name, version, folder string, bind func(text string) (func(n int) []int, int, error)) int {
	err := shm.OpenPoller()
	var j *job
	if err == nil {
		j, err = newJob(&Spec{Name: name, StdinRank: -1})
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	u := &uplink{job: j, host: &host{}, bind: bind, silence: greetingTime,
		heard: time.Now(), sent: time.Now(), files: arrivals{folder: folder}}
	j.up, j.out.Stderr, j.out.Window = u, j.out.Stdout, nil
	j.out.Emptied = u.readRelays
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	j.oom.Begin()
	way := strings.Fields(os.Getenv("SSH_CONNECTION"))
	if len(way) == 4 {
		u.host.address = way[2]
	}
	words := append([]string{greeting, protocol, version, process.Architecture()}, way...)
	j.out.Stdout.Write([]byte(strings.Join(words, " ") + "\n"))
	if err := j.loop.Watch(0, unix.EPOLLIN, u); err != nil {
		fmt.Fprintf(os.Stderr, "%s: standard input: %v\n", name, err)
		return process.ExitSetup
	}
	return u.serve()
}

// serve serves the launcher until the job is over.
func (u *uplink) serve() int {
	j := u.job
	for !u.over && !u.finish {
		if err := j.turn(j.nextTime()); err != nil {
			break
		}
		for len(u.orders) > 0 && !u.over && u.files.done() {
			f := u.orders[0]
			u.orders = u.orders[1:]
			u.carryOut(&f)
		}
		j.retire()
	}
	j.end.begun = u.begun || !u.finish || j.living > 0
	if j.living > 0 || !u.finish {
		j.killRanks()
	}
	u.closeRelays()
	j.sweep()
	output.Finish(j.streams)
	for start := time.Now(); j.out.Queued() && !u.over && time.Since(start) < finishTime; {
		if j.loop.Wait(time.Now().Add(beatTime)) != nil {
			break
		}
	}
	if u.over {
		return process.ExitSetup
	}
	return 0
}

// send sends the launcher a frame.
func (u *uplink) send(f *frame) {
	u.sent = time.Now()
	u.job.out.Stdout.Write(f.append(nil))
}

// output sends it what a rank has written; nothing at the end.
func (u *uplink) output(r *rank, isErr bool, text []byte) {
	kind := frameOutput
	if text == nil {
		kind = frameClosed
	}
	u.send(r.outputFrame(kind, isErr, text))
}

// exited tells it how a rank has ended.
func (u *uplink) exited(r *rank) {
	r.drainOutput()
	e := exit{status: int(r.status), inner: r.inner, memory: u.job.memory(r)}
	u.send(r.frame(frameExited, e.pack()))
}

// Ready takes in what has come from the launcher.
func (u *uplink) Ready(uint32) {
	n, err := unix.Read(0, u.job.scratch)
	if err == unix.EINTR || err == unix.EAGAIN {
		return
	}
	if err != nil || n <= 0 {
		u.lose()
		return
	}
	u.heard, u.paused = time.Now(), false
	u.in = append(u.in, u.job.scratch[:n]...)
	rest := u.in
	for {
		f, after, ok, err := nextFrame(rest)
		if err == nil && ok {
			rest = after
			err = u.take(&f)
		}
		if err != nil {
			u.job.say("%v", err)
			u.lose()
			return
		}
		if !ok {
			break
		}
	}
	u.in = append(u.in[:0], rest...)
}

// lose notes that the launcher is gone.
func (u *uplink) lose() {
	u.over = true
	u.job.loop.Forget(0)
	u.job.failAll(process.ExitSetup)
}

// beat gives the launcher a sign of life, and finds out when it has given none for too long.
func (u *uplink) beat(now time.Time) {
	if now.Sub(u.sent) >= beatTime {
		u.send(&frame{kind: frameBeat})
	}
	if u.silence > 0 && !u.paused && !u.over && now.Sub(u.heard) > u.silence {
		u.lose()
	}
}

// take deals with one frame.
func (u *uplink) take(f *frame) error {
	j := u.job
	switch f.kind {
	case frameBeat:
		return nil
	case frameSetup:
		return u.setup(f.body)
	case frameStart:
		f.body = append([]byte(nil), f.body...)
		u.orders = append(u.orders, *f)
		return nil
	case frameSignal:
		u.paused = unix.Signal(f.rank) == unix.SIGTSTP
		j.forward(unix.Signal(f.rank))
		return nil
	case frameInput:
		if u.inlet != nil {
			u.inlet.take(f.body)
		}
		return nil
	case framePortion:
		return u.portion(f)
	case frameDial, framePass, frameCut, frameShove:
		return u.relayed(f)
	case frameGather:
		u.send(&frame{kind: frameStates, rank: f.rank, body: packStates(j.askRanks())})
		return nil
	case frameFinish:
		u.finish, u.begun = true, f.flag
		return nil
	}
	if f.kind == frameEnd || f.kind == frameKill {
		u.orders = slices.DeleteFunc(u.orders, func(o frame) bool { return o.world == f.world })
	}
	w := j.worldNumbered(f.world)
	if w == nil {
		return nil // it has ended, or will never begin
	}
	switch f.kind {
	case frameGo:
		w.startAll()
	case frameRelease:
		values := unpacker{rest: f.body}
		for k, v := range unpackValues(&values) {
			w.kvs[k] = v
		}
		if values.err != nil {
			return values.err
		}
		j.release(w)
	case frameDead:
		for _, n := range w.nodes {
			if n.segment != nil {
				shm.MarkDead(n.segment, f.rank)
			}
		}
	case frameNetwork:
		w.markNetwork(shm.NetworkState(f.rank))
	case frameFailed:
		for _, n := range w.nodes {
			if n.segment != nil {
				shm.MarkFailed(n.segment, f.rank)
			}
		}
	case frameEnd:
		j.fail(w, 0)
	case frameKill:
		j.kill(w)
	case frameReply, frameHold, frameResume:
		if r := w.rankNumbered(f.rank); r != nil {
			u.forRank(r, f)
		}
	default:
		return fmt.Errorf("%w: of kind %d", errFrame, f.kind)
	}
	return nil
}

// forRank deals with a frame that concerns one rank.
func (u *uplink) forRank(r *rank, f *frame) {
	s := r.out
	if f.flag {
		s = r.err
	}
	switch {
	case f.kind == frameReply:
		r.conn.queue = append(r.conn.queue, f.body...)
		r.conn.flush()
	case s == nil || s.Fd < 0:
	case f.kind == frameHold:
		s.Sink.Leave(s)
		s.Pause()
	default:
		s.Sink.Leave(s)
		s.Sink.Join(s)
	}
}

// setup notes what holds for all ranks.
func (u *uplink) setup(body []byte) error {
	s, err := unpackSetup(body)
	if err != nil {
		return err
	}
	j := u.job
	j.spec.Name, j.spec.MergeStderr = s.name, s.mergeStderr
	if s.terminal {
		j.out.Window = &unix.Winsize{Row: uint16(s.rows), Col: uint16(s.cols)}
	}
	if s.address != "" {
		u.host.address = s.address
	}
	u.silence = time.Duration(s.silence) * time.Second
	j.spec.ReportHang = time.Duration(s.reportHang) * time.Millisecond
	u.fetch(s.files)
	if s.binding != "" {
		if j.spec.Binding, j.spec.Cores, err = u.bind(s.binding); err != nil {
			j.say("%v", err)
		}
	}
	return nil
}

// carryOut starts the ranks of a world.
func (u *uplink) carryOut(f *frame) {
	j := u.job
	o, err := unpackOrder(f.body)
	if err != nil {
		u.refuse(f.world, err)
		return
	}
	w := newWorld(f.world, o.apps, o.universe)
	w.kvs, w.port, w.spawned, w.arrivals = o.values, o.port, o.spawned, len(o.ranks)
	w.identity = o.identity
	here := &node{host: u.host}
	w.nodes = []*node{here}
	for _, p := range o.ranks {
		r := j.newRank(w, here, p.number, p.app)
		r.stdin, r.files, r.cpus = p.stdin, p.files, p.cpus
	}
	j.enter(w)
	for i := range w.apps {
		if err == nil {
			err = u.files.settle(&w.apps[i])
		}
		if dir := w.apps[i].Dir; err == nil && unix.Access(dir, unix.X_OK) != nil {
			err = process.NewStartError(process.ExitSetup, fmt.Sprintf("working directory %q cannot be entered", dir))
		}
	}
	if err == nil {
		err = j.startNode(w, here)
	}
	switch {
	case err == nil:
		u.send(&frame{kind: frameReady, world: w.id, body: []byte(here.identity())})
	case err != errEnding:
		u.refuse(w.id, err)
		j.kill(w)
	}
}

// refuse tells why the ranks of a world cannot be started.
func (u *uplink) refuse(world int, err error) {
	r := refusal{text: err.Error(), code: process.ExitSetup, program: -1}
	var never *process.StartError
	var short *rankError
	if errors.As(err, &never) {
		r.code = never.Code
	} else if errors.As(err, &short) {
		r.program, r.started = short.program, short.started
	}
	u.send(&frame{kind: frameRefused, world: world, body: r.pack()})
}

// relay serves one line that a rank of this host sent: what can be answered here, and the launcher the rest.
// What ranks put all of them see after a barrier, so that is what is known here. It returns false when the
// rank does not follow the protocol.
func (j *job) relay(r *rank, line string) bool {
	c := r.conn
	pass := func(kind frameKind) {
		j.up.send(r.frame(kind, []byte(line)))
	}
	if c.inside {
		if strings.TrimRight(line, "\r") == "endcmd" {
			c.inside, c.lines.Longest = false, 0
		}
		pass(frameAsk)
		return true
	}
	m, err := pmi.Parse(line)
	if err != nil {
		return false
	}
	if m.Multi {
		c.inside, c.lines.Longest = true, pmi.MaxSpawnInput
		pass(frameAsk)
		return true
	}
	switch m.Cmd {
	case "get_maxes", "get_appnum", "get_universe_size", "get_my_kvsname", "barrier_in":
		return j.serve(r, &m)
	case "init", "put", "finalize":
		pass(frameNote)
		return j.serve(r, &m)
	case "get":
		name, _ := m.Get("kvsname")
		key, _ := m.Get("key")
		if w := j.worldByKVS(name); w != nil {
			if _, known := w.kvs[key]; known {
				return j.serve(r, &m)
			}
		}
	case "abort":
		j.hearDeaths(r)
	}
	pass(frameAsk)
	return true
}
