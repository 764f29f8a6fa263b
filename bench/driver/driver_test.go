package main

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readFile(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wantAll(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

func TestAllBenchmarksSideBySide(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 3, ""}, fake{"openmpi", 2, ""})
	code, stdout, stderr := b.run(t.Context(), "-rounds", "2")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	folder := filepath.Join(b.root, "docs", "reports", "performance")
	report := readFile(t, folder, reportName)
	charts := b.results(t, "docs", "reports", "performance").machine.fileName()
	for _, text := range []string{stdout, report} {
		wantAll(t, text, "8-byte ping-pong", "0.50 x (0.50 to 0.50)", "at most 1.5 x Open MPI", "Open MPI, 10.0 against 20.0 µs", "0.010 s")
		if strings.Contains(text, "not measured") || strings.Contains(text, "no time") {
			t.Errorf("something was not measured:\n%s", text)
		}
	}
	wantAll(t, report, "fake gompi 1.0", "fake openmpi 1.0", "`mpiexec.openmpi --allow-run-as-root --oversubscribe --bind-to none`",
		"| 4 MiB | 10.0 | 30.0 | 20.0 | 0.50 (few) | 0.50 | 0.25 |")
	wantAll(t, report, "gompi is more than a tenth behind", "("+charts+"/overview.svg)", "("+charts+".json)")
	wellFormed(t, filepath.Join(folder, charts, "overview.svg"))
	if n := strings.Count(report, ".svg)"); n != 1 {
		t.Errorf("the report shows %d charts, want the overview alone", n)
	}
	wantAll(t, report, "into `build/bench/performance/`")
	folder = filepath.Join(b.root, "build", "bench", "performance")
	report = readFile(t, folder, reportName)
	results := "../../../docs/reports/performance/" + charts + ".json"
	wantAll(t, report, "("+charts+"/overview.svg)", "("+results+")")
	readFile(t, folder, results)
	for _, bm := range allBenchmarks(plan{}) {
		if bm.apart {
			continue
		}
		wantAll(t, report, "("+charts+"/"+bm.name+".svg)", bm.title)
		wellFormed(t, filepath.Join(folder, charts, bm.name+".svg"))
	}
}

// wellFormed fails unless the file is an SVG drawing.
func wellFormed(t *testing.T, path string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(readFile(t, path)))
	root := ""
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if start, ok := token.(xml.StartElement); ok && root == "" {
			root = start.Name.Local
		}
	}
	if root != "svg" {
		t.Errorf("%s has the root element %q", path, root)
	}
}

func TestLibrariesTakeTurns(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 1, ""}, fake{"openmpi", 1, ""})
	if code, _, stderr := b.run(t.Context(), "-only", "latency", "-rounds", "4"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	want := "gompi mpich openmpi mpich openmpi gompi openmpi gompi mpich gompi mpich openmpi"
	if got := b.calls(t, "pingpong"); got != want {
		t.Errorf("order of the runs:\n%s, want\n%s", got, want)
	}
}

// What takes long is measured in the first round alone, and its points wait for no further ones.
func TestOnce(t *testing.T) {
	for _, args := range [][]string{{"-rounds", "3"}, {"-time", "1h"}} {
		b := newBench(t, fake{"gompi", 1, ""})
		code, stdout, stderr := b.run(t.Context(), append(args, "-only", "memory")...)
		if code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		if got := b.calls(t, "footprint"); got != "gompi gompi gompi" {
			t.Errorf("%v: runs %s, want one for each number of ranks", args, got)
		}
		wantAll(t, stdout, "1000 (once)")
	}
}

func TestPartsDoNotOverwriteTheReport(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	for _, args := range [][]string{{"-only", "memory"}, {"-alone", "-rounds", "1"}, {"-quick", "-rounds", "1"}} {
		if code, _, stderr := b.run(t.Context(), args...); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, stderr)
		}
		if _, err := os.Stat(filepath.Join(b.root, "docs")); err == nil {
			t.Errorf("%v wrote to docs", args)
		}
		b.page(t)
	}
	wantAll(t, b.page(t), "quick run", "over")
}

// A folder that is named holds a report on all results that are in it.
func TestNamedFolder(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	folder, charts := filepath.Join(b.root, "docs", "nodes"), filepath.Join(b.root, "build", "nodes")
	var names []string
	for _, nanoseconds := range []string{"40", "200"} {
		b.setCacheline(t, nanoseconds)
		code, stdout, stderr := b.run(t.Context(), "-only", "memory", "-out", folder, "-charts", charts)
		if code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		wantAll(t, stdout, "report: "+filepath.Join(folder, reportName),
			"with all charts: "+filepath.Join(charts, reportName))
	}
	page := readFile(t, folder, reportName)
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		names = append(names, name)
		wantAll(t, page, "("+name+".json)")
		wantAll(t, readFile(t, charts, reportName), "("+name+"/memory.svg)")
		wellFormed(t, filepath.Join(charts, name, "memory.svg"))
		if _, err := os.Stat(filepath.Join(folder, name, "memory.svg")); err == nil {
			t.Errorf("%s: the chart is beside the report as well", name)
		}
	}
	if len(names) != 2 {
		t.Errorf("results of %q, want two kinds of processors", names)
	}
}

func TestNoStaleChartIsLeft(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	for _, only := range []string{"latency", "memory"} {
		if code, _, stderr := b.run(t.Context(), "-only", only); code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		charts := b.results(t, "build", "bench").machine.fileName()
		stale := filepath.Join(b.root, "build", "bench", charts, "latency.svg")
		if _, err := os.Stat(stale); (err == nil) != (only == "latency") {
			t.Errorf("after %s: chart of latency: %v", only, err)
		}
	}
}

// A group stands for all of its benchmarks.
func TestGroup(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 2, ""})
	code, stdout, stderr := b.run(t.Context(), "-only", "rma", "-rounds", "1")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	wantAll(t, stdout, "windows of MPI_Win_allocate", "MPI_Alloc_mem", "malloc")
	if n := strings.Count(b.calls(t, "rma"), "gompi"); n != 3 || strings.Contains(stdout, "Ping-pong") {
		t.Errorf("%d runs, want 3, and nothing else:\n%s", n, stdout)
	}
}

// What is unsupported is no failure; it is listed and not tried again.
func TestUnsupported(t *testing.T) {
	says := `[ $program = rma ] && { echo "unsupported MPI_Win_create all one-sided operations"; exit 0; }`
	b := newBench(t, fake{"gompi", 1, says}, fake{"mpich", 2, ""})
	code, stdout, stderr := b.run(t.Context(), "-only", "rma-private", "-rounds", "3")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	report := b.page(t)
	for _, text := range []string{stdout, report} {
		wantAll(t, text, "Not yet", "all one-sided operations (MPI_Win_create)")
	}
	if n := strings.Count(b.calls(t, "rma"), "gompi"); n != 1 {
		t.Errorf("gompi ran %d times, want once", n)
	}
}

// What a program printed before it failed is kept, and it runs in the rounds that follow.
func TestResultsBeforeAFailure(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 1, `[ $program = io ] && { echo "result 4096 77 write, ordered"; exit 1; }`})
	_, stdout, _ := b.run(t.Context(), "-only", "io", "-rounds", "2")
	wantAll(t, stdout, "write, ordered, 4 KiB", "77.0")
	if n := strings.Count(stdout, "MPICH, 4 ranks: mpiexec.hydra: exit status 1"); n != 1 {
		t.Errorf("the failure is told %d times, want once:\n%s", n, stdout)
	}
	if got := b.calls(t, "io"); strings.Count(got, "mpich") != strings.Count(got, "gompi") {
		t.Errorf("runs: %s", got)
	}
}

// Nothing is begun when the time is up.
func TestTime(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	code, _, stderr := b.run(t.Context(), "-only", "latency", "-time", "1ns")
	if code != 0 || b.calls(t, "pingpong") != "" {
		t.Errorf("exit code %d, runs %q\n%s", code, b.calls(t, "pingpong"), stderr)
	}
	wantAll(t, b.page(t), "There was no time for it.")
}

func TestGompiAlone(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	code, stdout, stderr := b.run(t.Context(), "-only", "latency,blocked", "-rounds", "1")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	wantAll(t, stderr, "MPICH is not measured: install it by: apt-get install mpich libmpich-dev",
		"Open MPI is not measured: install it by: apt-get install openmpi-bin libopenmpi-dev")
	wantAll(t, stdout, "under 0.1 s")
	if strings.Contains(stdout, "gompi /") {
		t.Errorf("a ratio without a peer:\n%s", stdout)
	}
}

func TestPeersAlone(t *testing.T) {
	b := newBench(t, fake{"mpich", 1, ""})
	code, stdout, stderr := b.run(t.Context(), "-only", "latency", "-rounds", "1")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	wantAll(t, stderr, "gompi is not built")
	wantAll(t, stdout, "not measured")
}

func TestNothingToMeasure(t *testing.T) {
	b := newBench(t)
	code, _, stderr := b.run(t.Context())
	if code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	wantAll(t, stderr, "there is no MPI to measure")
}

func TestFailingRuns(t *testing.T) {
	fails := `[ $program = pingpong ] && { echo "out of luck" >&2; exit 3; }`
	cases := []struct {
		name  string
		fakes []fake
		code  int
		want  string
	}{
		{"gompi fails", []fake{{"gompi", 1, fails}, {"mpich", 1, ""}}, 1, "gompi, 2 ranks: mpiexec: exit status 3: out of luck"},
		{"a peer fails", []fake{{"gompi", 1, ""}, {"mpich", 1, fails}}, 0, "MPICH, 2 ranks: mpiexec.hydra: exit status 3: out of luck"},
		{"nothing is printed", []fake{{"gompi", 1, "[ $program = pingpong ] && exit 0"}}, 1, "gompi, 2 ranks: no result was printed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.fakes...)
			code, stdout, stderr := b.run(t.Context(), "-only", "latency", "-rounds", "3")
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, stderr)
			}
			wantAll(t, stdout, c.want)
			if n := strings.Count(stdout, c.want); n != 1 {
				t.Errorf("the failure stands there %d times:\n%s", n, stdout)
			}
		})
	}
}

func TestMissingHello(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, `[ $program = hello ] && ranks=3`})
	code, stdout, _ := b.run(t.Context(), "-only", "startup", "-rounds", "1")
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	wantAll(t, stdout, "3 of 4 ranks said hello")
}

func TestLibraryThatCannotCompile(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 1, ""})
	broken := "#!/bin/sh\necho no header >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(b.root, "path", "mpicc.mpich"), []byte(broken), 0o755); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := b.run(t.Context(), "-only", "latency", "-rounds", "1")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	wantAll(t, stderr, "MPICH is not measured: mpicc.mpich: exit status 1: no header")
	if strings.Contains(stdout, "MPICH") {
		t.Errorf("MPICH is in the tables:\n%s", stdout)
	}
}

func TestBadArguments(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	for want, args := range map[string][]string{
		`there is no benchmark "speed"; there are latency, `: {"-only", "latency,speed"},
		"unexpected argument":                                {"latency"},
		"-rounds is -1":                                      {"-rounds", "-1"},
		"-time is -1s":                                       {"-time", "-1s"},
		"flag provided but not de":                           {"-nonsense"},
	} {
		code, _, stderr := b.run(t.Context(), args...)
		if code != 2 {
			t.Errorf("%v: exit code %d, want 2", args, code)
		}
		wantAll(t, stderr, want)
	}
	code, stdout, _ := b.run(t.Context(), "-list")
	if code != 0 || strings.Count(stdout, "\n") != len(allBenchmarks(plan{})) {
		t.Errorf("-list: exit code %d\n%s", code, stdout)
	}
}

func TestInterruption(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, _ := b.run(ctx, "-only", "latency"); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	if _, err := os.Stat(filepath.Join(b.root, "build", "bench", reportName)); err == nil {
		t.Error("a report was written")
	}
}
