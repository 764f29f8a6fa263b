package hardware

import (
	"os"

	"golang.org/x/sys/unix"
)

// Here is Find for this machine and the processors that the calling thread may run on at the moment.
func Here() []Resource {
	var set unix.CPUSet
	var allowed []int
	if unix.SchedGetaffinity(0, &set) == nil {
		for cpu := range len(set) * 64 {
			if set.IsSet(cpu) {
				allowed = append(allowed, cpu)
			}
		}
	}
	return Find(os.DirFS("/sys/devices/system"), allowed)
}
