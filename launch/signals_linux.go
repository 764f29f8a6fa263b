package launch

import (
	"os"
	"os/signal"
	"sync"
	"time"

	"gompi/launch/host"
	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// signals brings the signals that the launcher receives into its loop.
type signals struct {
	job     *job
	fd      int // eventfd that wakes the loop
	in      chan os.Signal
	passing bool // they are passed on to the ranks
	mu      sync.Mutex
	pending []unix.Signal
}

// forwarded are the signals that concern the ranks.
var forwarded = [...]unix.Signal{
	unix.SIGUSR1, unix.SIGUSR2, unix.SIGQUIT, unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGTSTP,
	unix.SIGCONT,
}

// early are those of them that wait until all ranks run: Go would drop the first two, and answer the third by
// a trace. The others end or stop a launcher that still starts ranks, and the ranks with it.
var early = forwarded[:3]

// newSignals begins to catch the early signals. What the launcher was told to ignore (nohup, a background job
// of a script) stays ignored, also by the ranks, who inherit that.
func newSignals(j *job) (*signals, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, err
	}
	s := &signals{job: j, fd: fd, in: make(chan os.Signal, 16)}
	s.catch(early)
	go s.collect()
	return s, nil
}

func (s *signals) catch(list []unix.Signal) {
	for _, sig := range list {
		if !signal.Ignored(sig) {
			signal.Notify(s.in, sig)
		}
	}
}

// started begins to pass signals on, once the ranks run. Those of further worlds change nothing.
func (s *signals) started() error {
	if s.passing {
		return nil
	}
	s.passing = true
	s.catch(forwarded[:])
	return s.job.loop.Watch(s.fd, unix.EPOLLIN, s)
}

// watchChildren hears of the ends of ranks by their signal, on a kernel without pidfds.
func (s *signals) watchChildren() { signal.Notify(s.in, unix.SIGCHLD) }

// collect runs on a goroutine of its own.
func (s *signals) collect() {
	for sig := range s.in {
		s.mu.Lock()
		s.pending = append(s.pending, sig.(unix.Signal))
		s.mu.Unlock()
		unix.Write(s.fd, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	}
}

func (s *signals) Ready(uint32) {
	var count [8]byte
	unix.Read(s.fd, count[:])
	s.mu.Lock()
	pending := s.pending
	s.pending = nil
	s.mu.Unlock()
	for _, sig := range pending {
		s.job.received(sig)
	}
}

// received passes a signal on to the ranks. Those that are a question as well are answered first.
func (j *job) received(sig unix.Signal) {
	if sig == unix.SIGUSR1 || sig == unix.SIGQUIT && j.end.signal == 0 {
		j.ask.TellStates("what the ranks wait for:", func() { j.passOn(sig) })
		return
	}
	j.passOn(sig)
}

func (j *job) passOn(sig unix.Signal) {
	if sig == unix.SIGINT && j.dialog.interrupted() {
		return
	}
	switch sig {
	case unix.SIGCHLD:
		j.reapAll()
	case unix.SIGTSTP:
		j.forward(sig)
		unix.Kill(os.Getpid(), unix.SIGSTOP)
		j.hosts.Awake()
	case unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT:
		if j.end.signal != 0 || j.end.begun || j.living == 0 && !j.undecided() {
			// Asked twice, or only a slow reader of our output is left: no more waiting.
			j.end.impatient = true
			j.failAll(process.ExitSignal + int(sig))
			for _, w := range j.Worlds {
				w.KillAt = time.Now()
				w.Tell(&host.Frame{Kind: host.FrameKill})
			}
			return
		}
		j.end.signal = sig
		j.forward(sig)
		for _, w := range j.Worlds {
			j.judgeVictim(w)
		}
	default:
		j.forward(sig)
	}
}

// forward sends a signal to the ranks. SIGUSR1 is a question to the launcher as well, and must not kill ranks
// that do not expect it. Keys on a terminal signal every process of the foreground group, and a
// rank with a handler of its own must not see Ctrl-C twice.
func (j *job) forward(sig unix.Signal) {
	fromKeys := (sig == unix.SIGINT || sig == unix.SIGQUIT) && process.InForeground()
	j.hosts.TellAll(&host.Frame{Kind: host.FrameSignal, Rank: int(sig)})
	for _, r := range j.Ranks {
		switch {
		case !r.Child() || fromKeys && process.Catches(r.Pid, sig) ||
			sig == unix.SIGUSR1 && !process.Catches(r.Pid, sig):
		case sig == unix.SIGTSTP && j.up != nil && !process.Catches(r.Pid, sig):
			unix.Kill(r.Pid, unix.SIGSTOP) // the kernel drops the other one where there is no terminal
		default:
			unix.Kill(r.Pid, sig)
		}
	}
}
