package main

import (
	"fmt"
	"strings"
	"testing"
)

// Lines go above the bar, which is no wider than the terminal, and nothing of it is left.
func TestBar(t *testing.T) {
	var out strings.Builder
	b := &bar{out: &out, width: 40}
	b.show(1, 2, "latency")
	fmt.Fprintln(b, "a line")
	b.show(2, 2, "a benchmark with a long name")
	b.end()
	const clear, half = "\r\x1b[K", "[############------------] 1/2 latency"
	want := clear + half + clear + "a line\n" + clear + half +
		clear + "[########################] 2/2 a benchm" + clear
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	var plain strings.Builder
	p := newBar(&plain)
	p.show(1, 2, "latency")
	fmt.Fprintln(p, "a line")
	p.end()
	if plain.String() != "a line\n" {
		t.Errorf("without a terminal %q", plain.String())
	}
}
