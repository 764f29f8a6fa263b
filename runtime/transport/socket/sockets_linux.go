package socket

import (
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"gompi/shm"
)

// sockets is what the kernel keeps for a provider. Its watcher is a goroutine that waits for what can be read
// while a thread of the rank sleeps, once per Arm, and wakes the rank.
type sockets struct {
	listener int
	readable int // epoll: the listener and all incoming connections
	armed    int // epoll: readable, once per Arm, and ended
	ended    int // eventfd: the watcher shall end
	closed   atomic.Bool
	gone     chan struct{} // closed when it has
	poll     [1]unix.PollFd
	events   [16]unix.EpollEvent
	first, n int // events that were not looked at
}

// listening is the number of the listener among what can be read.
const listening = -1

// New makes the provider of one rank. Peers can connect from then on.
func New(c Config) (*Provider, error) {
	p := &Provider{c: c, outgoing: make([]*outgoing, c.Size), send: new(record), got: new(record), from: -1}
	p.dead.Store(-1)
	if err := p.sockets.open(name(c.Job, c.Rank)); err != nil {
		return nil, fmt.Errorf("no socket for packets between nodes: %w", err)
	}
	go p.sockets.watcher(c.Wake)
	return p, nil
}

// name is the name of a rank's socket. It is in no file system, so it goes with the process.
func name(job shm.JobID, rank int) *unix.SockaddrUnix {
	return &unix.SockaddrUnix{Name: "@gompi-" + hex.EncodeToString(job[:]) + "-" + strconv.Itoa(rank)}
}

const flags = unix.SOCK_SEQPACKET | unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK

func (s *sockets) open(own *unix.SockaddrUnix) (err error) {
	s.listener, s.readable, s.armed, s.ended = -1, -1, -1, -1
	defer func() {
		if err != nil {
			s.closeOwn()
		}
	}()
	if s.listener, err = kept(unix.Socket(unix.AF_UNIX, flags, 0)); err != nil {
		return err
	}
	if err = unix.Bind(s.listener, own); err != nil {
		return err
	}
	if err = unix.Listen(s.listener, unix.SOMAXCONN); err != nil {
		return err
	}
	if s.readable, err = kept(unix.EpollCreate1(unix.EPOLL_CLOEXEC)); err != nil {
		return err
	}
	if s.armed, err = kept(unix.EpollCreate1(unix.EPOLL_CLOEXEC)); err != nil {
		return err
	}
	if s.ended, err = kept(unix.Eventfd(0, unix.EFD_CLOEXEC)); err != nil {
		return err
	}
	s.gone = make(chan struct{})
	end := unix.EpollEvent{Events: unix.EPOLLIN}
	once := unix.EpollEvent{Events: unix.EPOLLONESHOT}
	if err = unix.EpollCtl(s.armed, unix.EPOLL_CTL_ADD, s.ended, &end); err != nil {
		return err
	}
	if err = unix.EpollCtl(s.armed, unix.EPOLL_CTL_ADD, s.readable, &once); err != nil {
		return err
	}
	return s.watch(s.listener, listening)
}

// kept is a new descriptor that the provider keeps.
func kept(fd int, err error) (int, error) { return shm.MoveUp(fd), err }

// watch has next tell when there is something to read, under a number.
func (s *sockets) watch(fd, number int) error {
	return unix.EpollCtl(s.readable, unix.EPOLL_CTL_ADD, fd,
		&unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(number)})
}

// next is the number of a socket that can be read, or has been closed since; ok is false when there is none.
func (s *sockets) next() (number int, ok bool) {
	if s.first == s.n {
		s.first = 0
		if s.n, _ = unix.EpollWait(s.readable, s.events[:], 0); s.n <= 0 {
			s.n = 0
			return 0, false
		}
	}
	number = int(s.events[s.first].Fd)
	s.first++
	return number, true
}

// arm has the watcher wake the rank as soon as there is something to read, once.
func (s *sockets) arm() {
	once := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLONESHOT}
	unix.EpollCtl(s.armed, unix.EPOLL_CTL_MOD, s.readable, &once)
}

func (s *sockets) watcher(wake func()) {
	defer close(s.gone)
	var events [2]unix.EpollEvent
	for {
		n, err := unix.EpollWait(s.armed, events[:], -1)
		switch {
		case s.closed.Load():
			return
		case n > 0:
			wake()
		case err != unix.EINTR:
			return
		}
	}
}

// stop ends the watcher and closes what is no connection.
func (s *sockets) stop() {
	s.closed.Store(true)
	unix.Write(s.ended, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	<-s.gone
	s.closeOwn()
}

func (s *sockets) closeOwn() {
	for _, fd := range [...]int{s.listener, s.readable, s.armed, s.ended} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
}

func (s *sockets) close(fd int) { unix.Close(fd) }

// connect makes a connection to a peer; -1 while it does not listen or has too many to accept. Nobody but
// this user's processes listens to what is sent.
func (s *sockets) connect(to *unix.SockaddrUnix) (fd int) {
	fd, err := unix.Socket(unix.AF_UNIX, flags, 0)
	if err != nil {
		return -1
	}
	if unix.Connect(fd, to) != nil || !ours(fd) {
		unix.Close(fd)
		return -1
	}
	return shm.MoveUp(fd)
}

// accept is the next connection that this user's processes have made; -1 when there is none.
func (s *sockets) accept() (fd int) {
	for {
		fd, _, err := unix.Accept4(s.listener, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return -1
		case ours(fd):
			return shm.MoveUp(fd)
		default:
			unix.Close(fd)
		}
	}
}

// ours reports whether the other end of a connection is a process of this user.
func ours(fd int) bool {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	return err == nil && int(cred.Uid) == os.Getuid()
}

// writable reports whether a socket takes a record now: the kernel says so when three quarters of its memory
// are free, and a record is smaller than that. One whose peer has gone takes whatever comes.
func (s *sockets) writable(fd int) bool {
	s.poll[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLOUT}
	n, err := unix.Poll(s.poll[:], 0)
	return err == nil && n > 0
}

// write sends a record on a socket that is writable, and reports whether the peer is there. The kernel may be
// short of memory for a moment.
func write(fd int, b []byte) bool {
	for {
		err := unix.Send(fd, b, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
		switch err {
		case nil:
			return true
		case unix.EINTR:
		case unix.EAGAIN, unix.ENOBUFS, unix.ENOMEM:
			time.Sleep(time.Millisecond)
		default:
			return false
		}
	}
}

// read takes a record: -1 when there is none, 0 when the peer has gone. That it has not read all that was
// sent to it comes before what it has sent.
func read(fd int, b []byte) int {
	for {
		n, err := unix.Read(fd, b)
		switch err {
		case nil:
			return n
		case unix.EINTR, unix.ECONNRESET:
		default:
			return -1
		}
	}
}

// saidBye reports whether the peer at the other end of an outgoing connection has left as it should.
func saidBye(fd int) bool {
	var b [byeSize + 1]byte
	return read(fd, b[:]) == byeSize
}
