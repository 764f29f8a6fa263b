package launch

import (
	"bytes"
	"time"
)

// Output is relayed in whole lines: a line of one rank is never cut by another's. The beginning of a line
// shows when nobody has written for a moment (idleFlush), so that a prompt appears, or when it has stood for
// long (busyFlush) while others went on writing. While it stands open the lines of others wait for its end,
// and go on with a newline in between when that does not come (holdOthers). A regular file gets lines only,
// since nobody sits there waiting for a prompt.
//
// A line of more than longestLine bytes is passed on as it comes, and so is one that has been shown in part
// and has grown by longPiece since: that is text, not a prompt or dots of progress. Others wait for its end
// as long as it grows, and are not read when they have much to say: their ranks wait in turn. A reader of the
// output that falls behind holds a line up as well, and others wait until it has caught up.
const (
	idleFlush   = 100 * time.Millisecond
	busyFlush   = time.Second
	holdOthers  = time.Second
	longestLine = 16 << 20 // bytes that are kept of a line before it is shown
	longPiece   = 32 << 10 // bytes that are kept of one whose beginning has been shown
)

// display is the place where output ends up. Standard output and standard error share one when they are the
// same file, as they are on a terminal.
type display struct {
	open    *stream   // the stream whose unfinished line stands last on it, nil after a newline
	until   time.Time // others wait for the end of that line until then; zero when they wait no longer
	waiting []*stream // those that do
}

// stream is one output of one rank on its way to a sink.
type stream struct {
	job     *job
	rank    *rank
	isErr   bool
	fd      int // our end of the pipe, -1 when it is closed or on another host
	sink    *sink
	label   string    // text ahead of each line
	timed   bool      // the time stands ahead of that
	partial []byte    // the unfinished line, as far as it has not been shown; all text while the stream waits
	grown   time.Time // when partial last grew
	shown   bool      // the beginning of the current line has been shown
	long    bool      // the current line is passed on as it comes
	waiting bool      // for the end of another stream's line
	stopped bool      // it is not read while it waits
	held    bool      // a proxy has been told not to read it
	ended   bool      // the rank has closed it
}

// take passes bytes on that the rank has written, up to the last newline among them.
func (s *stream) take(data []byte) {
	if s.job.up != nil {
		s.job.up.output(s, data)
		return
	}
	now := time.Now()
	s.job.heard = now
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
			s.showPartial()
			return
		}
		if !s.sink.file {
			s.grown = now
			s.job.wakeAt(s.grown.Add(idleFlush))
		}
	}
}

// mustWait reports whether another stream's unfinished line still has time to end, and enters s among those
// who wait. What waits is bounded: a stream with much to say is not read meanwhile. The clock is not asked
// here: where the launcher itself comes late, the line's own stream is read before its time is over.
func (s *stream) mustWait() bool {
	d := s.sink.display
	if d.open == nil || d.open == s || d.until.IsZero() {
		return false
	}
	if !s.waiting {
		s.waiting = true
		d.waiting = append(d.waiting, s)
		s.job.wakeAt(d.until)
	}
	if len(s.partial) > queueHigh && s.open() && !s.stopped {
		s.stopped = true
		s.sink.leave(s)
		s.pause()
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
		if s.take(text); s.stopped && !s.waiting {
			s.stopped = false
			s.sink.join(s)
		}
		if s.ended && !s.waiting {
			s.showPartial()
		}
	}
}

// expire releases those who wait when the line has not ended in time.
func (d *display) expire(now time.Time) {
	if d.open != nil && len(d.open.sink.queue) > 0 {
		d.until = now.Add(holdOthers)
	}
	if !now.Before(d.until) {
		d.until = time.Time{}
		d.release()
	} else if len(d.waiting) > 0 {
		d.waiting[0].job.wakeAt(d.until)
	}
}

// caughtUp gives the unfinished line its time anew, since its rank can go on only now.
func (d *display) caughtUp() {
	if d.open != nil {
		d.until = time.Now().Add(holdOthers)
	}
}

// emit writes text that ends with a newline, after the unfinished line that it completes.
func (s *stream) emit(text []byte) {
	s.takeTurn()
	if s.label == "" && !s.timed {
		if len(s.partial) > 0 {
			s.sink.write(s.partial)
		}
		s.sink.write(text)
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
		s.sink.write(out)
	}
	s.partial = s.partial[:0]
	s.shown, s.long = false, false
	s.sink.display.open = nil
	s.sink.display.release()
}

// showPartial shows the unfinished line as it is, even if another stands open.
func (s *stream) showPartial() {
	if s.waiting {
		s.sink.display.until = time.Time{} // this cannot wait any longer
		s.sink.display.release()
	}
	if len(s.partial) == 0 {
		return
	}
	s.takeTurn()
	s.sink.write(append([]byte(s.openLabel()), s.partial...))
	s.partial = s.partial[:0]
	s.shown = true
	if d := s.sink.display; d.open != s || s.long {
		d.open, d.until = s, time.Now().Add(holdOthers)
	}
}

// takeTurn ends another stream's unfinished line, if one stands last on the display.
func (s *stream) takeTurn() {
	d := s.sink.display
	if d.open != nil && d.open != s {
		s.sink.write([]byte{'\n'})
		d.open.shown, d.open.long = false, false
		d.open = nil
	}
}

// openLabel is the label when the current line has not begun yet.
func (s *stream) openLabel() string {
	if s.shown {
		return ""
	}
	return s.prefix()
}

// prefix is what stands ahead of a line that begins now.
func (s *stream) prefix() string {
	if !s.timed {
		return s.label
	}
	return s.job.heard.Format(time.ANSIC) + s.label
}

// showIdle shows the unfinished line of a stream whose rank has paused, and returns when to look again (zero
// for never).
func (s *stream) showIdle(now time.Time) time.Time {
	if len(s.partial) == 0 || s.sink.file || s.waiting {
		return time.Time{}
	}
	due, late := s.job.heard.Add(idleFlush), s.grown.Add(busyFlush)
	if late.Before(due) {
		due = late
	}
	if due.After(now) {
		return due
	}
	if s.mustWait() {
		return time.Time{} // it goes on when the other's line has ended
	}
	s.showPartial()
	return time.Time{}
}
