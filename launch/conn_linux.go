package launch

import (
	"gompi/launch/host"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// conn is the launcher's end of a rank's PMI socket.
type conn struct {
	job    *job
	rank   *rank
	fd     int // -1 once the rank has closed its end
	lines  pmi.Lines
	queue  []byte           // replies that the socket would not take yet
	spawn  []pmi.SpawnBlock // of a spawn request that is not complete
	inside bool             // the lines belong to the last of them
	waits  bool             // the loop tells us when the socket takes more
	sender int              // process that wrote last, as the kernel says
	muted  bool             // a proxy has answered already
}

// newConn makes the launcher's end of a rank's PMI socket.
func newConn(j *job, r *rank, fd int) *conn {
	unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PASSCRED, 1)
	return &conn{job: j, rank: r, fd: fd}
}

func (c *conn) Ready(events uint32) {
	if events&unix.EPOLLOUT != 0 {
		c.flush()
	}
	if events&(unix.EPOLLIN|unix.EPOLLHUP|unix.EPOLLERR|unix.EPOLLRDHUP) != 0 {
		c.receive()
	}
}

// receive serves everything that has arrived.
func (c *conn) receive() {
	for c.fd >= 0 {
		var creds [64]byte
		n, ncreds, _, _, err := unix.Recvmsg(c.fd, c.job.scratch[:4096], creds[:],
			unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			return
		}
		if err != nil || n <= 0 {
			c.close()
			return
		}
		c.sender = senderPid(creds[:ncreds])
		c.lines.Feed(c.job.scratch[:n])
		for c.fd >= 0 {
			line, ok, err := c.lines.Next()
			if err == nil && !ok {
				break
			}
			if err != nil || !c.job.answer(c.rank, line) {
				c.job.protocolError(c.rank, line)
				c.close()
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

// reply sends one line. A line that cannot be sent is dropped only when the rank is gone.
func (c *conn) reply(cmd string, words ...string) {
	away := c.rank.away() && !c.muted
	if c.fd < 0 && !away {
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
		c.rank.node.link().Send(c.rank.frame(host.FrameReply, line))
		return
	}
	c.queue = append(c.queue, line...)
	c.flush()
}

// flush sends what is queued and asks the loop for another turn while the socket is full.
func (c *conn) flush() {
	for c.fd >= 0 && len(c.queue) > 0 {
		n, err := unix.SendmsgN(c.fd, c.queue, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			if !c.waits {
				c.waits = c.job.loop.Watch(c.fd, unix.EPOLLIN|unix.EPOLLOUT, c) == nil
			}
			return
		}
		if err != nil {
			break // the rank is gone; the loop hears of it by itself
		}
		c.queue = c.queue[n:]
	}
	c.queue = nil
	if c.waits && c.fd >= 0 {
		c.job.loop.Watch(c.fd, unix.EPOLLIN, c)
		c.waits = false
	}
}

func (c *conn) close() {
	if c.fd >= 0 {
		c.job.loop.Forget(c.fd)
		unix.Close(c.fd)
		c.fd = -1
	}
}
