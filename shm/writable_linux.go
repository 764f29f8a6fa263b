package shm

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// Writable reports whether the n bytes at addr are memory of this process that may be read and written, as
// far as the kernel tells.
func Writable(addr uintptr, n uint64) bool {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return false
	}
	defer maps.Close()
	next, last := uint64(addr), uint64(addr)+n
	for lines := bufio.NewScanner(maps); lines.Scan() && next < last; {
		var begin, end uint64
		var may string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &begin, &end, &may); err != nil {
			return false
		}
		if begin <= next && next < end && strings.HasPrefix(may, "rw") {
			next = end
		}
	}
	return next >= last
}
