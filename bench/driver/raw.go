package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// rawLimits is what the machine does without MPI, measured by bench/raw.
type rawLimits struct {
	// one way between two processes; 0 if there is one core
	CachelineNanoseconds float64            `json:"cacheline_ns"`
	MemcpyMegabytes      map[string]float64 `json:"memcpy_mb_per_s"`
}

// nearBelow tells near cores, which share a cache, from far ones, between which a
// line goes over a mesh or between sockets. Virtual machines do not say which they
// have, and it changes while they run.
const nearBelow = 90 // ns

// buildRaw compiles the program with the system's C compiler; "" if that cannot be.
func buildRaw(ctx context.Context, root string, progress io.Writer) string {
	program := filepath.Join(root, "build", "bench", "programs", "raw")
	source := filepath.Join(root, "bench", "raw", "raw.c")
	if _, err := execute(ctx, time.Minute, nil, "cc", "-O2", "-o", program, source); err != nil {
		fmt.Fprintf(progress, "the raw limits are not measured: %v\n", err)
		return ""
	}
	return program
}

// measureRaw runs the program.
func measureRaw(ctx context.Context, program string) (rawLimits, bool) {
	limits := rawLimits{MemcpyMegabytes: map[string]float64{}}
	text, err := execute(ctx, 30*time.Second, nil, program)
	if err != nil {
		return limits, false
	}
	for line := range strings.Lines(text) {
		var bytes int
		var value float64
		if n, _ := fmt.Sscanf(line, "cacheline %f", &value); n == 1 {
			limits.CachelineNanoseconds = value
		}
		if n, _ := fmt.Sscanf(line, "memcpy %d %f", &bytes, &value); n == 2 {
			limits.MemcpyMegabytes[bytesName(bytes)] = value
		}
	}
	return limits, len(limits.MemcpyMegabytes) > 0
}

// rawLines are what the report says of them, name and value.
func (r *results) rawLines() [][]string {
	var lines [][]string
	var cacheline []float64
	near, far := 0, 0
	for _, l := range r.raw {
		if l.CachelineNanoseconds == 0 {
			continue
		}
		cacheline = append(cacheline, l.CachelineNanoseconds)
		if l.CachelineNanoseconds < nearBelow {
			near++
		} else {
			far++
		}
	}
	if len(cacheline) > 0 {
		place := fmt.Sprintf("near in %d rounds and far in %d", near, far)
		switch {
		case far == 0:
			place = "near cores"
		case near == 0:
			place = "far cores"
		}
		lines = append(lines, []string{"raw cache line between two processes, one way", fmt.Sprintf("%s ns (%s to %s): %s",
			number(median(cacheline)), number(quantile(cacheline, 0)), number(quantile(cacheline,
				1)), place)})
	}
	for _, bytes := range []string{"16 KiB", "1 MiB", "64 MiB"} {
		var speeds []float64
		for _, l := range r.raw {
			if v := l.MemcpyMegabytes[bytes]; v > 0 {
				speeds = append(speeds, v)
			}
		}
		if len(speeds) > 0 {
			lines = append(lines, []string{"raw memcpy of " + bytes, number(median(speeds)) + " MB/s"})
		}
	}
	return lines
}
