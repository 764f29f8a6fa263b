package shm

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNow holds Now to the clock that C code reads.
func TestNow(t *testing.T) {
	read := func() uint64 {
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			t.Fatal(err)
		}
		return uint64(ts.Nano())
	}
	for range 3 {
		before, now, after := read(), Now(), read()
		if now < before || now > after {
			t.Errorf("the clock reads %d between %d and %d", now, before, after)
		}
		time.Sleep(time.Millisecond)
	}
}
