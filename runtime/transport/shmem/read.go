package shmem

import (
	"os"
	"sync/atomic"

	"gompi/runtime/transport"
	"gompi/shm"
)

// Read implements transport.Reader. Whether a peer can be read is found out at the first need, by reading a
// word whose value the peer has published: a container or the kernel may deny it, and a process id may mean
// another process here. Should a later read fail although the probe passed, the data can still come in
// packets.
func (p *Provider) Read(peer int, dst, src uintptr, n int64) error {
	process := p.Reach(peer)
	if process == nil {
		return transport.ErrNoRead
	}
	err := process.Read(dst, src, n)
	switch {
	case shm.Gone(err):
		return transport.ErrGone
	case err != nil:
		return transport.ErrNoRead
	}
	return nil
}

// AllowReaders lets a process and its descendants copy from and to the memory of this one, instead of the one
// named before, unless single copy is off. Processes of other jobs that are no descendants of it get the data
// in packets where the kernel asks for more than the same user.
func (p *Provider) AllowReaders(pid int) {
	if !p.noRead {
		shm.AllowReaders(pid)
	}
}

// Reach implements transport.Sharer. What the kernel lets this process read it lets it write as well.
func (p *Provider) Reach(peer int) *shm.Process {
	c := &p.connections[peer]
	if p.noRead || c.far {
		return nil
	}
	if p.readable[peer] == 0 {
		process := c.process()
		switch {
		case process.Pid == 0:
			return nil // not there yet
		case process.Answers():
			p.readable[peer], p.processes[peer] = 1, process
		default:
			p.readable[peer] = -1
		}
	}
	return p.processes[peer]
}

// process is what the peer has published of its process. This one is kept for as long as it asks; the
// launcher of another job waits for that job's ranks only.
func (c *connection) process() *shm.Process {
	block := c.block()
	pid := int(atomic.LoadUint32(shm.Word32(block + shm.RankPid)))
	return &shm.Process{
		Pid: pid,
		Kept: pid == os.Getpid() || c.seg == c.home &&
			atomic.LoadUint32(shm.Word32(block+shm.RankKept)) != 0,
		Probe: uintptr(atomic.LoadUint64(shm.Word64(block + shm.RankProbe))),
		Value: atomic.LoadUint64(shm.Word64(block + shm.RankProbeVal)),
	}
}
