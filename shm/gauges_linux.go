package shm

import (
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Gauges are words in the private memory of a rank in which it counts what it does. The rank says once where
// they stand, and whoever wants to know their values copies them out of its memory. So to be looked at costs
// the rank nothing, and it counts no differently whether anybody looks.

// gaugeSize is the size of a gauge in bytes.
const gaugeSize = 8

// ShowGauges says where the gauges of a rank stand, at most MaxGauges words that live as long as the process
// does; 0 for one that there is not.
func ShowGauges(s *Segment, rank int, words []uintptr) {
	for i, at := range words {
		atomic.StoreUint64(Word64(s.Base+RankOffset(rank)+RankGauges+uintptr(i)*gaugeSize), uint64(at))
	}
}

// ReadGauges is the values of the first n gauges of a rank, which is process pid; 0 for those that there are
// not. It fails with EPERM where the kernel does not let this process read the memory of that one, and with
// ENODATA before the rank has said where they stand. Any process of the job may have written the addresses,
// so the values may be anything.
func ReadGauges(s *Segment, rank, pid, n int) ([]uint64, error) {
	values, local := make([]uint64, n), make([]byte, n*gaugeSize)
	var at []int
	var pieces []Piece
	for i := range min(n, MaxGauges) {
		word := atomic.LoadUint64(Word64(s.Base + RankOffset(rank) + RankGauges + uintptr(i)*gaugeSize))
		if word != 0 {
			at = append(at, i)
			pieces = append(pieces, Piece{uintptr(word), gaugeSize})
		}
	}
	if len(pieces) == 0 {
		return nil, fmt.Errorf("rank %d has not said where it counts: %w", rank, unix.ENODATA)
	}
	owner := Process{Pid: pid, Kept: true} // what is read of another process is wrong, and no more than that
	if err := owner.ReadPieces(Address(local), pieces); err != nil {
		return nil, err
	}
	for k, i := range at {
		values[i] = *Word64(Address(local) + uintptr(k)*gaugeSize)
	}
	return values, nil
}
