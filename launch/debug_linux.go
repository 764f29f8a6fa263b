package launch

import (
	"bytes"
	"slices"
	"time"

	"gompi/launch/console"
	"gompi/launch/output"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// dialog is the console at the launcher's own standard input and output; nil where no rank is debugged.
type dialog struct {
	job     *job
	console console.Console
	out     *output.Stream // where it writes
	in      []byte         // of a line that has not ended
}

// openDialog begins to read commands for the ranks that run in debuggers, if any does.
func (j *job) openDialog() {
	if j.spec.Debug == nil {
		return
	}
	d := &dialog{job: j, out: j.out.Stdout.Stream(-1, "", false)}
	j.dialog = d
	d.console = console.Console{Terminal: isTerminal(0), Show: d.out.Show, Quit: func() { j.failAll(0) },
		Send:      func(number int, line string) { d.rank(number).Tell(line, false) },
		Interrupt: func(number int) { d.rank(number).Tell("", true) }}
	for i := range j.spec.Apps {
		j.spec.Apps[i].Apart = true
	}
	var ranks []int
	for number := range j.spec.Size() {
		if j.spec.Debug(number) {
			ranks = append(ranks, number)
		}
	}
	d.console.Start(ranks)
	if j.loop.Watch(0, unix.EPOLLIN, d) != nil { // a file, which can be read at any time
		for d.read() {
		}
	}
}

func isTerminal(fd int) bool {
	_, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	return err == nil
}

// rank is one of those that the console knows.
func (d *dialog) rank(number int) *world.Rank { return d.job.Worlds[0].RankNumbered(number) }

// Ready takes in what the user has typed.
func (d *dialog) Ready(uint32) { d.read() }

// read reads a portion, and reports whether there may be more.
func (d *dialog) read() bool {
	n, err := unix.Read(0, d.job.scratch[:stdinPortion])
	if err == unix.EINTR || err == unix.EAGAIN {
		return true
	}
	now := time.Now()
	if err != nil || n <= 0 {
		d.job.loop.Forget(0)
		if len(d.in) > 0 {
			d.console.Line(string(d.in), now)
		}
		d.console.End(now)
		return false
	}
	d.in = append(d.in, d.job.scratch[:n]...)
	for {
		line, rest, ok := bytes.Cut(d.in, []byte{'\n'})
		if !ok {
			return true
		}
		if d.console.Terminal { // which has ended the line of the prompt
			d.out.Entered()
		}
		text := string(line)
		d.in = slices.Clone(rest)
		d.console.Line(text, now)
	}
}

// due is when the console has something to do, zero for never.
func (d *dialog) due() time.Time {
	if d == nil {
		return time.Time{}
	}
	return d.console.Due()
}

// tick does what has become due.
func (d *dialog) tick(now time.Time) {
	if d != nil {
		d.console.Tick(now)
	}
}

// took takes in what the debugger of a rank has written.
func (d *dialog) took(r *world.Rank, text []byte) {
	if len(text) > 0 {
		d.console.Add(r.Number, text, time.Now())
	}
}

// interrupted has Ctrl-C stop the programs of the chosen ranks, and reports whether there are debuggers.
func (d *dialog) interrupted() bool {
	if d == nil || d.job.end.begun {
		return false
	}
	d.console.Stop()
	return true
}

// debuggerEnded notes that the debugger of a rank has ended, if it has one.
func (d *dialog) debuggerEnded(r *world.Rank) {
	if d != nil && r.Debug && !r.World.Failing {
		r.DrainOutput()
		d.console.Gone(r.Number, time.Now())
	}
}

// endSignal is the signal by which ranks are asked to go. Debuggers would have much to say of a polite one.
func (j *job) endSignal() unix.Signal {
	if slices.ContainsFunc(j.Ranks, func(r *world.Rank) bool { return r.Debug }) {
		return unix.SIGKILL
	}
	return unix.SIGTERM
}
