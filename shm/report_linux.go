package shm

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Reports are how ranks tell the launcher what they wait for. The launcher asks by a number and wakes those
// that sleep; a rank that waits writes its report and then that number. Nothing is mapped for that, so a page
// of a report costs memory only once the rank has been asked.

// MaxReport is the largest report in bytes.
const MaxReport = ReportStride - 4

// AskReports asks all ranks for a report, and is its number. The caller is the launcher.
func AskReports(s *Segment) uint32 {
	number := atomic.AddUint32(Word32(s.Base+HdrAsked), 1) // pairs with the load in every wait loop
	for r := range s.Ranks() {
		BellOf(s, r).Wake()
	}
	atomic.StoreUint32(Rang(s), number)
	return number
}

// Asked is the word that tells the number of the last report that was asked for.
func Asked(s *Segment) *uint32 { return Word32(s.Base + HdrAsked) }

// Rang is the word that tells the number of the last report for which the bells of all ranks have rung.
func Rang(s *Segment) *uint32 { return Word32(s.Base + HdrRang) }

// Asks is the word that counts how often a rank has asked for something in vain.
func Asks(s *Segment, rank int) *uint32 { return Word32(s.Base + RankOffset(rank) + RankAsks) }

// Asleep reports whether a rank sleeps in MPI, or is about to. One that sleeps for long looks around now and
// then, for some microseconds.
func Asleep(s *Segment, rank int) bool {
	return atomic.LoadUint32(Word32(s.Base+RankOffset(rank)+RankSleeping)) != 0
}

// Thread is the number of this thread, by which reports name it.
func Thread() uint32 { return uint32(unix.Gettid()) }

// reportAt is where the report of a rank stands in the file.
func (s *Segment) reportAt(rank int) int64 {
	blocks := min(*Word32(s.Base + HdrCollBlocks), MaxCollBlocks)
	return ReportOffset(s.Ranks(), int(blocks), rank)
}

// WriteReport writes the report of that number for a rank, at most MaxReport bytes. Pairs with ReadReport.
func (s *Segment) WriteReport(rank int, number uint32, text []byte) error {
	if len(text) > MaxReport {
		return fmt.Errorf("a report of %d bytes, at most %d are possible", len(text), MaxReport)
	}
	all := append(binary.NativeEndian.AppendUint32(nil, uint32(len(text))), text...)
	if n, err := unix.Pwrite(s.fd, all, s.reportAt(rank)); err != nil || n < len(all) {
		return fmt.Errorf("%d bytes of a report of %d: %w", n, len(all), err)
	}
	atomic.StoreUint32(Word32(s.Base+RankOffset(rank)+RankReported), number)
	return nil
}

// Reported reports whether a rank has written the report of that number, or one that was asked for later.
func Reported(s *Segment, rank int, number uint32) bool {
	return int32(atomic.LoadUint32(Word32(s.Base+RankOffset(rank)+RankReported))-number) >= 0
}

// ReadReport is the last report of a rank, which any process of the job may have written.
func (s *Segment) ReadReport(rank int) ([]byte, error) {
	all := make([]byte, ReportStride)
	n, err := unix.Pread(s.fd, all, s.reportAt(rank))
	if err != nil || n < 4 {
		return nil, fmt.Errorf("reading the report of a rank: %d bytes, %w", n, err)
	}
	size := binary.NativeEndian.Uint32(all)
	if int(size) > n-4 {
		return nil, fmt.Errorf("a report of %d bytes, at most %d are possible", size, n-4)
	}
	return all[4 : 4+size], nil
}
