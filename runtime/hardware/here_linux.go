package hardware

import (
	"io/fs"
	"os"

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
