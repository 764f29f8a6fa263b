package launch

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// What proxies tell the launcher. A rank on another host is a rank like any other, but that what happens to
// its process is told in frames.

// fromProxy deals with one frame.
func (j *job) fromProxy(l *link, f *frame) error {
	switch f.kind {
	case frameBeat:
		return nil
	case frameSay:
		j.say("host %s: %s", l.host.name, f.body)
		return nil
	case framePassed, frameComplaint, frameParted:
		return j.fromRelay(l, f)
	case frameFetch:
		return j.serveFile(l, f)
	case frameStill:
		if l.still = (time.Time{}); f.flag {
			l.still = time.Now()
		}
		return nil
	case frameStates:
		return j.takeStates(l, f)
	case frameTaken:
		if j.feed != nil {
			j.feed.taken(f.flag)
		}
		return nil
	}
	w := j.worldNumbered(f.world)
	if w == nil {
		return nil // it has ended
	}
	for _, n := range w.nodes {
		if n.link() != l {
			continue
		}
		if f.kind == frameReady || f.kind == frameRefused || f.kind == frameArrived {
			return j.aboutNode(w, n, f)
		}
		if r := w.rankNumbered(f.rank); r != nil && r.node == n {
			return j.aboutRank(r, f)
		}
	}
	return fmt.Errorf("%w: about rank %d", errFrame, f.rank)
}

// aboutNode deals with a frame that concerns all ranks of a world on one host.
func (j *job) aboutNode(w *world, n *node, f *frame) error {
	switch f.kind {
	case frameReady:
		n.ready, n.id = true, string(f.body)
	case frameArrived:
		if w.arrive(n.size) {
			j.release(w)
		}
	case frameRefused:
		r, err := unpackRefusal(f.body)
		if err != nil {
			return err
		}
		if w.refused == nil {
			w.refused = r.error(n.host.name)
		}
	}
	return nil
}

// error is the refusal of a host as startWorld returns it.
func (r *refusal) error(host string) error {
	text := fmt.Sprintf("host %s: %s", host, r.text)
	if r.program >= 0 {
		return &rankError{program: r.program, started: r.started, err: errors.New(text)}
	}
	return process.NewStartError(r.code, text)
}

// aboutRank deals with a frame that concerns one rank.
func (j *job) aboutRank(r *rank, f *frame) error {
	s := r.out
	if f.flag {
		s = r.err
	}
	switch f.kind {
	case frameStarted:
		pid, err := strconv.Atoi(string(f.body))
		if err != nil || pid <= 0 || r.pid != 0 {
			return errFrame
		}
		j.startedAway(r, pid)
	case frameAsk, frameNote:
		r.conn.muted = f.kind == frameNote
		if !j.answer(r, string(f.body)) {
			j.protocolError(r, string(f.body))
		}
		r.conn.muted = false
	case frameOutput:
		if s != nil && !s.Ended {
			s.Take(f.body)
		}
	case frameClosed:
		if s != nil && !s.Ended {
			s.End()
		}
	case frameExited:
		e, err := unpackExit(f.body)
		if err != nil || !r.alive() {
			return errFrame
		}
		r.inner, r.memory = e.inner, e.memory
		j.ended(r, unix.WaitStatus(e.status))
	case frameInner:
		var err error
		if r.inner, err = strconv.Atoi(string(f.body)); err != nil {
			return errFrame
		}
		j.programEnded(r)
	default:
		return fmt.Errorf("%w: of kind %d", errFrame, f.kind)
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

// lostHost ends what ranks on a host were part of, now that nothing is heard of them any more.
func (j *job) lostHost(l *link, why string) {
	why = "host " + l.host.name + ": " + why
	if len(j.worlds) == 0 {
		l.err = process.NewStartError(process.ExitSetup, why)
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
		j.say("%s; %s", why, what)
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
