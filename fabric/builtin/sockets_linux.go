package builtin

import (
	"sync/atomic"

	"golang.org/x/sys/unix"

	"gompi/shm"
)

// sockets is what the kernel keeps for an endpoint. Its watcher is a goroutine that waits, once per arm, for
// what an endpoint would look at, and rings the bell.
type sockets struct {
	listener int
	watched  int // epoll: the listener, all incoming connections, and outgoing ones that wait for room
	armed    int // epoll: watched, once per arm, and ended
	ended    int // eventfd: the watcher shall end
	closed   atomic.Bool
	gone     chan struct{} // closed when it has; nil where there is no bell
	events   [16]unix.EpollEvent
}

// listening is the number of the listener among what is watched. Incoming connections have numbers from 0 on,
// and outgoing ones those below that of the listener.
const listening = -1

// numberOf is the number of the connection to a peer, and peerOf the peer.
func numberOf(peer int) int { return listening - 1 - peer }
func peerOf(number int) int { return listening - 1 - number }

// open opens the listener at an address, and puts into it what the kernel has chosen.
func (s *sockets) open(at *address, bell *uint32) (err error) {
	s.listener, s.watched, s.armed, s.ended = -1, -1, -1, -1
	defer func() {
		if err != nil {
			s.closeAll()
		}
	}()
	family, sa := at.socket()
	if s.listener, err = kept(unix.Socket(family, flags, 0)); err != nil {
		return err
	}
	if err = unix.Bind(s.listener, sa); err != nil {
		return err
	}
	if err = unix.Listen(s.listener, unix.SOMAXCONN); err != nil {
		return err
	}
	if family != unix.AF_UNIX {
		if at.at, err = ownAddress(s.listener); err != nil {
			return err
		}
	}
	if s.watched, err = kept(unix.EpollCreate1(unix.EPOLL_CLOEXEC)); err != nil {
		return err
	}
	if err = s.watch(s.listener, listening); err != nil || bell == nil {
		return err
	}
	return s.startWatcher(shm.BellAt(bell))
}

const flags = unix.SOCK_STREAM | unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK

// kept is a new descriptor that the endpoint keeps.
func kept(fd int, err error) (int, error) {
	if err != nil {
		return -1, err
	}
	return shm.MoveUp(fd), nil
}

// watch has ready tell under a number when there is something to read.
func (s *sockets) watch(fd, number int) error {
	return unix.EpollCtl(s.watched, unix.EPOLL_CTL_ADD, fd,
		&unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(number)})
}

// watchRoom has ready tell, or not any more, when there is room for messages to a peer.
func (s *sockets) watchRoom(fd, peer int, on bool) {
	do := unix.EPOLL_CTL_DEL
	if on {
		do = unix.EPOLL_CTL_ADD
	}
	unix.EpollCtl(s.watched, do, fd, &unix.EpollEvent{Events: unix.EPOLLOUT, Fd: int32(numberOf(peer))})
}

// ready are the sockets at which there is something to do. The slice is good until the next call.
func (s *sockets) ready() []unix.EpollEvent {
	n, err := unix.EpollWait(s.watched, s.events[:], 0)
	if err != nil {
		return nil
	}
	return s.events[:n]
}

// forget closes a socket that was watched.
func (s *sockets) forget(fd int) {
	if fd >= 0 {
		unix.EpollCtl(s.watched, unix.EPOLL_CTL_DEL, fd, nil) // a child of this process may have it, too
		unix.Close(fd)
	}
}

func (s *sockets) startWatcher(bell shm.Bell) (err error) {
	if s.armed, err = kept(unix.EpollCreate1(unix.EPOLL_CLOEXEC)); err != nil {
		return err
	}
	if s.ended, err = kept(unix.Eventfd(0, unix.EFD_CLOEXEC)); err != nil {
		return err
	}
	end := unix.EpollEvent{Events: unix.EPOLLIN}
	once := unix.EpollEvent{Events: unix.EPOLLONESHOT}
	if err = unix.EpollCtl(s.armed, unix.EPOLL_CTL_ADD, s.ended, &end); err != nil {
		return err
	}
	if err = unix.EpollCtl(s.armed, unix.EPOLL_CTL_ADD, s.watched, &once); err != nil {
		return err
	}
	s.gone = make(chan struct{})
	go s.watcher(bell)
	return nil
}

// arm has the watcher ring as soon as there is something to look at, once. It reports whether there is one.
func (s *sockets) arm() bool {
	once := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLONESHOT}
	return s.gone != nil && unix.EpollCtl(s.armed, unix.EPOLL_CTL_MOD, s.watched, &once) == nil
}

func (s *sockets) watcher(bell shm.Bell) {
	defer close(s.gone)
	var events [2]unix.EpollEvent
	for {
		n, err := unix.EpollWait(s.armed, events[:], -1)
		switch {
		case s.closed.Load():
			return
		case n > 0:
			bell.Wake()
		case err != unix.EINTR:
			return
		}
	}
}

// close ends the watcher and closes what is no connection.
func (s *sockets) close() {
	if s.closed.Store(true); s.gone != nil {
		unix.Write(s.ended, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-s.gone
	}
	s.closeAll()
}

func (s *sockets) closeAll() {
	for _, fd := range [...]int{s.listener, s.watched, s.armed, s.ended} {
		closeSocket(fd)
	}
}

func closeSocket(fd int) {
	if fd >= 0 {
		unix.Close(fd)
	}
}

// dial begins a connection to an endpoint. What is sent before it is there is refused for now.
func dial(to *address) (fd int, err error) {
	family, sa := to.socket()
	if fd, err = unix.Socket(family, flags, 0); err != nil {
		return -1, err
	}
	if family != unix.AF_UNIX {
		unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	}
	err = unix.Connect(fd, sa)
	for err == unix.EINTR {
		err = unix.Connect(fd, sa)
	}
	switch {
	case err == unix.EINPROGRESS, err == unix.EALREADY, err == unix.EISCONN:
		err = nil
	case err == nil && family == unix.AF_UNIX && !shm.SameUser(fd):
		err = unix.EACCES
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return shm.MoveUp(fd), nil
}

// writable reports whether a connection is there, or has failed.
func writable(fd int) bool {
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(poll, 0)
	return err == nil && n > 0
}

// next is the next connection that was made to the listener, -1 when there is none. Over a unix socket it has
// to be one of this user's processes.
func (s *sockets) next() (fd int) {
	for {
		fd, from, err := unix.Accept4(s.listener, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		_, local := from.(*unix.SockaddrUnix)
		switch {
		case err == unix.EINTR, err == unix.ECONNABORTED:
		case err != nil:
			return -1
		case !local || shm.SameUser(fd):
			return shm.MoveUp(fd)
		default:
			unix.Close(fd)
		}
	}
}

// readSocket reads what has come, and reports whether more may follow.
func readSocket(fd int, b []byte) (n int, open bool) {
	for {
		n, err := unix.Read(fd, b)
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return 0, true
		case err != nil:
			return 0, false
		default:
			return n, n > 0
		}
	}
}
