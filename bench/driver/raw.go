package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// rawLimits is what the machine does without MPI, measured by bench/raw.
type rawLimits struct {
	// one way between two processes; 0 if there is one core
	CachelineNanoseconds float64            `json:"cacheline_ns"`
	FirstUseNanoseconds  float64            `json:"first_use_ns,omitempty"` // of a page of shared memory
	MemcpyMegabytes      map[string]float64 `json:"memcpy_mb_per_s"`
}

// buildRaw compiles the program with the system's C compiler; "" if that cannot be.
func buildRaw(ctx context.Context, root, folder string, progress io.Writer) string {
	program := filepath.Join(folder, "raw")
	source := filepath.Join(root, "bench", "raw", "raw.c")
	if _, err := execute(ctx, time.Minute, nil, "cc", "-O2", "-o", program, source); err != nil {
		fmt.Fprintf(progress, "the raw limits are not measured: %v\n", err)
		return ""
	}
	return program
}

// measureRaw runs the program; with "cacheline" behind it, it measures nothing else.
func measureRaw(ctx context.Context, command ...string) (rawLimits, bool) {
	limits := rawLimits{MemcpyMegabytes: map[string]float64{}}
	text, err := execute(ctx, 30*time.Second, nil, command...)
	if err != nil {
		return limits, false
	}
	for line := range strings.Lines(text) {
		var bytes int
		var value float64
		if n, _ := fmt.Sscanf(line, "cacheline %f", &value); n == 1 {
			limits.CachelineNanoseconds = value
		}
		if n, _ := fmt.Sscanf(line, "firstuse %f", &value); n == 1 {
			limits.FirstUseNanoseconds = value
		}
		if n, _ := fmt.Sscanf(line, "memcpy %d %f", &bytes, &value); n == 2 {
			limits.MemcpyMegabytes[bytesName(bytes)] = value
		}
	}
	return limits, limits.CachelineNanoseconds > 0 || len(limits.MemcpyMegabytes) > 0
}

// rawLines are what the report says of them, name and value.
func (r *results) rawLines() [][]string {
	var lines [][]string
	var cacheline []float64
	places := map[place]int{}
	for _, l := range r.raw {
		if l.CachelineNanoseconds > 0 {
			cacheline = append(cacheline, l.CachelineNanoseconds)
			places[placeOf(l.CachelineNanoseconds)]++
		}
	}
	if len(cacheline) > 0 {
		text := fmt.Sprintf("%s ns (%s to %s)", number(median(cacheline)), number(slices.Min(cacheline)),
			number(highest(cacheline)))
		if len(places) > 1 {
			text += fmt.Sprintf(": near %d times and far %d times", places[near], places[far])
		}
		lines = append(lines, []string{"raw cache line between two processes, one way", text})
	}
	add := func(name, unit string, of func(rawLimits) float64) {
		var values []float64
		for _, l := range r.raw {
			if v := of(l); v > 0 {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			lines = append(lines, []string{name, number(median(values)) + unit})
		}
	}
	add("raw first use of a page of shared memory", " ns",
		func(l rawLimits) float64 { return l.FirstUseNanoseconds })
	for _, bytes := range []string{"16 KiB", "1 MiB", "64 MiB"} {
		add("raw memcpy of "+bytes, " MB/s", func(l rawLimits) float64 { return l.MemcpyMegabytes[bytes] })
	}
	return lines
}
