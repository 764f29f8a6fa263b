package am

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Runs are the stretches of a target's memory that one message is about. Of memory in one run there is one,
// at the address that the header names. Otherwise the runs stand in front of the data, with 16 bytes each:
// where they begin and how many bytes they have.

const (
	runSize = fast.PacketRun
	maxRuns = 256 // in one message
)

// collectRuns collects the runs of the bytes [at, at+n) of the data of a buffer, and returns of how many
// bytes: no more than most, a multiple of unit, and with their list no more than room. Nil runs stand for one
// run that begins at first.
func collectRuns(list []shm.Piece, b *datatype.Buffer, at, n, most, room, unit int64) (all []shm.Piece,
	first uint64, k int64) {
	if n = min(n, most/unit*unit); b.Contiguous() {
		return nil, uint64(b.Start()) + uint64(at), n
	}
	base := uint64(b.Addr)
	b.Type.Runs(at, n, func(off, size int64) bool {
		room -= runSize
		size = min(size, room)
		list = append(list, shm.Piece{Addr: uintptr(base + uint64(off)), Size: uint64(size)})
		k, room = k+size, room-size
		return len(list) < maxRuns && room > runSize
	})
	for extra := k % unit; extra > 0; {
		last := &list[len(list)-1]
		cut := min(extra, int64(last.Size))
		if last.Size -= uint64(cut); last.Size == 0 {
			list = list[:len(list)-1]
		}
		extra, k = extra-cut, k-cut
	}
	return list, 0, k
}

// writeRuns writes a list of runs to where a body begins, and returns its size.
func writeRuns(list []shm.Piece, body uintptr) uintptr {
	for i := range list {
		at := body + uintptr(i)*runSize
		*shm.Word64(at), *shm.Word64(at + 8) = uint64(list[i].Addr), list[i].Size
	}
	return uintptr(len(list)) * runSize
}

// readRuns reads the list of runs at the begin of a body of size bytes, and finds where the data begins. It
// is false when the body is too short. Each word is read once, as a near origin can write to it.
func (m *Message) readRuns(body uintptr, size int64) bool {
	m.Memory, m.Data = m.Memory[:0], body
	if m.Runs == 0 {
		m.Memory = append(m.Memory, shm.Piece{Addr: uintptr(m.Addr), Size: m.Bytes})
		return true
	}
	if m.Runs > maxRuns || int64(m.Runs)*runSize > size {
		return false
	}
	for range m.Runs {
		p := shm.Piece{Addr: uintptr(*shm.Word64(m.Data)), Size: *shm.Word64(m.Data + 8)}
		m.Memory = append(m.Memory, p)
		m.Data += runSize
	}
	return true
}

// Whole reports whether the runs make as many bytes as the message says, once each is known to be less than
// the address space.
func (m *Message) Whole() bool { return total(m.Memory) == m.Bytes }

// total is the number of bytes of runs.
func total(list []shm.Piece) (n uint64) {
	for i := range list {
		n += list[i].Size
	}
	return n
}

// Missing is deferred by functions that touch memory of the program's: where that is not there, ok is false.
func Missing(ok *bool) {
	if p := recover(); p != nil {
		_ = datatype.Fault(p)
		*ok = false
	}
}

// Scatter copies n bytes to the runs that make as many; false when the memory is not there.
func Scatter(list []shm.Piece, from uintptr, n int64) (ok bool) {
	defer Missing(&ok)
	for i := range list {
		k := min(int64(list[i].Size), n)
		shm.Copy(list[i].Addr, from, k)
		from, n = from+uintptr(k), n-k
	}
	return true
}

// Gather copies the runs one behind the other; false when the memory is not there.
func Gather(list []shm.Piece, to uintptr) (ok bool) {
	defer Missing(&ok)
	for i := range list {
		shm.Copy(to, list[i].Addr, int64(list[i].Size))
		to += uintptr(list[i].Size)
	}
	return true
}
