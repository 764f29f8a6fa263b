package boot

import (
	"fmt"
	"hash/fnv"
	"os"
	"strings"
)

// machineName tells machines apart: ranks for which it is the same can share memory, which they hand over by
// sockets of their network name space.
func machineName() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("which machine this is: %w", err)
	}
	network, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		return "", fmt.Errorf("which machine this is: %w", err)
	}
	return strings.TrimSpace(string(id)) + "/" + network, nil
}

// MachineNumber is a number of this machine that another one has by chance alone.
func MachineNumber() (uint64, error) {
	name, err := machineName()
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64(), err
}
