package launch

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// A sink holds back its streams when more than queueHigh bytes wait for a slow reader, until queueLow are
// left.
const (
	queueHigh = 1 << 20
	queueLow  = 256 << 10
)

// sink is a descriptor of the launcher that output goes to. The launcher must go on serving its ranks when
// the reader does not read, and it may not switch the descriptor to non-blocking mode, which the shell and
// others share. So it writes only what is sure not to block, and queues the rest.
type sink struct {
	job     *job
	fd      int
	file    bool // a regular file: writing never blocks for long
	socket  bool
	tty     bool     // a terminal
	null    bool     // /dev/null: ranks may have it directly
	fast    int      // the same pipe, opened anew in non-blocking mode; -1 when there is none
	broken  bool     // the reader is gone
	waits   bool     // the loop tells us when there is room
	display *display // shared by sinks on one file
	dev     uint64
	ino     uint64
	queue   []byte
	held    []*stream // streams that are not read for now
	streams []*stream
}

func newSink(j *job, fd int) *sink {
	s := &sink{job: j, fd: fd, fast: -1, display: &display{}}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		s.broken = true
		return s
	}
	s.dev, s.ino = uint64(st.Dev), st.Ino
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.file = true
	case unix.S_IFSOCK:
		s.socket = true
	case unix.S_IFCHR:
		s.null = unix.Major(uint64(st.Rdev)) == 1 && unix.Minor(uint64(st.Rdev)) == 3
		if !s.null {
			_, err := unix.IoctlGetTermios(fd, unix.TCGETS)
			s.tty = err == nil
		}
	}
	return s
}

// joinDisplay lets two sinks on one file know of each other's unfinished lines.
func (s *sink) joinDisplay(other *sink) {
	if s.dev == other.dev && s.ino == other.ino {
		s.display = other.display
	}
}

// full reports whether streams should be held back.
func (s *sink) full() bool { return len(s.queue) > queueHigh }

// write passes text on as far as that does not block, and queues the rest.
func (s *sink) write(text []byte) {
	if s.broken {
		return
	}
	if len(s.queue) == 0 {
		text = text[s.attempt(text):]
	}
	if len(text) == 0 || s.broken {
		return
	}
	s.queue = append(s.queue, text...)
	if !s.waits {
		if err := s.job.loop.watch(s.fd, unix.EPOLLOUT, s); err != nil {
			s.writeBlocking() // not a kind of descriptor that can be waited for
			return
		}
		s.waits = true
	}
	if s.full() {
		for _, stream := range s.streams {
			stream.pause()
			s.held = append(s.held, stream)
		}
		s.streams = s.streams[:0]
	}
}

// ready continues with the queue when there is room.
func (s *sink) ready(uint32) {
	n := s.attempt(s.queue)
	s.queue = s.queue[n:]
	if s.broken {
		s.queue = nil
	}
	if len(s.queue) == 0 {
		s.queue = nil
		s.job.loop.forget(s.fd)
		s.waits = false
		s.display.caughtUp()
	}
	if len(s.queue) < queueLow && s.job.up != nil {
		s.job.up.readRelays()
	}
	if len(s.queue) < queueLow && len(s.held) > 0 {
		held := s.held
		s.held = nil
		for _, stream := range held {
			s.join(stream)
		}
	}
}

// join has the loop read a stream that goes here.
func (s *sink) join(stream *stream) {
	if stream.resume() {
		s.streams = append(s.streams, stream)
	}
}

// leave takes a closed stream out of the books.
func (s *sink) leave(gone *stream) {
	for i, stream := range s.streams {
		if stream == gone {
			s.streams = append(s.streams[:i], s.streams[i+1:]...)
			return
		}
	}
}

// attempt writes as much as is sure not to block and returns how much that was.
func (s *sink) attempt(text []byte) int {
	done := 0
	for done < len(text) {
		n, err := s.writeSome(text[done:])
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			break
		}
		if err != nil {
			s.fail(err)
			break
		}
		done += n
	}
	return done
}

// writeSome makes one write that does not block; EAGAIN when there is no room.
func (s *sink) writeSome(text []byte) (int, error) {
	switch {
	case s.file || s.null:
		return unix.Write(s.fd, text)
	case s.socket:
		return unix.SendmsgN(s.fd, text, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
	case len(text) > pipeAtom && s.reopen():
		return unix.Write(s.fast, text)
	}
	room := []unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(room, 0)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, unix.EAGAIN
	}
	// A pipe that polls writable has room for this much at least.
	return unix.Write(s.fd, text[:min(len(text), pipeAtom)])
}

// pipeAtom is PIPE_BUF: the bytes for which a writable pipe surely has room.
const pipeAtom = 4096

// reopen opens the same pipe or terminal once more, in a non-blocking mode of our own. Where that is not
// allowed, the slower way remains.
func (s *sink) reopen() bool {
	const notAllowed = -2
	if s.fast == -1 {
		fd, err := unix.Open("/proc/self/fd/"+strconv.Itoa(s.fd),
			unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
		if err != nil {
			fd = notAllowed
		}
		s.fast = fd
	}
	return s.fast >= 0
}

// writeBlocking writes the queue in the ordinary way.
func (s *sink) writeBlocking() {
	for len(s.queue) > 0 {
		n, err := unix.Write(s.fd, s.queue)
		if err == unix.EINTR || err == unix.EAGAIN {
			continue
		}
		if err != nil {
			s.fail(err)
			return
		}
		s.queue = s.queue[n:]
	}
}

// fail is called when nobody reads any more, or the file system is full.
func (s *sink) fail(err error) {
	s.broken = true
	s.queue = nil
	s.job.outputLost(s, err)
}
