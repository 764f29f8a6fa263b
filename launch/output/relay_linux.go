// Package output relays what ranks write, in whole lines, to the standard output and error of the launcher.
// It knows streams and queues, and neither ranks nor hosts.
package output

import (
	"bytes"
	"time"

	"gompi/launch/loop"

	"golang.org/x/sys/unix"
)

// Output is relayed in whole lines: a line of one rank is never cut by another's. The beginning of a line
// shows when nobody has written for a moment (idleFlush), so that a prompt appears, or when it has stood for
// long (busyFlush) while others went on writing. While it stands open the lines of others wait for its end,
// and go on with a newline in between when that does not come (holdOthers). A regular file gets lines only,
// since nobody sits there waiting for a prompt.
//
// A line of more than longestLine bytes is passed on as it comes, and so is one that has been shown in part
// and has grown by longPiece since: that is text, not a prompt or dots of progress. Others wait for its end
// as long as it grows (holdLong), and are not read when they have much to say: their ranks wait in turn. A
// reader of the output that falls behind holds a line up as well, and others wait until it has caught up.
const (
	idleFlush   = 100 * time.Millisecond
	busyFlush   = time.Second
	holdOthers  = time.Second
	holdLong    = 10 * time.Second // for a line that goes on: its rank may get no processor for long
	longestLine = 16 << 20         // bytes that are kept of a line before it is shown
	longPiece   = 32 << 10         // bytes that are kept of one whose beginning has been shown
)

// Relay is what the outputs of a job have in common.
type Relay struct {
	Stdout, Stderr *Queue
	Window         *unix.Winsize // of the terminal that standard output is; nil when it is none
	Heard          time.Time     // when a rank last wrote anything
	Wake           time.Time     // when to look at unfinished lines, zero for never
	Lost           func(s *Queue, err error)
	Emptied        func() // a queue has room again
	loop           *loop.Loop
	scratch        []byte
}

// wakeAt has somebody look at unfinished lines no later than t.
func (o *Relay) wakeAt(t time.Time) {
	if o.Wake.IsZero() || t.Before(o.Wake) {
		o.Wake = t
	}
}

// Expire looks at the unfinished lines of streams, of which ranks may have paused.
func (o *Relay) Expire(now time.Time, streams func(func(*Stream) bool)) {
	if o.Wake.IsZero() || now.Before(o.Wake) {
		return
	}
	o.Wake = time.Time{}
	o.Stdout.display.expire(now)
	o.Stderr.display.expire(now)
	for s := range streams {
		if again := s.showIdle(now); !again.IsZero() {
			o.wakeAt(again)
		}
	}
}

// Finish passes on what ranks have written that are gone. First come all lines that have an end.
func Finish(streams func(func(*Stream) bool)) {
	for s := range streams {
		s.Drain()
		s.close()
	}
	for s := range streams {
		s.ShowPartial()
	}
}

// Say shows lines of the launcher's own on standard error.
func (o *Relay) Say(text string) { o.show(o.Stderr, text) }

// Print shows lines of the launcher's own on standard output.
func (o *Relay) Print(text string) { o.show(o.Stdout, text) }

func (o *Relay) show(to *Queue, text string) {
	(&Stream{relay: o, Queue: to, Fd: -1}).emit([]byte(text))
}

// display is the place where output ends up. Standard output and standard error share one when they are the
// same file, as they are on a terminal.
type display struct {
	open    *Stream   // the stream whose unfinished line stands last on it, nil after a newline
	until   time.Time // others wait for the end of that line until then; zero when they wait no longer
	waiting []*Stream // those that do
}

// Stream is one output of one rank on its way to a queue.
type Stream struct {
	relay *Relay
	Fd    int // our end of the pipe, -1 when it is closed or on another host
	Queue *Queue
	label string // text ahead of each line
	timed bool   // the time stands ahead of that
	// of a rank on another host, whose output comes by frames: has it be read no more, or again; else nil
	Hold func(on bool)
	// takes what the rank has written in place of the queue, such as a proxy's launcher; nothing at its end.
	// Else nil
	Forward func(text []byte)
	partial []byte    // the unfinished line, as far as it has not been shown; all text while the stream waits
	grown   time.Time // when partial last grew
	shown   bool      // the beginning of the current line has been shown
	long    bool      // the current line is passed on as it comes
	waiting bool      // for the end of another stream's line
	stopped bool      // it is not read while it waits
	held    bool      // a proxy has been told not to read it
	Ended   bool      // the rank has closed it
}

// Take passes bytes on that the rank has written, up to the last newline among them.
func (s *Stream) Take(data []byte) {
	if s.Forward != nil {
		s.Forward(data)
		return
	}
	now := time.Now()
	s.relay.Heard = now
	if s.mustWait() {
		s.partial = append(s.partial, data...)
		return
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	if end > 0 {
		s.emit(data[:end])
		data = data[end:]
	}
	if len(data) > 0 {
		s.partial = append(s.partial, data...)
		if s.long = s.long || len(s.partial) > longestLine || s.shown && len(s.partial) > longPiece; s.long {
			s.ShowPartial()
			return
		}
		if !s.Queue.file {
			s.grown = now
			s.relay.wakeAt(s.grown.Add(idleFlush))
		}
	}
}

// mustWait reports whether another stream's unfinished line still has time to end, and enters s among those
// who wait. What waits is bounded: a stream with much to say is not read meanwhile. The clock is not asked
// here: where the launcher itself comes late, the line's own stream is read before its time is over.
func (s *Stream) mustWait() bool {
	d := s.Queue.display
	if d.open == nil || d.open == s || d.until.IsZero() {
		return false
	}
	if !s.waiting {
		s.waiting = true
		d.waiting = append(d.waiting, s)
		s.relay.wakeAt(d.until)
	}
	if len(s.partial) > queueHigh && s.open() && !s.stopped {
		s.stopped = true
		s.Queue.Leave(s)
		s.Pause()
	}
	return true
}

// release lets those go on who waited for a line to end.
func (d *display) release() {
	waiting := d.waiting
	d.waiting = nil
	for _, s := range waiting {
		text := s.partial
		s.partial, s.waiting = nil, false
		if s.Take(text); s.stopped && !s.waiting {
			s.stopped = false
			s.Queue.Join(s)
		}
		if s.Ended && !s.waiting {
			s.ShowPartial()
		}
	}
}

// expire releases those who wait when the line has not ended in time.
func (d *display) expire(now time.Time) {
	if d.open != nil && len(d.open.Queue.queue) > 0 {
		d.until = now.Add(d.open.hold())
	}
	if !now.Before(d.until) {
		d.until = time.Time{}
		d.release()
	} else if len(d.waiting) > 0 {
		d.waiting[0].relay.wakeAt(d.until)
	}
}

// hold is how long others wait for the end of the line that is shown in part.
func (s *Stream) hold() time.Duration {
	if s.long {
		return holdLong
	}
	return holdOthers
}

// caughtUp gives the unfinished line its time anew, since its rank can go on only now.
func (d *display) caughtUp() {
	if d.open != nil {
		d.until = time.Now().Add(d.open.hold())
	}
}

// emit writes text that ends with a newline, after the unfinished line that it completes.
func (s *Stream) emit(text []byte) {
	s.takeTurn()
	if s.label == "" && !s.timed {
		if len(s.partial) > 0 {
			s.Queue.Write(s.partial)
		}
		s.Queue.Write(text)
	} else {
		out := append(make([]byte, 0, len(s.partial)+len(text)+len(text)/8+64), s.openLabel()...)
		out = append(out, s.partial...)
		for first := true; len(text) > 0; first = false {
			if !first {
				out = append(out, s.prefix()...)
			}
			n := bytes.IndexByte(text, '\n') + 1
			out = append(out, text[:n]...)
			text = text[n:]
		}
		s.Queue.Write(out)
	}
	s.partial = s.partial[:0]
	s.shown, s.long = false, false
	s.Queue.display.open = nil
	s.Queue.display.release()
}

// ShowPartial shows the unfinished line as it is, even if another stands open.
func (s *Stream) ShowPartial() {
	if s.waiting {
		s.Queue.display.until = time.Time{} // this cannot wait any longer
		s.Queue.display.release()
	}
	if len(s.partial) == 0 {
		return
	}
	s.takeTurn()
	s.Queue.Write(append([]byte(s.openLabel()), s.partial...))
	s.partial = s.partial[:0]
	s.shown = true
	if d := s.Queue.display; d.open != s || s.long {
		d.open, d.until = s, time.Now().Add(s.hold())
	}
}

// takeTurn ends another stream's unfinished line, if one stands last on the display.
func (s *Stream) takeTurn() {
	d := s.Queue.display
	if d.open != nil && d.open != s {
		s.Queue.Write([]byte{'\n'})
		d.open.shown, d.open.long = false, false
		d.open = nil
	}
}

// openLabel is the label when the current line has not begun yet.
func (s *Stream) openLabel() string {
	if s.shown {
		return ""
	}
	return s.prefix()
}

// prefix is what stands ahead of a line that begins now.
func (s *Stream) prefix() string {
	if !s.timed {
		return s.label
	}
	return s.relay.Heard.Format(time.ANSIC) + s.label
}

// showIdle shows the unfinished line of a stream whose rank has paused, and returns when to look again (zero
// for never).
func (s *Stream) showIdle(now time.Time) time.Time {
	if len(s.partial) == 0 || s.Queue.file || s.waiting {
		return time.Time{}
	}
	due, late := s.relay.Heard.Add(idleFlush), s.grown.Add(busyFlush)
	if late.Before(due) {
		due = late
	}
	if due.After(now) {
		return due
	}
	if s.mustWait() {
		return time.Time{} // it goes on when the other's line has ended
	}
	s.ShowPartial()
	return time.Time{}
}
