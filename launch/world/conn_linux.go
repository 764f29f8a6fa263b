package world

import (
	"gompi/launch/host"
	"gompi/launch/loop"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// Server is who serves the PMI sockets of ranks.
type Server struct {
	loop    *loop.Loop
	scratch []byte
	// serves one line; false when the rank does not follow the protocol
	answer func(r *Rank, line string) bool
	// ends the world of a rank that does not
	protocolError func(r *Rank, line string)
}

// NewServer makes one.
func NewServer(l *loop.Loop, scratch []byte, answer func(*Rank, string) bool,
	wrong func(*Rank, string)) *Server {
	return &Server{l, scratch, answer, wrong}
}

// conn is the launcher's end of a rank's PMI socket.
type conn struct {
	user   *Server
	rank   *Rank
	Fd     int // -1 once the rank has closed its end
	Lines  pmi.Lines
	Queue  []byte           // replies that the socket would not take yet
	Spawn  []pmi.SpawnBlock // of a spawn request that is not complete
	Inside bool             // the lines belong to the last of them
	waits  bool             // the loop tells us when the socket takes more
	Sender int              // process that wrote last, as the kernel says
	Muted  bool             // a proxy has answered already
}

// NewConn makes the launcher's end of a rank's PMI socket.
func NewConn(u *Server, r *Rank, fd int) *conn {
	unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PASSCRED, 1)
	return &conn{user: u, rank: r, Fd: fd}
}

func (c *conn) Ready(events uint32) {
	if events&unix.EPOLLOUT != 0 {
		c.Flush()
	}
	if events&(unix.EPOLLIN|unix.EPOLLHUP|unix.EPOLLERR|unix.EPOLLRDHUP) != 0 {
		c.Receive()
	}
}

// Receive serves everything that has arrived.
func (c *conn) Receive() {
	for c.Fd >= 0 {
		var creds [64]byte
		n, ncreds, _, _, err := unix.Recvmsg(c.Fd, c.user.scratch[:4096], creds[:],
			unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			return
		}
		if err != nil || n <= 0 {
			c.Close()
			return
		}
		c.Sender = senderPid(creds[:ncreds])
		c.Lines.Feed(c.user.scratch[:n])
		for c.Fd >= 0 {
			line, ok, err := c.Lines.Next()
			if err == nil && !ok {
				break
			}
			if err != nil || !c.user.answer(c.rank, line) {
				c.user.protocolError(c.rank, line)
				c.Close()
			}
		}
		if n < 4096 {
			return
		}
	}
}

// senderPid is the process that wrote a message, 0 when the kernel does not say.
func senderPid(control []byte) int {
	pid := 0
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0
	}
	for i := range messages {
		if cred, err := unix.ParseUnixCredentials(&messages[i]); err == nil {
			pid = int(cred.Pid)
		}
		if fds, err := unix.ParseUnixRights(&messages[i]); err == nil {
			for _, fd := range fds {
				unix.Close(fd) // nobody has any to send us
			}
		}
	}
	return pid
}

// Reply sends one line. A line that cannot be sent is dropped only when the rank is gone.
func (c *conn) Reply(cmd string, words ...string) {
	away := c.rank.Away() && !c.Muted
	if c.Fd < 0 && !away {
		return
	}
	m := pmi.New(cmd, words...)
	line, err := m.Append(nil)
	if err != nil {
		// Only a value that a client put can be too long for a reply line.
		m = pmi.New(cmd, "rc", "-1", "msg", "the_reply_does_not_fit_in_a_line")
		line, _ = m.Append(nil)
	}
	if away {
		c.rank.Node.Link().Send(c.rank.Frame(host.FrameReply, line))
		return
	}
	c.Queue = append(c.Queue, line...)
	c.Flush()
}

// Flush sends what is queued and asks the loop for another turn while the socket is full.
func (c *conn) Flush() {
	for c.Fd >= 0 && len(c.Queue) > 0 {
		n, err := unix.SendmsgN(c.Fd, c.Queue, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			if !c.waits {
				c.waits = c.user.loop.Watch(c.Fd, unix.EPOLLIN|unix.EPOLLOUT, c) == nil
			}
			return
		}
		if err != nil {
			break // the rank is gone; the loop hears of it by itself
		}
		c.Queue = c.Queue[n:]
	}
	c.Queue = nil
	if c.waits && c.Fd >= 0 {
		c.user.loop.Watch(c.Fd, unix.EPOLLIN, c)
		c.waits = false
	}
}

func (c *conn) Close() {
	if c.Fd >= 0 {
		c.user.loop.Forget(c.Fd)
		unix.Close(c.Fd)
		c.Fd = -1
	}
}
