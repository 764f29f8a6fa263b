package launch

import (
	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// stdinRelay brings the launcher's standard input to a rank on another host. No more is read than one portion
// ahead of what the rank has taken.
type stdinRelay struct {
	job  *job
	rank *world.Rank
	done bool
}

// stdinPortion is a portion, in bytes.
const stdinPortion = 32 << 10

func newStdinRelay(j *job, r *world.Rank) *stdinRelay {
	f := &stdinRelay{job: j, rank: r}
	f.next()
	return f
}

// next waits for the next portion.
func (f *stdinRelay) next() {
	if f.done {
		return
	}
	if err := f.job.loop.Watch(0, unix.EPOLLIN, f); err != nil {
		f.Ready(0) // a file, which can be read at any time
	}
}

func (f *stdinRelay) Ready(uint32) {
	j := f.job
	j.loop.Forget(0)
	var n int
	for {
		var err error
		if n, err = unix.Read(0, j.scratch[:stdinPortion]); err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			f.next()
			return
		}
		if err != nil {
			n = 0
		}
		break
	}
	n = max(n, 0)
	f.done = n == 0
	f.rank.Node.Link().Send(f.rank.Frame(host.FrameInput, j.scratch[:n]))
}

// taken goes on when the rank has taken a portion. With over it reads no more.
func (f *stdinRelay) taken(over bool) {
	f.done = f.done || over || f.rank.Exited
	f.next()
}

// inlet is a proxy's end of the pipe that is the standard input of a rank.
type inlet struct {
	job   *job
	fd    int // -1 when it is closed
	queue []byte
}

// input is what a rank has as its standard input, and what to call once it has started.
func (j *job) input(r *world.Rank) (fd int, done func(), err error) {
	if j.up == nil {
		return 0, func() {}, nil
	}
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		return 0, nil, process.TooMany("a pipe", err)
	}
	unix.SetNonblock(pipe[1], true)
	j.up.inlet = &inlet{job: j, fd: pipe[1]}
	return pipe[0], func() { unix.Close(pipe[0]) }, nil
}

// take passes a portion on; an empty one is the end.
func (i *inlet) take(text []byte) {
	i.queue = append(i.queue, text...)
	if len(text) == 0 {
		i.close()
		return
	}
	i.Ready(0)
}

func (i *inlet) Ready(uint32) {
	for i.fd >= 0 && len(i.queue) > 0 {
		n, err := unix.Write(i.fd, i.queue)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			if i.job.loop.Watch(i.fd, unix.EPOLLOUT, i) == nil {
				return
			}
		}
		if err != nil {
			i.close() // nobody reads
			break
		}
		i.queue = i.queue[n:]
	}
	if i.fd >= 0 {
		i.job.loop.Forget(i.fd)
	}
	i.job.up.send(&host.Frame{Kind: host.FrameTaken, Flag: i.fd < 0})
}

func (i *inlet) close() {
	if i.fd >= 0 {
		i.job.loop.Forget(i.fd)
		unix.Close(i.fd)
		i.fd = -1
	}
}
