package process

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// InForeground reports whether this process belongs to the foreground group of a terminal.
func InForeground() bool {
	tty, err := unix.Open("/dev/tty", unix.O_RDONLY|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(tty)
	group, err := unix.IoctlGetInt(tty, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// Catches reports whether a process has a handler for a signal.
func Catches(pid int, sig unix.Signal) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return false
	}
	for _, line := range bytes.Split(status, []byte("\n")) {
		if mask, ok := bytes.CutPrefix(line, []byte("SigCgt:")); ok {
			bits, err := strconv.ParseUint(string(bytes.TrimSpace(mask)), 16, 64)
			return err == nil && bits&(1<<(uint(sig)-1)) != 0
		}
	}
	return false
}

// SignalName is the name of a signal.
func SignalName(s unix.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "a real-time signal"
}
