package timeline

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// line is an event of the trace event format, as far as Write writes it.
type line struct {
	Name  string  `json:"name"`
	Phase string  `json:"ph"`
	Group Group   `json:"cat"`
	Pid   int     `json:"pid"`
	Tid   int     `json:"tid"`
	ID    int     `json:"id"`
	Begin float64 `json:"ts"`
	Took  float64 `json:"dur"`
	Args  struct {
		Name       string
		World      int
		Rank       int
		Size       int
		Pid        int
		Lost       int64
		Peer       *int
		Tag        *int
		Bytes      int64
		Operation  int
		Calls      int
		Inside     int64 `json:"inside_ns"`
		Unfinished int
		Failed     int
		Waited     int64 `json:"waited_ns"`
		For        *int
		Why        string
	} `json:"args"`
}

// Load reads what Write has written.
func Load(in io.Reader) (*Run, error) {
	d := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	run := &Run{}
	if err := enter(d); err != nil {
		return nil, err
	}
	for number := 1; d.More(); number++ {
		var l line
		if err := d.Decode(&l); err != nil {
			return nil, fmt.Errorf("event %d: %w", number, err)
		}
		run.add(&l)
	}
	if len(run.Processes) == 0 {
		return nil, errors.New("it shows no ranks")
	}
	return run, run.check()
}

// enter goes to the first event.
func enter(d *json.Decoder) error {
	for {
		t, err := d.Token()
		if err != nil {
			return fmt.Errorf("no trace of mpiexec --trace: %w", err)
		}
		if name, ok := t.(string); ok && name == "traceEvents" {
			if t, err = d.Token(); err == nil && t != json.Delim('[') {
				err = errors.New("no list of events")
			}
			return err
		}
	}
}

func nanoseconds(us float64) int64 { return int64(math.Round(us * 1000)) }

// number is a number that may be absent.
func number(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// add takes an event in.
func (r *Run) add(l *line) {
	a := &l.Args
	switch {
	case l.Phase == "M" && l.Name == "process_name":
		r.Processes = append(r.Processes, Process{World: a.World, Rank: a.Rank, Size: a.Size, Pid: a.Pid,
			Lost: a.Lost})
	case l.Phase == "X":
		e := Event{Name: strings.Clone(l.Name), Group: l.Group, Process: l.Pid, Thread: l.Tid,
			Begin: nanoseconds(l.Begin), Peer: number(a.Peer), Tag: number(a.Tag), Bytes: a.Bytes,
			Instance: a.Operation, Calls: max(a.Calls, 1), Unfinished: a.Unfinished != 0,
			Failed: a.Failed != 0, Wait: a.Waited, For: number(a.For), Why: a.Why}
		e.End = e.Begin + nanoseconds(l.Took)
		e.Inside = e.End - e.Begin
		if a.Calls > 1 {
			e.Inside = a.Inside
		}
		r.Events = append(r.Events, e)
	case l.Phase == "s":
		r.Messages = append(r.Messages, Message{Sender: l.Pid, Begin: nanoseconds(l.Begin), Bytes: a.Bytes,
			Tag: number(a.Tag), From: -1, To: -1, Target: -1})
	case l.Phase == "f" && l.ID == len(r.Messages) && l.ID > 0:
		m := &r.Messages[l.ID-1]
		m.Target, m.End = l.Pid, nanoseconds(l.Begin)
	}
}

// check refuses numbers of processes that there are not.
func (r *Run) check() error {
	bad := func(p, least int) bool { return p < least || p >= len(r.Processes) }
	for i := range r.Events {
		if e := &r.Events[i]; bad(e.Process, 0) || bad(e.Peer, -1) || bad(e.For, -1) || e.End < e.Begin {
			return fmt.Errorf("call %d, %s, is of no rank that there is", i+1, e.Name)
		}
	}
	for i := range r.Messages {
		if m := &r.Messages[i]; bad(m.Sender, 0) || bad(m.Target, 0) {
			return fmt.Errorf("message %d is of no rank that there is", i+1)
		}
	}
	return nil
}
