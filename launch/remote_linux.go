package launch

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"gompi/launch/host"
	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// What proxies tell the launcher. A rank on another host is a rank like any other, but that what happens to
// its process is told in frames.

// Take deals with one frame of a proxy.
func (j *job) Take(l *host.Link, f *host.Frame) error {
	switch f.Kind {
	case host.FrameStates:
		return j.takeStates(l, f)
	case host.FrameTaken:
		if j.feed != nil {
			j.feed.taken(f.Flag)
		}
		return nil
	}
	w := j.worldNumbered(f.World)
	if w == nil {
		return nil // it has ended
	}
	for _, n := range w.nodes {
		if n.link() != l {
			continue
		}
		if f.Kind == host.FrameReady || f.Kind == host.FrameRefused || f.Kind == host.FrameArrived {
			return j.aboutNode(w, n, f)
		}
		if r := w.rankNumbered(f.Rank); r != nil && r.node == n {
			return j.aboutRank(r, f)
		}
	}
	return fmt.Errorf("%w: about rank %d", host.ErrFrame, f.Rank)
}

// aboutNode deals with a frame that concerns all ranks of a world on one host.
func (j *job) aboutNode(w *world, n *node, f *host.Frame) error {
	switch f.Kind {
	case host.FrameReady:
		n.ready, n.id = true, string(f.Body)
	case host.FrameArrived:
		if w.arrive(n.size) {
			j.release(w)
		}
	case host.FrameRefused:
		r, err := host.UnpackRefusal(f.Body)
		if err != nil {
			return err
		}
		if w.refused == nil {
			w.refused = refused(&r, n.host.Name)
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
func (j *job) aboutRank(r *rank, f *host.Frame) error {
	s := r.out
	if f.Flag {
		s = r.err
	}
	switch f.Kind {
	case host.FrameStarted:
		pid, err := strconv.Atoi(string(f.Body))
		if err != nil || pid <= 0 || r.pid != 0 {
			return host.ErrFrame
		}
		j.startedAway(r, pid)
	case host.FrameAsk, host.FrameNote:
		r.conn.muted = f.Kind == host.FrameNote
		if !j.answer(r, string(f.Body)) {
			j.protocolError(r, string(f.Body))
		}
		r.conn.muted = false
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
		if err != nil || !r.alive() {
			return host.ErrFrame
		}
		r.inner, r.memory = e.Inner, e.Memory
		j.ended(r, unix.WaitStatus(e.Status))
	case host.FrameInner:
		var err error
		if r.inner, err = strconv.Atoi(string(f.Body)); err != nil {
			return host.ErrFrame
		}
		j.programEnded(r)
	default:
		return fmt.Errorf("%w: of kind %d", host.ErrFrame, f.Kind)
	}
	return nil
}

// startedAway notes that a rank on another host runs.
func (j *job) startedAway(r *rank, pid int) {
	r.pid = pid
	j.living++
	r.world.living++
	if r.files[0] == "" {
		s := j.newStream(r, false, -1)
		s.Sink.Join(s)
	}
	if r.files[1] == "" && !j.spec.MergeStderr {
		s := j.newStream(r, true, -1)
		s.Sink.Join(s)
	}
	if r.stdin {
		j.feed = newFeed(r)
	}
}

// Lost ends what ranks on a host were part of, now that nothing is heard of them any more.
func (j *job) Lost(l *host.Link, why string) {
	j.answered(l)
	why = "host " + l.Host.Name + ": " + why
	if len(j.worlds) == 0 {
		l.Err = process.NewStartError(process.ExitSetup, why)
		return
	}
	var lost []*rank
	var numbers []string
	told := j.closing
	for _, r := range j.ranks {
		if r.node.link() != l || r.exited {
			continue
		}
		lost = append(lost, r)
		numbers = append(numbers, strings.TrimPrefix(r.String(), "rank "))
		told = told || r.world.failing
		if r.exited = true; r.pid > 0 {
			j.living--
			r.world.living--
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
		r.markDead()
		j.fail(r.world, process.ExitSetup)
	}
}

// worldNumbered is the world of that number, nil when it has ended.
func (j *job) worldNumbered(id int) *world {
	for _, w := range j.worlds {
		if w.id == id {
			return w
		}
	}
	return nil
}

// rankNumbered is a rank of the world by its number; nil when it is not one of those that this process knows.
func (w *world) rankNumbered(number int) *rank {
	i := sort.Search(len(w.ranks), func(i int) bool { return w.ranks[i].number >= number })
	if i == len(w.ranks) || w.ranks[i].number != number {
		return nil
	}
	return w.ranks[i]
}
