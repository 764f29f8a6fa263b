package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// page is the report on a run.
func (s *soak) page(length time.Duration) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# The last long soak\n")
	line("`make soak-hour` writes this page (tests/soak). Programs of random messages and collectives check")
	line("every byte, with `GOMPI_CHECK=all` and `--trace`. Beside them jobs are ended at random moments: each")
	line("has to end in time, with one line and the right exit code, and to leave nothing behind. Others,")
	line("started with `--enable-recovery`, lose ranks, and the rest has to come to the right answer.\n")
	line("| what | |")
	line("|---|--:|")
	line("| when | %s |", time.Now().UTC().Format("2006-01-02"))
	line("| processor | %s, %d used |", processor(), runtime.NumCPU())
	line("| duration | %s |", length.Round(time.Second))
	line("| messages received and checked | %d |", s.messages)
	line("| bytes in them | %d |", s.bytes)
	line("| rounds of collectives | %d |", s.rounds)
	line("| reports asked for | %d |", s.asked)
	jobs := 0
	names := []string{}
	for name, n := range s.ended {
		jobs += n
		names = append(names, name)
	}
	line("| jobs ended from outside | %d |", jobs)
	slices.Sort(names)
	for _, name := range names {
		line("| - %s | %d |", name, s.ended[name])
	}
	line("| jobs that lost ranks and came to the right answer | %d |", s.recovered.jobs)
	line("| - ranks killed in them | %d |", s.recovered.deaths)
	line("| - rounds of messages, collectives and windows | %d |", s.recovered.rounds)
	line("| - rounds repeated because of a death | %d |", s.recovered.repeats)
	for _, g := range s.memory {
		line("| usual memory of the largest process of `tests/c/%s/soak.c`, in the middle | %d KiB |", g.what, g.start)
		line("| the same at the end | %d KiB |", g.end)
	}
	line("| things that were wrong | %d |", s.wrong)
	return b.String()
}

// processor is the name of the processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for l := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
