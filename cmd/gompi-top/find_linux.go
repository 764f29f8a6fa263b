package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"gompi/launch/ask"
	"gompi/launch/host"
	"gompi/launch/process"
)

// job is a running launcher.
type job struct {
	pid     int
	command string
}

// find is the job that the user means: the one whose launcher has that process id, or has that word in its
// command line, or the only one that there is.
func find(word string) (job, error) {
	if pid, err := strconv.Atoi(word); err == nil {
		return job{pid, process.CommandLine(pid)}, nil
	}
	all, err := jobs()
	if err != nil {
		return job{}, err
	}
	all = slices.DeleteFunc(all, func(j job) bool { return !strings.Contains(j.command, word) })
	switch {
	case len(all) == 1:
		return all[0], nil
	case len(all) == 0 && word == "":
		return job{}, fmt.Errorf("you have no mpiexec running on this machine")
	case len(all) == 0:
		return job{}, fmt.Errorf("you have no mpiexec running on this machine with %q in its command line", word)
	}
	text := "which one? Name its process id, or a word of its command line:"
	for _, j := range all {
		text += fmt.Sprintf("\n  %d  %s", j.pid, j.command)
	}
	return job{}, fmt.Errorf("%s", text)
}

// jobs is the launchers of this user on this machine, by their sockets.
func jobs() (all []job, err error) {
	f, err := os.Open("/proc/net/unix")
	if err != nil {
		return nil, fmt.Errorf("the sockets of this machine: %w", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		_, digits, ok := strings.Cut(lines.Text(), ask.SocketName)
		pid, err := strconv.Atoi(digits)
		if !ok || err != nil || slices.ContainsFunc(all, func(j job) bool { return j.pid == pid }) {
			continue
		}
		st, err := os.Stat("/proc/" + digits)
		if err != nil {
			continue
		}
		if owner, ok := st.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
			continue
		}
		if command := process.CommandLine(pid); !strings.Contains(command, host.ProxyWord) {
			all = append(all, job{pid, command})
		}
	}
	slices.SortFunc(all, func(a, b job) int { return a.pid - b.pid })
	return all, nil
}
