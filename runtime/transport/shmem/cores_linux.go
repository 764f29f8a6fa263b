package shmem

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Cores is the number of processors that this process can really use: its affinity mask, and the quota of its
// control group where that is less. At least 1.
func Cores() int {
	var set unix.CPUSet
	n := 1
	if unix.SchedGetaffinity(0, &set) == nil {
		n = max(1, set.Count())
	}
	if q := quota(); q > 0 {
		n = min(n, q)
	}
	return n
}

// quota is the number of processors that the control groups (version 2) of this process allow, rounded up; 0
// when there is no limit.
func quota() int {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	path, ok := strings.CutPrefix(strings.TrimSpace(string(own)), "0::")
	if !ok {
		return 0
	}
	least := 0
	for path != "" {
		if q := groupQuota("/sys/fs/cgroup" + strings.TrimSuffix(path, "/") + "/cpu.max"); q > 0 && (least == 0 || q < least) {
			least = q
		}
		if path == "/" {
			break
		}
		if path = path[:strings.LastIndexByte(path, '/')]; path == "" {
			path = "/"
		}
	}
	return least
}

func groupQuota(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	f := strings.Fields(string(text))
	if len(f) != 2 {
		return 0
	}
	limit, err1 := strconv.Atoi(f[0])
	period, err2 := strconv.Atoi(f[1])
	if err1 != nil || err2 != nil || period <= 0 {
		return 0 // "max": no limit
	}
	return max(1, (limit+period-1)/period)
}
