package hardware

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Caches are the sizes in bytes of what a processor caches: in the largest cache of its core alone, and its
// share of the largest cache that cores have in common. 0 where the kernel does not say.
type Caches struct{ Private, Share int64 }

// CachesOf is the caches of a processor. system is the folder /sys/devices/system.
func CachesOf(system fs.FS, cpu int) (c Caches) {
	dir := "cpu/cpu" + strconv.Itoa(cpu)
	core := Members(system, "Core", cpu)
	files, err := fs.Glob(system, dir+"/cache/index[0-9]*/size")
	if err != nil || len(core) == 0 {
		return Caches{}
	}
	for _, f := range files {
		index := path.Dir(f)
		n, users := size(text(system, f)), list(system, index+"/shared_cpu_list")
		if n == 0 || len(users) == 0 || text(system, index+"/type") == "Instruction" {
			continue
		}
		alone := !slices.ContainsFunc(users, func(u int) bool { return !slices.Contains(core, u) })
		if alone {
			c.Private = max(c.Private, n)
		} else {
			c.Share = max(c.Share, n*int64(len(core))/int64(len(users)))
		}
	}
	return c
}

// size is the bytes of a size as the kernel writes it, such as 1024K; 0 for anything else.
func size(s string) int64 {
	digits, unit := strings.TrimRight(s, "KMG"), int64(1)
	switch strings.TrimPrefix(s, digits) {
	case "K":
		unit = 1 << 10
	case "M":
		unit = 1 << 20
	case "G":
		unit = 1 << 30
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return n * unit
}

// Bounds for the size of an area that follows from the caches, in bytes.
const (
	leastArea = 512 << 10
	mostArea  = 3 << 20
	usualArea = 1 << 20
)

// areaFor is how large the memory is that goes round for data which one process copies in and others copy
// out: larger than the private cache of a core, because a line that a reader still has there takes a transfer
// between two cores before it is written again; and smaller than those of two cores together, where the lines
// are found if others fill the common cache.
func areaFor(c Caches) int64 {
	if c.Private == 0 {
		return usualArea
	}
	n := c.Private + c.Private/8*5
	if c.Share > 0 {
		n = max(min(n, c.Share), c.Private+c.Private/4)
	}
	return min(max(n, leastArea), mostArea)
}
