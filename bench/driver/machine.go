package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// machine says where and of what the figures are.
type machine struct {
	processor string
	cores     int
	place     place
	memory    string
	kernel    string
	system    string
	load      string // average over a minute when the measurement began
	commit    string
}

// unknown stands for what the system does not tell.
const unknown = "unknown"

// describeMachine asks the system.
func describeMachine(ctx context.Context, root string) machine {
	m := machine{
		processor: modelName(field("/proc/cpuinfo", "model name"), field("/proc/cpuinfo", "cpu family"),
			field("/proc/cpuinfo", "model")),
		cores:  runtime.NumCPU(),
		memory: field("/proc/meminfo", "MemTotal"),
		kernel: unknown,
		system: strings.Trim(field("/etc/os-release", "PRETTY_NAME"), `"`),
		load:   unknown,
		commit: unknown,
	}
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.kernel = strings.TrimSpace(string(text))
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.load, _, _ = strings.Cut(string(text), " ")
	}
	var kib float64
	if _, err := fmt.Sscanf(m.memory, "%f kB", &kib); err == nil {
		m.memory = fmt.Sprintf("%.1f GiB", kib/(1<<20))
	}
	if text, err := execute(ctx, 10*time.Second, nil, "git", "-C", root, "rev-parse", "--short=12", "HEAD"); err == nil {
		m.commit = strings.TrimSpace(text)
		changed, err := execute(ctx, 10*time.Second, nil, "git", "-C", root, "status", "--porcelain", "--untracked-files=no")
		if err == nil && strings.TrimSpace(changed) != "" {
			m.commit += " with changes"
		}
	}
	return m
}

// field is the value of the first line "name : value" or "name=value" in a file.
func field(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(text)) {
		if i := strings.IndexAny(line, ":="); i > 0 && strings.TrimSpace(line[:i]) == name {
			return strings.TrimSpace(line[i+1:])
		}
	}
	return unknown
}
