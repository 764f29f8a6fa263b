package fast

import (
	"testing"

	"gompi/shm"
)

// Words of different writers do not share a pair of cache lines, and words do not overlap.
func TestWindowLayout(t *testing.T) {
	words := []struct {
		name     string
		at, size uintptr
		writer   string
	}{
		{"BlockFence", BlockFence, 4, "owner"},
		{"BlockOwing", BlockOwing, 8, "owner"},
		{"BlockCarried", BlockCarried, 4, "owner"},
		{"BlockTicket", BlockTicket, 4, "origins, lock"},
		{"BlockWrite", BlockWrite, 4, "origins, lock"},
		{"BlockRead", BlockRead, 4, "origins, lock"},
		{"BlockGuard", BlockGuard, 4, "origins, guard"},
		{"BlockVersion", BlockVersion, 4, "owner, table"},
		{"BlockRegions", BlockRegions, 4, "owner, table"},
		{"BlockBulk", BlockBulk, 4, "origins, bulk"},
		{"BlockCallers", BlockCallers, 8, "origins, messages"},
		{"BlockLines", BlockLines, 128, "rank of the line"},
	}
	for i, w := range words {
		if w.at%min(w.size, 8) != 0 || w.at+w.size > BlockSize(2) {
			t.Errorf("%s is not aligned, or reaches beyond its block", w.name)
		}
		for _, v := range words[:i] {
			if w.at < v.at+v.size && v.at < w.at+w.size {
				t.Errorf("%s and %s overlap", w.name, v.name)
			}
			shared := w.at/shm.FalseShare == (v.at+v.size-1)/shm.FalseShare ||
				v.at/shm.FalseShare == (w.at+w.size-1)/shm.FalseShare
			if shared && w.writer != v.writer {
				t.Errorf("%s and %s have different writers and share a pair of cache lines", w.name, v.name)
			}
		}
	}
	for n := 1; n < 70; n++ {
		turns := BlockTurns(n)
		end := BlockLines + uintptr(n)*LineSize + uintptr(turns)*4
		if turns&(turns-1) != 0 || int(turns) < n || end > BlockSize(n) || BlockSize(n)%shm.FalseShare != 0 {
			t.Errorf("a window of %d ranks has blocks of %d bytes and %d turns", n, BlockSize(n), turns)
		}
	}
}
