package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// clockTicks is the unit of /proc/stat, the same on all architectures that gompi runs on.
const clockTicks = 100 // per second

// usage is what the processors have done by a moment, in seconds.
type usage struct {
	at             time.Time
	busy, stolen   float64 // of the machine, by /proc/stat
	own            float64 // of the driver and of what it has started and seen end
	waited         float64 // by /proc/pressure/cpu: something waited for a core
	known, pressed bool    // whether the system tells the first two, and the last
}

// usageNow reads the system's counters.
func usageNow() usage {
	u := usage{at: time.Now()}
	if text, err := os.ReadFile("/proc/stat"); err == nil {
		u.busy, u.stolen, u.known = parseStat(string(text))
	}
	if text, err := os.ReadFile("/proc/pressure/cpu"); err == nil {
		u.waited, u.pressed = parsePressure(string(text))
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if syscall.Getrusage(who, &r) == nil {
			u.own += time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
		}
	}
	return u
}

// parseStat reads the first line of /proc/stat: seconds in which cores were busy, and in which the host ran
// something else.
func parseStat(text string) (busy, stolen float64, ok bool) {
	var user, nice, system, idle, wait, irq, softirq, steal float64
	n, _ := fmt.Sscanf(text, "cpu %f %f %f %f %f %f %f %f", &user, &nice, &system, &idle, &wait, &irq, &softirq, &steal)
	return (user + nice + system + irq + softirq) / clockTicks, steal / clockTicks, n == 8
}

// parsePressure reads the total of the line "some" of /proc/pressure/cpu.
func parsePressure(text string) (seconds float64, ok bool) {
	for line := range strings.Lines(text) {
		if at := strings.Index(line, "total="); at >= 0 && strings.HasPrefix(line, "some ") {
			var microseconds float64
			n, _ := fmt.Sscanf(line[at:], "total=%f", &microseconds)
			return microseconds / 1e6, n == 1
		}
	}
	return 0, false
}
