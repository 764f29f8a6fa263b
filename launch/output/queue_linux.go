package output

import (
	"strconv"
	"time"

	"gompi/launch/loop"

	"golang.org/x/sys/unix"
)

// A queue holds back its streams when more than queueHigh bytes wait for a slow reader, until queueLow are
// left.
const (
	queueHigh = 1 << 20
	queueLow  = 256 << 10
)

// Queue is a descriptor of the launcher that output goes to. The launcher must go on serving its ranks when
// the reader does not read, and it may not switch the descriptor to non-blocking mode, which the shell and
// others share. So it writes only what is sure not to block, and queues the rest.
type Queue struct {
	relay   *Relay
	Fd      int
	file    bool // a regular file: writing never blocks for long
	socket  bool
	tty     bool     // a terminal
	Null    bool     // /dev/null: ranks may have it directly
	fast    int      // the same pipe, opened anew in non-blocking mode; -1 when there is none
	broken  bool     // the reader is gone
	waits   bool     // the loop tells us when there is room
	display *display // shared by queues on one file
	dev     uint64
	ino     uint64
	queue   []byte
	held    []*Stream // streams that are not read for now
	streams []*Stream
}

// NewQueue makes what writes to a descriptor.
func NewQueue(o *Relay, fd int) *Queue {
	s := &Queue{relay: o, Fd: fd, fast: -1, display: &display{}}
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
		s.Null = unix.Major(uint64(st.Rdev)) == 1 && unix.Minor(uint64(st.Rdev)) == 3
		if !s.Null {
			_, err := unix.IoctlGetTermios(fd, unix.TCGETS)
			s.tty = err == nil
		}
	}
	return s
}

// Open makes the relay of standard output and standard error, by two descriptors.
func Open(l *loop.Loop, scratch []byte, stdout, stderr int) *Relay {
	o := &Relay{loop: l, scratch: scratch}
	o.Stdout, o.Stderr = NewQueue(o, stdout), NewQueue(o, stderr)
	o.Stderr.joinDisplay(o.Stdout)
	if o.Stdout.tty {
		var err error
		if o.Window, err = unix.IoctlGetWinsize(stdout, unix.TIOCGWINSZ); err != nil {
			o.Window = &unix.Winsize{}
		}
	}
	return o
}

// Stream makes what relays an output of a rank to a queue. fd is our end of it, -1 for a rank on another
// host;
// label stands ahead of each line, and with timed the time ahead of that.
func (s *Queue) Stream(fd int, label string, timed bool) *Stream {
	return &Stream{relay: s.relay, Fd: fd, Queue: s, label: label, timed: timed}
}

// Queued reports whether some output waits for its reader.
func (o *Relay) Queued() bool { return len(o.Stdout.queue) > 0 || len(o.Stderr.queue) > 0 }

// Flush waits until the readers have taken all output, or are gone, as long as that is wanted.
func (o *Relay) Flush(wanted func() bool) {
	const tick = 10 * time.Second
	for o.Queued() && wanted() {
		if o.loop.Wait(time.Now().Add(tick)) != nil {
			return
		}
	}
}

// ReaderGone reports whether nobody reads the queue any more.
func (s *Queue) ReaderGone() bool {
	if s.broken {
		return true
	}
	room := []unix.PollFd{{Fd: int32(s.Fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(room, 0)
	return err == nil && n == 1 && room[0].Revents&unix.POLLERR != 0
}

// joinDisplay lets two queues on one file know of each other's unfinished lines.
func (s *Queue) joinDisplay(other *Queue) {
	if s.dev == other.dev && s.ino == other.ino {
		s.display = other.display
	}
}

// Full reports whether streams should be held back.
func (s *Queue) Full() bool { return len(s.queue) > queueHigh }

// Write passes text on as far as that does not block, and queues the rest.
func (s *Queue) Write(text []byte) {
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
		if err := s.relay.loop.Watch(s.Fd, unix.EPOLLOUT, s); err != nil {
			s.writeBlocking() // not a kind of descriptor that can be waited for
			return
		}
		s.waits = true
	}
	if s.Full() {
		for _, stream := range s.streams {
			stream.Pause()
			s.held = append(s.held, stream)
		}
		s.streams = s.streams[:0]
	}
}

// Ready continues with the queue when there is room.
func (s *Queue) Ready(uint32) {
	n := s.attempt(s.queue)
	s.queue = s.queue[n:]
	if s.broken {
		s.queue = nil
	}
	if len(s.queue) == 0 {
		s.queue = nil
		s.relay.loop.Forget(s.Fd)
		s.waits = false
		s.display.caughtUp()
	}
	if len(s.queue) < queueLow && s.relay.Emptied != nil {
		s.relay.Emptied()
	}
	if len(s.queue) < queueLow && len(s.held) > 0 {
		held := s.held
		s.held = nil
		for _, stream := range held {
			s.Join(stream)
		}
	}
}

// Join has the loop read a stream that goes here.
func (s *Queue) Join(stream *Stream) {
	if stream.resume() {
		s.streams = append(s.streams, stream)
	}
}

// Leave takes a closed stream out of the books.
func (s *Queue) Leave(gone *Stream) {
	for i, stream := range s.streams {
		if stream == gone {
			s.streams = append(s.streams[:i], s.streams[i+1:]...)
			return
		}
	}
}

// attempt writes as much as is sure not to block and returns how much that was.
func (s *Queue) attempt(text []byte) int {
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
func (s *Queue) writeSome(text []byte) (int, error) {
	switch {
	case s.file || s.Null:
		return unix.Write(s.Fd, text)
	case s.socket:
		return unix.SendmsgN(s.Fd, text, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
	case len(text) > pipeAtom && s.reopen():
		return unix.Write(s.fast, text)
	}
	room := []unix.PollFd{{Fd: int32(s.Fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(room, 0)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, unix.EAGAIN
	}
	// A pipe that polls writable has room for this much at least.
	return unix.Write(s.Fd, text[:min(len(text), pipeAtom)])
}

// pipeAtom is PIPE_BUF: the bytes for which a writable pipe surely has room.
const pipeAtom = 4096

// reopen opens the same pipe or terminal once more, in a non-blocking mode of our own. Where that is not
// allowed, the slower way remains.
func (s *Queue) reopen() bool {
	const notAllowed = -2
	if s.fast == -1 {
		fd, err := unix.Open("/proc/self/fd/"+strconv.Itoa(s.Fd),
			unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
		if err != nil {
			fd = notAllowed
		}
		s.fast = fd
	}
	return s.fast >= 0
}

// writeBlocking writes the queue in the ordinary way.
func (s *Queue) writeBlocking() {
	for len(s.queue) > 0 {
		n, err := unix.Write(s.Fd, s.queue)
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
func (s *Queue) fail(err error) {
	s.broken = true
	s.queue = nil
	s.relay.Lost(s, err)
}
