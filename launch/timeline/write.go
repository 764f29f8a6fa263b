package timeline

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Write writes a run in the trace event format, which Perfetto and Chrome show: a process for each rank, a
// slice for each call, and an arrow for each message. Times are µs with three digits, so that no ns is lost
// and slices that lie within each other stay so.
func (r *Run) Write(out io.Writer) error {
	w := &writer{Writer: bufio.NewWriterSize(out, 1<<20)}
	w.line = append(w.line, `{"displayTimeUnit":"ns","otherData":{"producer":"gompi"},"traceEvents":[`...)
	for i, p := range r.Processes {
		w.open("process_name", "M", i, 0)
		w.text(`,"args":{"name":"rank `).text(p.Name()).text(`","world":`).int(p.World).text(`,"rank":`).int(p.Rank)
		w.text(`,"size":`).int(p.Size).text(`,"pid":`).int(p.Pid).text(`,"lost":`).int(int(p.Lost)).text("}}")
		w.open("process_sort_index", "M", i, 0)
		w.text(`,"args":{"sort_index":`).int(i).text("}}")
	}
	for i := range r.Events {
		w.event(&r.Events[i])
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		from, to := &r.Events[m.From], &r.Events[m.To]
		w.open(flowName, "s", m.Sender, from.Thread)
		w.text(`,"cat":"message","id":`).int(i + 1).text(`,"ts":`).time(m.Begin)
		w.text(`,"args":{"bytes":`).int(int(m.Bytes)).text(`,"tag":`).int(m.Tag).text("}}")
		w.open(flowName, "f", m.Target, to.Thread)
		w.text(`,"cat":"message","bp":"e","id":`).int(i + 1).text(`,"ts":`).time(m.End).text("}")
	}
	w.text("\n]}\n")
	w.flush()
	if w.err != nil {
		return w.err
	}
	return w.Flush()
}

// Name is what people call a process: its rank, with its world ahead if it was spawned.
func (p *Process) Name() string {
	if p.World > 0 {
		return fmt.Sprintf("%d.%d", p.World, p.Rank)
	}
	return strconv.Itoa(p.Rank)
}

// writer puts lines together.
type writer struct {
	*bufio.Writer
	line  []byte
	begun bool
	err   error
}

func (w *writer) text(s string) *writer { w.line = append(w.line, s...); return w }

func (w *writer) int(n int) *writer { w.line = strconv.AppendInt(w.line, int64(n), 10); return w }

// time writes ns as µs.
func (w *writer) time(ns int64) *writer {
	w.line = strconv.AppendInt(w.line, ns/1000, 10)
	if rest := ns % 1000; rest != 0 {
		w.line = append(w.line, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
	return w
}

func (w *writer) flush() {
	if w.err == nil {
		_, w.err = w.Writer.Write(w.line)
	}
	w.line = w.line[:0]
}

// open begins an event on a line of its own.
func (w *writer) open(name, phase string, process, thread int) {
	if w.begun {
		w.text(",")
	}
	w.begun = true
	w.flush()
	w.text("\n{\"name\":\"").text(name).text(`","ph":"`).text(phase).text(`","pid":`).int(process).text(`,"tid":`).int(thread)
}

func (w *writer) event(e *Event) {
	w.open(e.Name, "X", e.Process, e.Thread)
	w.text(`,"cat":"`).text(string(e.Group)).text(`","ts":`).time(e.Begin).text(`,"dur":`).time(e.End - e.Begin)
	sign := `,"args":{`
	arg := func(name string, value int) {
		w.text(sign).text(`"`).text(name).text(`":`).int(value)
		sign = ","
	}
	if e.Peer >= 0 {
		arg("peer", e.Peer)
	}
	if e.Tag >= 0 {
		arg("tag", e.Tag)
	}
	if e.Bytes > 0 {
		arg("bytes", int(e.Bytes))
	}
	if e.Instance > 0 {
		arg("operation", e.Instance)
	}
	if e.Calls > 1 {
		arg("calls", e.Calls)
		arg("inside_ns", int(e.Inside))
	}
	if e.Unfinished {
		arg("unfinished", 1)
	}
	if e.Failed {
		arg("failed", 1)
	}
	if e.For >= 0 {
		arg("waited_ns", int(e.Wait))
		arg("for", e.For)
		w.text(`,"why":"`).text(e.Why).text(`"`)
	}
	if sign == "," {
		w.text("}")
	}
	w.text("}")
}
