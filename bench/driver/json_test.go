package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 2, ""})
	if code, _, stderr := b.run(t.Context(), "-only", "latency", "-rounds", "2"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	name := b.results(t, "build", "bench").machine.fileName() + ".json"
	var got jsonResults
	if err := json.Unmarshal([]byte(readFile(t, b.root, "build", "bench", name)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Rounds != 2 || len(got.MPIs) != 2 || len(got.Tables) != 1 {
		t.Fatalf("got %+v", got)
	}
	p := got.Tables[0].Points[0]
	if p.X != 1 || len(p.Samples["mpich"]) != 2 || p.Ratio == nil || *p.Ratio != 0.5 || p.Peer != "mpich" ||
		p.Batches["mpich"] != (jsonWhole{16, 48}) || p.Certain != "few" {
		t.Errorf("first point: %+v", p)
	}
	if len(got.Tables[0].Loads) != 2 {
		t.Errorf("loads: %+v, want one for each turn", got.Tables[0].Loads)
	}
}

// What is read is what was written.
func TestReadJSON(t *testing.T) {
	says := `[ $program = io ] && { echo "unsupported MPI_File_open all"; exit 0; }
		[ $program = polled ] && { echo "out of luck" >&2; exit 3; }`
	b := newBench(t, fake{"gompi", 1, says}, fake{"mpich", 2, ""}, fake{"openmpi", 3, ""})
	b.setCacheline(t, "40")
	if code, _, _ := b.run(t.Context(), "-rounds", "2"); code != 1 {
		t.Fatalf("exit code %d", code)
	}
	r := b.results(t, "docs", "reports", "performance")
	again := filepath.Join(t.TempDir(), "again.json")
	if err := writeJSON(again, r); err != nil {
		t.Fatal(err)
	}
	first := readFile(t, b.root, "docs", "reports", "performance", r.machine.fileName()+".json")
	second := readFile(t, again)
	for i := range min(len(first), len(second)) {
		if first[i] != second[i] {
			t.Fatalf("written ...%.80s, read and written again ...%.80s", first[i:], second[i:])
		}
	}
	if len(first) != len(second) {
		t.Errorf("%d bytes were written, and %d again", len(first), len(second))
	}
}

// The text of a benchmark that an older file does not have comes from the plan.
func TestOlderFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.json")
	text := `{"machine":{"processor":"P","cores":"2","place":"near"},"benchmarks":[{"name":"latency","title":"T","axis":"bytes",
		"points":[{"x":8,"samples":{"gompi":[1,2]}}]}]}`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := readJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	tab := r.table("latency")
	if !strings.Contains(tab.about, "message to and fro") || len(tab.samples["gompi"][row{x: 8}]) != 2 {
		t.Errorf("read: %+v", tab)
	}
	if missing := strings.Join(r.missing(), "; "); !strings.Contains(missing, "MPI_Barrier of many ranks") ||
		strings.Contains(missing, "Ping-pong latency;") {
		t.Errorf("missing: %s", missing)
	}
	if r.part = true; len(r.missing()) != 0 {
		t.Error("a part misses nothing")
	}
}

func TestBadFiles(t *testing.T) {
	folder := t.TempDir()
	if err := writeReport(options{out: folder}); err == nil || !strings.Contains(err.Error(), "there are no results") {
		t.Errorf("an empty folder: %v", err)
	}
	for text, want := range map[string]string{
		"{": "unexpected end", "{}": "the number of cores",
		`{"machine":{"processor":"P","cores":"2"}}`: "whose name is p-2-cores.json",
	} {
		file := filepath.Join(folder, "some.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := writeReport(options{out: folder}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// What is checked in is what the results beside it give, so that nothing changes when it is written again.
func TestCheckedInReports(t *testing.T) {
	const reports = "../../docs/reports"
	for _, name := range []string{"performance", "nodes"} {
		folder := filepath.Join(t.TempDir(), "docs", "reports", name)
		if err := os.CopyFS(folder, os.DirFS(filepath.Join(reports, name))); err != nil {
			t.Fatal(err)
		}
		opt := options{root: "../..", out: folder, charts: filepath.Join("../../build/bench", name)}
		pages, err := opt.pages()
		if err != nil {
			t.Fatal(err)
		}
		all, err := opt.read()
		if err != nil {
			t.Fatal(err)
		}
		if err := pages[0].write(all); err != nil {
			t.Fatal(err)
		}
		if readFile(t, folder, reportName) != readFile(t, reports, name, reportName) {
			t.Errorf("%s/%s/%s is not up to date: make bench-report", reports, name, reportName)
		}
	}
}
