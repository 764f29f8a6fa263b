package launch

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gompi/launch/host"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// launcherConn is a proxy's connection to the launcher: its own standard input and output. The proxy starts
// the ranks of its host and serves them, and leaves all decisions to the launcher. When that is gone it ends
// them.
type launcherConn struct {
	job    *job
	host   *host.Host
	bind   func(text string) (func(n int) []int, int, error)
	in     []byte
	orders []host.Frame // not carried out yet
	inlet  *inlet       // standard input of a rank, nil for none
	heard  time.Time
	sent   time.Time
	// without a sign of life from the launcher after which it is lost
	silence time.Duration
	files   *host.Arrivals
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
	u := &launcherConn{job: j, host: &host.Host{}, bind: bind, silence: host.GreetingTime,
		heard: time.Now(), sent: time.Now()}
	u.files = host.NewArrivals(folder, u.send)
	j.up, j.out.Stderr, j.out.Window = u, j.out.Stdout, nil
	j.out.Emptied = u.readRelays
	j.ask.Up = u.send
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	j.oom.Begin()
	ssh := strings.Fields(os.Getenv("SSH_CONNECTION"))
	if len(ssh) == 4 {
		u.host.Address = ssh[2]
	}
	words := append([]string{host.Greeting, host.Protocol, version, process.Architecture()}, ssh...)
	j.out.Stdout.Write([]byte(strings.Join(words, " ") + "\n"))
	if err := j.loop.Watch(0, unix.EPOLLIN, u); err != nil {
		fmt.Fprintf(os.Stderr, "%s: standard input: %v\n", name, err)
		return process.ExitSetup
	}
	return u.serve()
}

// serve serves the launcher until the job is over.
func (u *launcherConn) serve() int {
	j := u.job
	for !u.over && !u.finish {
		if err := j.turn(j.nextTime()); err != nil {
			break
		}
		for len(u.orders) > 0 && !u.over && u.files.Done() {
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
	output.Finish(j.Streams)
	for start := time.Now(); j.out.Queued() && !u.over && time.Since(start) < host.FinishTime; {
		if j.loop.Wait(time.Now().Add(host.BeatTime)) != nil {
			break
		}
	}
	if u.over {
		return process.ExitSetup
	}
	return 0
}

// send sends the launcher a frame.
func (u *launcherConn) send(f *host.Frame) {
	u.sent = time.Now()
	u.job.out.Stdout.Write(f.Append(nil))
}

// output sends it what a rank has written; nothing at the end.
func (u *launcherConn) output(r *world.Rank, isErr bool, text []byte) {
	kind := host.FrameOutput
	if text == nil {
		kind = host.FrameClosed
	}
	u.send(r.OutputFrame(kind, isErr, text))
}

// exited tells it how a rank has ended.
func (u *launcherConn) exited(r *world.Rank) {
	r.DrainOutput()
	e := host.Exit{Status: int(r.Status), Inner: r.Inner, Memory: u.job.memory(r)}
	u.send(r.Frame(host.FrameExited, e.Pack()))
}

// Ready takes in what has come from the launcher.
func (u *launcherConn) Ready(uint32) {
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
		f, after, ok, err := host.NextFrame(rest)
		if err == nil && ok {
			rest = after
			err = u.take(&f)
		}
		if err != nil {
			u.job.Say("%v", err)
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
func (u *launcherConn) lose() {
	u.over = true
	u.job.loop.Forget(0)
	u.job.failAll(process.ExitSetup)
}

// beat gives the launcher a sign of life, and finds out when it has given none for too long.
func (u *launcherConn) beat(now time.Time) {
	if now.Sub(u.sent) >= host.BeatTime {
		u.send(&host.Frame{Kind: host.FrameBeat})
	}
	if u.silence > 0 && !u.paused && !u.over && now.Sub(u.heard) > u.silence {
		u.lose()
	}
}

// take deals with one frame.
func (u *launcherConn) take(f *host.Frame) error {
	j := u.job
	switch f.Kind {
	case host.FrameBeat:
		return nil
	case host.FrameSetup:
		return u.setup(f.Body)
	case host.FrameStart:
		f.Body = append([]byte(nil), f.Body...)
		u.orders = append(u.orders, *f)
		return nil
	case host.FrameSignal:
		u.paused = unix.Signal(f.Rank) == unix.SIGTSTP
		j.forward(unix.Signal(f.Rank))
		return nil
	case host.FrameInput:
		if u.inlet != nil {
			u.inlet.take(f.Body)
		}
		return nil
	case host.FramePortion:
		return u.files.Portion(f)
	case host.FrameDial, host.FramePass, host.FrameCut, host.FrameShove:
		return u.relayed(f)
	case host.FrameGather:
		u.send(&host.Frame{Kind: host.FrameStates, Rank: f.Rank, Body: j.ask.States()})
		return nil
	case host.FrameLook:
		j.ask.Looked(f)
		return nil
	case host.FrameFinish:
		u.finish, u.begun = true, f.Flag
		return nil
	}
	if f.Kind == host.FrameEnd || f.Kind == host.FrameKill {
		u.orders = slices.DeleteFunc(u.orders, func(o host.Frame) bool { return o.World == f.World })
	}
	if w := j.WorldNumbered(f.World); w != nil {
		return u.forWorld(w, f)
	}
	return nil // it has ended, or will never begin
}

// forWorld deals with a frame that concerns one world, or a rank of it.
func (u *launcherConn) forWorld(w *world.World, f *host.Frame) error {
	j := u.job
	switch f.Kind {
	case host.FrameGo:
		w.StartAll()
	case host.FrameRelease:
		values := host.Unpacker{Rest: f.Body}
		for k, v := range host.UnpackValues(&values) {
			w.Values[k] = v
		}
		if values.Err != nil {
			return values.Err
		}
		j.server.release(w)
	case host.FrameDead:
		for _, n := range w.Nodes {
			if n.Segment != nil {
				shm.MarkDead(n.Segment, f.Rank)
			}
		}
	case host.FrameNetwork:
		w.MarkNetwork(shm.NetworkState(f.Rank))
	case host.FrameFailed:
		for _, n := range w.Nodes {
			if n.Segment != nil {
				shm.MarkFailed(n.Segment, f.Rank)
			}
		}
	case host.FrameEnd:
		j.fail(w, 0)
	case host.FrameKill:
		j.Kill(w)
	case host.FrameReply, host.FrameHold, host.FrameResume, host.FrameTyped:
		if r := w.RankNumbered(f.Rank); r != nil {
			u.forRank(r, f)
		}
	default:
		return fmt.Errorf("%w: of kind %d", host.ErrFrame, f.Kind)
	}
	return nil
}

// forRank deals with a frame that concerns one rank.
func (u *launcherConn) forRank(r *world.Rank, f *host.Frame) {
	s := r.Out
	if f.Flag {
		s = r.Err
	}
	switch {
	case f.Kind == host.FrameReply:
		r.Conn.Queue = append(r.Conn.Queue, f.Body...)
		r.Conn.Flush()
	case f.Kind == host.FrameTyped:
		r.Tell(string(f.Body), f.Flag)
	case s == nil || s.Fd < 0:
	case f.Kind == host.FrameHold:
		s.Queue.Leave(s)
		s.Pause()
	default:
		s.Queue.Leave(s)
		s.Queue.Join(s)
	}
}

// setup notes what holds for all ranks.
func (u *launcherConn) setup(body []byte) error {
	s, err := host.UnpackSetup(body)
	if err != nil {
		return err
	}
	j := u.job
	j.spec.Name, j.spec.MergeStderr = s.Name, s.MergeStderr
	if s.Terminal {
		j.out.Window = &unix.Winsize{Row: uint16(s.Rows), Col: uint16(s.Cols)}
	}
	if s.Address != "" {
		u.host.Address = s.Address
	}
	u.silence = time.Duration(s.Silence) * time.Second
	j.ask.ReportHang = time.Duration(s.ReportHang) * time.Millisecond
	u.files.Fetch(s.Files)
	if s.Binding != "" {
		if j.spec.Binding, j.spec.Cores, err = u.bind(s.Binding); err != nil {
			j.Say("%v", err)
		}
	}
	return nil
}

// carryOut starts the ranks of a world.
func (u *launcherConn) carryOut(f *host.Frame) {
	j := u.job
	o, err := host.UnpackOrder(f.Body)
	if err != nil {
		u.refuse(f.World, err)
		return
	}
	w := world.New(f.World, o.Apps, o.Universe)
	w.Values, w.Port, w.Spawned, w.Arrivals = o.Values, o.Port, o.Spawned, len(o.Ranks)
	w.Identity = o.Identity
	here := &world.Node{Host: u.host}
	w.Nodes = []*world.Node{here}
	for _, p := range o.Ranks {
		r := w.NewRank(j.user, here, p.Number, p.App)
		r.Stdin, r.Debug, r.Files, r.Cpus = p.Stdin, p.Debug, p.Files, p.Cpus
	}
	j.Enter(w)
	for i := range w.Apps {
		if err == nil {
			err = u.files.Settle(&w.Apps[i])
		}
		if dir := w.Apps[i].Dir; err == nil && unix.Access(dir, unix.X_OK) != nil {
			err = process.NewStartError(process.ExitSetup, fmt.Sprintf("working directory %q cannot be entered", dir))
		}
	}
	if err == nil {
		err = j.startNode(w, here)
	}
	switch {
	case err == nil:
		u.send(&host.Frame{Kind: host.FrameReady, World: w.ID, Body: []byte(here.Identity())})
	case err != errEnding:
		u.refuse(w.ID, err)
		j.Kill(w)
	}
}

// refuse tells why the ranks of a world cannot be started.
func (u *launcherConn) refuse(world int, err error) {
	r := host.Refusal{Text: err.Error(), Code: process.ExitSetup, Program: -1}
	var never *process.StartError
	var short *rankError
	if errors.As(err, &never) {
		r.Code = never.Code
	} else if errors.As(err, &short) {
		r.Program, r.Started = short.program, short.started
	}
	u.send(&host.Frame{Kind: host.FrameRefused, World: world, Body: r.Pack()})
}
