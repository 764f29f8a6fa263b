package launch

import "golang.org/x/sys/unix"

// readTurns bounds how often one stream is read before the others have their turn.
const readTurns = 4

func (s *stream) ready(uint32) {
	for range readTurns {
		if !s.read() || s.sink.full() {
			return
		}
	}
}

// read passes on one portion; false when there is none for now.
func (s *stream) read() bool {
	for s.fd >= 0 {
		n, err := unix.Read(s.fd, s.job.scratch)
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
		s.take(s.job.scratch[:n])
		return n == len(s.job.scratch)
	}
	return false
}

// open reports whether more may come.
func (s *stream) open() bool { return !s.ended && (s.fd >= 0 || s.rank.away()) }

// pause has the stream not be read.
func (s *stream) pause() {
	if s.fd >= 0 {
		s.job.loop.forget(s.fd)
	} else if s.open() && !s.held {
		s.held = true
		s.rank.node.link().send(s.frame(frameHold, nil))
	}
}

// resume has the stream be read; false when nothing more can come.
func (s *stream) resume() bool {
	if s.fd >= 0 {
		return s.job.loop.watch(s.fd, unix.EPOLLIN, s) == nil
	}
	if s.held {
		s.held = false
		s.rank.node.link().send(s.frame(frameResume, nil))
	}
	return s.open()
}

// drain passes on everything that the rank has written so far. It does not wait for the end of the stream: a
// process that the rank left behind may hold it open for ever.
func (s *stream) drain() {
	for s.fd >= 0 {
		n, err := unix.Read(s.fd, s.job.scratch)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		s.take(s.job.scratch[:n])
	}
}

// close gives up the pipe. The last unfinished line shows, if need be when another's has ended.
func (s *stream) close() {
	if s.fd < 0 {
		return
	}
	s.job.loop.forget(s.fd)
	unix.Close(s.fd)
	s.fd = -1
	if s.job.up != nil {
		s.job.up.send(s.frame(frameClosed, nil))
	}
	s.end()
}

// end notes that nothing more comes.
func (s *stream) end() {
	s.ended = true
	s.sink.leave(s)
	if len(s.partial) > 0 && !s.mustWait() {
		s.showPartial()
	}
}
