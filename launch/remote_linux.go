package launch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// What proxies tell the launcher. A rank on another host is a rank like any other, but that what happens to
// its process is told in frames.

// Take deals with one frame of a proxy.
func (j *job) Take(l *host.Link, f *host.Frame) error {
	switch f.Kind {
	case host.FrameStates:
		return j.ask.TakeStates(l, f)
	case host.FrameLooked:
		return j.ask.TakeLook(l, f)
	case host.FrameTaken:
		if j.stdin != nil {
			j.stdin.taken(f.Flag)
		}
		return nil
	}
	w := j.WorldNumbered(f.World)
	if w == nil {
		return nil // it has ended
	}
	for _, n := range w.Nodes {
		if n.Link() != l {
			continue
		}
		if f.Kind == host.FrameReady || f.Kind == host.FrameRefused || f.Kind == host.FrameArrived {
			return j.aboutNode(w, n, f)
		}
		if r := w.RankNumbered(f.Rank); r != nil && r.Node == n {
			return j.aboutRank(r, f)
		}
	}
	return fmt.Errorf("%w: about rank %d", host.ErrFrame, f.Rank)
}

// aboutNode deals with a frame that concerns all ranks of a world on one host.
func (j *job) aboutNode(w *world.World, n *world.Node, f *host.Frame) error {
	switch f.Kind {
	case host.FrameReady:
		n.Ready, n.ID = true, string(f.Body)
	case host.FrameArrived:
		if w.Arrive(n.Size) {
			j.server.release(w)
		}
	case host.FrameRefused:
		r, err := host.UnpackRefusal(f.Body)
		if err != nil {
			return err
		}
		if w.Refused == nil {
			w.Refused = refused(&r, n.Host.Name)
		}
	}
	return nil
}

// refused is the refusal of a host as startWorld returns it.
func refused(r *host.Refusal, host string) error {
	text := fmt.Sprintf("host %s: %s", host, r.Text)
	if r.Program >= 0 {
		return &rankError{program: r.Program, started: r.Started, err: errors.New(text)}
	}
	return process.NewStartError(r.Code, text)
}

// aboutRank deals with a frame that concerns one rank.
func (j *job) aboutRank(r *world.Rank, f *host.Frame) error {
	s := r.Out
	if f.Flag {
		s = r.Err
	}
	switch f.Kind {
	case host.FrameStarted:
		pid, err := strconv.Atoi(string(f.Body))
		if err != nil || pid <= 0 || r.Pid != 0 {
			return host.ErrFrame
		}
		j.startedAway(r, pid)
	case host.FrameAsk, host.FrameNote:
		r.Conn.Muted = f.Kind == host.FrameNote
		if !j.server.answer(r, string(f.Body)) {
			j.protocolError(r, string(f.Body))
		}
		r.Conn.Muted = false
	case host.FrameOutput:
		if s != nil && !s.Ended {
			s.Take(f.Body)
		}
	case host.FrameClosed:
		if s != nil && !s.Ended {
			s.End()
		}
	case host.FrameExited:
		e, err := host.UnpackExit(f.Body)
		if err != nil || !r.Alive() {
			return host.ErrFrame
		}
		r.Inner, r.Memory = e.Inner, e.Memory
		j.ended(r, unix.WaitStatus(e.Status))
	case host.FrameInner:
		var err error
		if r.Inner, err = strconv.Atoi(string(f.Body)); err != nil {
			return host.ErrFrame
		}
		j.programEnded(r)
	default:
		return fmt.Errorf("%w: of kind %d", host.ErrFrame, f.Kind)
	}
	return nil
}

// startedAway notes that a rank on another host runs.
func (j *job) startedAway(r *world.Rank, pid int) {
	r.Pid = pid
	j.living++
	r.World.Living++
	if r.Files[0] == "" {
		s := j.newStream(r, false, -1)
		s.Queue.Join(s)
	}
	if r.Files[1] == "" && !j.spec.MergeStderr {
		s := j.newStream(r, true, -1)
		s.Queue.Join(s)
	}
	if r.Stdin {
		j.stdin = newStdinRelay(j, r)
	}
}

// Lost ends what ranks on a host were part of, now that nothing is heard of them any more.
func (j *job) Lost(l *host.Link, why string) {
	j.ask.Lost(l)
	why = "host " + l.Host.Name + ": " + why
	if len(j.Worlds) == 0 {
		l.Err = process.NewStartError(process.ExitSetup, why)
		return
	}
	var lost []*world.Rank
	var numbers []string
	told := j.closing
	for _, r := range j.Ranks {
		if r.Node.Link() != l || r.Exited {
			continue
		}
		lost = append(lost, r)
		numbers = append(numbers, strings.TrimPrefix(r.String(), "rank "))
		told = told || r.World.Failing
		if r.Exited = true; r.Pid > 0 {
			j.living--
			r.World.Living--
		}
	}
	if len(lost) == 0 {
		return
	}
	if !told {
		what := "rank " + numbers[0] + " is lost"
		if len(numbers) > 1 {
			what = "ranks " + strings.Join(numbers, ", ") + " are lost"
		}
		j.Say("%s; %s", why, what)
	}
	for _, r := range lost {
		r.MarkDead()
		j.fail(r.World, process.ExitSetup)
	}
}
