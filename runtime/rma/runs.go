package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Runs are the stretches of a target's memory that one packet is about. Of memory in one run there is one,
// at the address that the packet names, and nothing is said of it. Otherwise the runs stand in front of the
// data, with 16 bytes each: where they begin and how many bytes they have. So it is in packets to far ranks
// and in messages to near ones about pieces of memory.

const (
	runSize = fast.PacketPiece
	maxRuns = 256 // in one packet to a far rank
)

// stretch is how much data goes in one packet at most, in bytes.
const (
	farPiece     = 32 << 10 // two of them are under way while a third is copied
	farOperation = 16 << 10 // of accumulates, which are carried out as one
)

// collectRuns collects the runs of the bytes [at, at+n) of the data of a buffer, and returns of how many
// bytes: no more than most, and a multiple of unit. Nil runs stand for one run that begins at first.
func collectRuns(list []shm.Piece, b *datatype.Buffer, at, n, most, unit int64) (all []shm.Piece,
	first uint64, k int64) {
	if n = min(n, most/unit*unit); b.Contiguous() {
		return nil, uint64(b.Start()) + uint64(at), n
	}
	base := uint64(b.Addr)
	b.Type.Runs(at, n, func(off, size int64) bool {
		list = append(list, shm.Piece{Addr: uintptr(base + uint64(off)), Size: uint64(size)})
		k += size
		return len(list) < maxRuns
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

// readRuns is the list of n runs at the begin of a body of size bytes, or of the one run of the rest;
// data is where that begins. ok is false when the body is too short, or list has no room for as many. Each
// word is read once, as a near origin can write to it.
func readRuns(list []shm.Piece, first uint64, n int64, body uintptr, size int64) (all []shm.Piece,
	data uintptr, bytes int64, ok bool) {
	if n == 0 {
		return append(list, shm.Piece{Addr: uintptr(first), Size: uint64(size)}), body, size, true
	}
	if n > int64(cap(list)) || n*runSize > size {
		return list, 0, 0, false
	}
	for i := range n {
		at := body + uintptr(i)*runSize
		list = append(list, shm.Piece{Addr: uintptr(*shm.Word64(at)), Size: *shm.Word64(at + 8)})
	}
	return list, body + uintptr(n)*runSize, size - n*runSize, true
}

// total is the number of bytes of runs that have been located, each of which is less than the address
// space.
func total(list []shm.Piece) (n uint64) {
	for i := range list {
		n += list[i].Size
	}
	return n
}

// missing is deferred by functions that touch memory of the program's: where that is not there, ok is false.
func missing(ok *bool) {
	if p := recover(); p != nil {
		_ = datatype.Fault(p)
		*ok = false
	}
}

// scatter copies n bytes to the runs that make as many; false when the memory is not there.
func scatter(list []shm.Piece, from uintptr, n int64) (ok bool) {
	defer missing(&ok)
	for i := range list {
		k := min(int64(list[i].Size), n)
		shm.Copy(list[i].Addr, from, k)
		from, n = from+uintptr(k), n-k
	}
	return true
}

// gather copies the runs one behind the other; false when the memory is not there.
func gather(list []shm.Piece, to uintptr) (ok bool) {
	defer missing(&ok)
	for i := range list {
		shm.Copy(to, list[i].Addr, int64(list[i].Size))
		to += uintptr(list[i].Size)
	}
	return true
}
