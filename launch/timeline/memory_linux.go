package timeline

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Records is the memory to which the ranks of a job write. It is no file of any folder, so that nothing is
// left behind however the launcher ends.
type Records struct{ fd int }

// most is the length of the file, which takes memory only where it is written to. mostAhead is how much of
// that is taken before a rank needs it: a rank that waits for memory that the kernel clears takes twice as
// long for a record.
const (
	most      = 1 << 40
	mostAhead = 64 << 20
)

// NewRecords makes it, for ranks that write at most room bytes all together.
func NewRecords(room int64) (*Records, error) {
	fd, err := unix.MemfdCreate("gompi-trace", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memory for records: %w", err)
	}
	if err := unix.Ftruncate(fd, most); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("memory for records: %w", err)
	}
	r := &Records{fd}
	r.takeAhead(frontSize + min(room, mostAhead))
	return r, nil
}

// takeAhead has the kernel clear the first n bytes, by the pieces that ranks take. Where there is no memory
// the ranks will find that out.
func (r *Records) takeAhead(n int64) {
	for at := int64(0); at < n; at += chunkSize {
		piece, err := unix.Mmap(r.fd, at, chunkSize, unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
		if err != nil || unix.Munmap(piece) != nil {
			return
		}
	}
}

// Path is under which name processes open it while this one lives.
func (r *Records) Path() string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), r.fd) }

// Read makes a run of the records and gives the memory back. Calls that have not ended last until now.
func (r *Records) Read() (*Run, error) {
	defer unix.Close(r.fd)
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return nil, err
	}
	start, err := unix.Mmap(r.fd, 0, frontSize, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("memory of records: %w", err)
	}
	length := frontSize + chunkSize*chunksOf(start)
	if err := unix.Munmap(start); err != nil {
		return nil, err
	}
	data, err := unix.Mmap(r.fd, 0, min(length, most), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("memory of records: %w", err)
	}
	defer unix.Munmap(data)
	return read(data, uint64(now.Nano()))
}
