package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKind(t *testing.T) {
	for _, c := range []struct {
		machine    machine
		kind, file string
	}{
		{machine{processor: "AMD EPYC 9654", cores: 2, place: near}, "AMD EPYC 9654, 2 cores, near", "amd-epyc-9654-2-cores-near"},
		{machine{processor: "Neoverse-V1", cores: 1}, "Neoverse-V1, 1 core", "neoverse-v1-1-core"},
	} {
		if got := c.machine.kind(); got != c.kind {
			t.Errorf("kind %q, want %q", got, c.kind)
		}
		if got := c.machine.fileName(); got != c.file {
			t.Errorf("file %q, want %q", got, c.file)
		}
	}
	for _, c := range [][4]string{
		{"Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "6", "79", "Intel Xeon E5-2680 v4"},
		{"AMD EPYC", "26", "2", "AMD EPYC family 26 model 2"},
		{unknown, unknown, unknown, unknown},
	} {
		if got := modelName(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%q is named %q, want %q", c[0], got, c[3])
		}
	}
	for nanoseconds, want := range map[float64]place{0: "", 50: near, 250: far} {
		if got := placeOf(nanoseconds); got != want {
			t.Errorf("%g ns are %q, want %q", nanoseconds, got, want)
		}
	}
}

// setCacheline is what the fake raw program finds.
func (b bench) setCacheline(t *testing.T, nanoseconds string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.root, "cacheline"), []byte(nanoseconds+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Runs on near and on far cores have a file each, and the report of whole runs holds both.
func TestEachKindHasItsFile(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 2, ""})
	for _, nanoseconds := range []string{"40", "200"} {
		b.setCacheline(t, nanoseconds)
		if code, _, stderr := b.run(t.Context(), "-rounds", "1"); code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
	}
	folder := filepath.Join(b.root, "docs", "reports", "performance")
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	if len(files) != 2 || !strings.HasSuffix(files[0], "-far.json") || !strings.HasSuffix(files[1], "-near.json") {
		t.Fatalf("files: %v", files)
	}
	page := readFile(t, folder, reportName)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		wantAll(t, page, "("+name+".json)")
		charts := filepath.Join(b.root, "build", "bench", "performance")
		wantAll(t, readFile(t, charts, reportName), "("+name+"/latency.svg)")
		wellFormed(t, filepath.Join(charts, name, "latency.svg"))
	}
	if n := strings.Count(page, "| 8-byte ping-pong |"); n != 2 {
		t.Errorf("the first target stands there %d times, want once for each kind", n)
	}
	before := page
	if code, _, stderr := b.run(t.Context(), "-report"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	if after := readFile(t, folder, reportName); after != before {
		t.Error("the report differs when it is written again from the files")
	}
}

// A machine that moves while it is measured: what was measured on the other kind is not mixed in, and not
// kept where benchmarks are missing.
func TestMoveBetweenPlaces(t *testing.T) {
	moves := `[ $program = local ] && [ ! -e ROOT/moved ] && echo 200 > ROOT/cacheline
		[ $program = matching ] && { : > ROOT/moved; echo 40 > ROOT/cacheline; }`
	b := newBench(t, fake{"gompi", 1, moves})
	b.setCacheline(t, "40")
	code, stdout, stderr := b.run(t.Context(), "-only", "local,latency,matching", "-rounds", "2")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	wantAll(t, stdout, "not kept, because benchmarks are missing: what was measured on ", ", far\n")
	r := b.results(t, "build", "bench")
	if r.machine.place != near {
		t.Fatalf("kept: %s", r.machine.kind())
	}
	// The first turn of "matching", which comes last, fell on the far place. Its three launches print the
	// same rows.
	turns := map[string]int{}
	for _, tab := range r.tables {
		for _, samples := range tab.samples["gompi"] {
			turns[tab.name] = max(turns[tab.name], len(samples))
		}
	}
	if turns["latency"] != 2 || turns["matching"] != 3 {
		t.Errorf("turns: %v", turns)
	}
}

// Other programs make a cache line slower. What is only sometimes slow has not moved, and what is too slow
// for any machine says nothing.
func TestDisturbedLooks(t *testing.T) {
	for _, c := range []struct {
		name  string
		looks string // of the raw program, one after the other
		last  place
		want  place
	}{
		{"steady", "40 40 40", near, near},
		{"once disturbed", "250 40 40", near, near},
		{"moved", "250 240 260", near, far},
		{"moved back", "40 250 250", far, near},
		{"nothing to be seen", "5000 9000 70000", far, far},
		{"at the start", "250 5000 45", "", near},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			program, rest := filepath.Join(folder, "raw"), filepath.Join(folder, "rest")
			script := strings.ReplaceAll("#!/bin/sh\nread first others < REST\necho $others > REST\n"+
				"echo cacheline $first\n", "REST", rest)
			if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(rest, []byte(c.looks+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			all := &measurement{raw: program, last: c.last}
			limits, looked := all.look(t.Context())
			if all.last != c.want {
				t.Errorf("the place is %q, want %q", all.last, c.want)
			}
			if looked != (limits.CachelineNanoseconds > 0) {
				t.Errorf("%+v, %v", limits, looked)
			}
		})
	}
}

func TestRawLines(t *testing.T) {
	r := &results{raw: []rawLimits{{CachelineNanoseconds: 40}, {CachelineNanoseconds: 240},
		{CachelineNanoseconds: 50, FirstUseNanoseconds: 400, MemcpyMegabytes: map[string]float64{"16 KiB": 1000}}}}
	var all []string
	for _, line := range r.rawLines() {
		all = append(all, strings.Join(line, ": "))
	}
	wantAll(t, strings.Join(all, "\n"), "50.0 ns (40.0 to 240): near 2 times and far 1 times",
		"raw first use of a page of shared memory: 400 ns", "raw memcpy of 16 KiB: 1000 MB/s")
}
