package shmem

import (
	"sync/atomic"

	"gompi/runtime/transport"
	"gompi/shm"
)

// Read implements transport.Provider. Whether a peer can be read is found out at the first need, by reading a word
// whose value the peer has published: a container or the kernel may deny it, and a process id may mean another
// process here. Should a later read fail although the probe passed, the data can still come in packets.
func (p *Provider) Read(peer int, dst, src uintptr, n int64) error {
	pid, ok := p.Reach(peer)
	if !ok || shm.ReadProcess(pid, dst, src, n) != nil {
		return transport.ErrNoRead
	}
	return nil
}

// AllowReaders lets a process and its descendants copy from and to the memory of this one, instead of the one named before,
// unless single copy is off. Processes of other jobs that are no descendants of it get the data in packets where the kernel
// asks for more than the same user.
func (p *Provider) AllowReaders(pid int) {
	if !p.noRead {
		shm.AllowReaders(pid)
	}
}

// Write implements transport.Provider.
func (p *Provider) Write(peer int, dst, src uintptr, n int64) error {
	pid, ok := p.Reach(peer)
	if !ok || shm.WriteProcess(pid, dst, src, n) != nil {
		return transport.ErrNoRead
	}
	return nil
}

// Reach implements transport.Provider. What the kernel lets this process read it lets it write as well.
func (p *Provider) Reach(peer int) (pid int, ok bool) {
	if p.noRead {
		return 0, false
	}
	w := &p.ways[peer]
	if w.far {
		return 0, false
	}
	block := w.block()
	pid = int(atomic.LoadUint32(shm.Word32(block + shm.RankPid)))
	if p.readable[peer] == 0 && pid != 0 {
		p.readable[peer] = p.tryRead(block, pid)
	}
	return pid, p.readable[peer] > 0
}

func (p *Provider) tryRead(block uintptr, pid int) int8 {
	word := new([1]uint64)
	at := uintptr(atomic.LoadUint64(shm.Word64(block + shm.RankProbe)))
	if shm.ReadProcess(pid, shm.AddressOf(&word[0]), at, 8) != nil || word[0] != atomic.LoadUint64(shm.Word64(block+shm.RankProbeVal)) {
		return -1
	}
	return 1
}
