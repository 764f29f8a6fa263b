package hardware

import (
	"io/fs"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Here is Find for this machine and the processors that the calling thread may run on at the moment.
func Here() []Resource { return Find(System(), Allowed()) }

// System is what the kernel tells of this machine.
func System() fs.FS { return os.DirFS("/sys/devices/system") }

// Allowed lists the processors that the calling thread may run on at the moment, in ascending order.
func Allowed() []int {
	var set unix.CPUSet
	var allowed []int
	if unix.SchedGetaffinity(0, &set) == nil {
		for cpu := range len(set) * 64 {
			if set.IsSet(cpu) {
				allowed = append(allowed, cpu)
			}
		}
	}
	return allowed
}

// CopyArea is the size in bytes of memory that goes round for data which one process copies in and others
// copy out, for the processor of this one. What the kernel knows of the caches takes a tenth of a millisecond
// to read, once.
var CopyArea = sync.OnceValue(func() int64 {
	cpu := 0
	if allowed := Allowed(); len(allowed) > 0 {
		cpu = allowed[0]
	}
	return areaFor(CachesOf(System(), cpu))
})
