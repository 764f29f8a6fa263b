package output

import "golang.org/x/sys/unix"

// readTurns bounds how often one stream is read before the others have their turn.
const readTurns = 4

// Ready implements loop.Handler.
func (s *Stream) Ready(uint32) {
	for range readTurns {
		if !s.read() || s.Queue.Full() {
			return
		}
	}
}

// read passes on one portion; false when there is none for now.
func (s *Stream) read() bool {
	for s.Fd >= 0 {
		n, err := unix.Read(s.Fd, s.relay.scratch)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			return false
		}
		if err != nil || n <= 0 {
			s.close()
			return false
		}
		s.Take(s.relay.scratch[:n])
		return n == len(s.relay.scratch)
	}
	return false
}

// open reports whether more may come.
func (s *Stream) open() bool { return !s.Ended && (s.Fd >= 0 || s.Hold != nil) }

// Pending passes on what has come, and reports whether more may come or still waits to be shown.
func (s *Stream) Pending() bool {
	if s.Fd >= 0 {
		s.Ready(0)
	}
	return s.open() || s.waiting
}

// Pause has the stream not be read.
func (s *Stream) Pause() {
	if s.Fd >= 0 {
		s.relay.loop.Forget(s.Fd)
	} else if s.open() && !s.held {
		s.held = true
		s.Hold(true)
	}
}

// resume has the stream be read; false when nothing more can come.
func (s *Stream) resume() bool {
	if s.Fd >= 0 {
		return s.relay.loop.Watch(s.Fd, unix.EPOLLIN, s) == nil
	}
	if s.held {
		s.held = false
		s.Hold(false)
	}
	return s.open()
}

// Drain passes on everything that the rank has written so far. It does not wait for the end of the stream: a
// process that the rank left behind may hold it open for ever.
func (s *Stream) Drain() {
	for s.Fd >= 0 {
		n, err := unix.Read(s.Fd, s.relay.scratch)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		s.Take(s.relay.scratch[:n])
	}
}

// close gives up the pipe. The last unfinished line shows, if need be when another's has ended.
func (s *Stream) close() {
	if s.Fd < 0 {
		return
	}
	s.relay.loop.Forget(s.Fd)
	unix.Close(s.Fd)
	s.Fd = -1
	if s.Forward != nil {
		s.Forward(nil)
	}
	s.End()
}

// End notes that nothing more comes.
func (s *Stream) End() {
	s.Ended = true
	s.Queue.Leave(s)
	if len(s.partial) > 0 && !s.mustWait() {
		s.ShowPartial()
	}
}
