package hardware

import "testing"

// An area is larger than what a core caches for itself, and not larger than its share of the common cache
// where that is possible.
func TestAreaFor(t *testing.T) {
	for _, c := range []struct{ private, share, want int64 }{
		{0, 0, 1 << 20},
		{0, 16 << 20, 1 << 20},
		{1 << 20, 16 << 20, 1664 << 10},
		{2 << 20, 16 << 20, 3 << 20},
		{1 << 20, 1408 << 10, 1408 << 10},
		{1 << 20, 1 << 20, 1280 << 10},
		{256 << 10, 2 << 20, 512 << 10},
		{64 << 10, 1 << 20, 512 << 10},
		{8 << 20, 0, 3 << 20},
	} {
		if got := areaFor(Caches{Private: c.private, Share: c.share}); got != c.want {
			t.Errorf("caches of %d and %d bytes: an area of %d, want %d", c.private, c.share, got, c.want)
		}
	}
}
