package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	busy, stolen, ok := parseStat("cpu  100 200 300 4000 500 60 70 80 0 0\ncpu0 1 2 3")
	if !ok || busy != 7.3 || stolen != 0.8 {
		t.Errorf("busy %g, stolen %g, %v", busy, stolen, ok)
	}
	if _, _, ok := parseStat("cpu 1 2"); ok {
		t.Error("a short line was read")
	}
}

func TestParsePressure(t *testing.T) {
	text := "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
	if seconds, ok := parsePressure(text); !ok || seconds != 2.5 {
		t.Errorf("%g s, %v", seconds, ok)
	}
	if _, ok := parsePressure("nothing"); ok {
		t.Error("something was read")
	}
}

func TestLoadBetween(t *testing.T) {
	begin := time.Now()
	from := usage{at: begin, busy: 10, stolen: 1, own: 5, waited: 2, known: true, pressed: true}
	to := usage{at: begin.Add(2 * time.Second), busy: 14, stolen: 1.5, own: 6, waited: 3, known: true,
		pressed: true}
	if l := loadBetween(from, to); l.Others != 1.5 || l.Stolen != 0.25 {
		t.Errorf("load %+v", l)
	}
	if w := pressureBetween(from, to); w == nil || *w != 0.5 {
		t.Errorf("waited %v", w)
	}
	to.own = 100 // the clock ticks of /proc/stat are coarser than rusage
	if l := loadBetween(from, to); l.Others != 0 {
		t.Errorf("load %+v", l)
	}
	to.pressed = false
	if w := pressureBetween(from, to); w != nil {
		t.Errorf("waited %v on a system that does not tell", *w)
	}
}

// What the driver starts is no load of others.
func TestOwnChildrenAreNoLoad(t *testing.T) {
	from := usageNow()
	if !from.known {
		t.Fatal("/proc/stat cannot be read")
	}
	if _, err := execute(t.Context(), time.Minute, nil, "/bin/sh", "-c",
		"i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"); err != nil {
		t.Fatal(err)
	}
	to := usageNow()
	if used := to.own - from.own; used <= 0 {
		t.Errorf("a child that counted used %g s", used)
	}
}

func TestLoadIsNoted(t *testing.T) {
	share := 0.25
	tab := newTable(benchmark{title: "T"})
	tab.loads = []load{{Others: 0.1, Waited: &share}, {Others: 1.5}, {Others: 0.3}}
	wantAll(t, tab.loadNote(), "used 0.300 cores meanwhile, at most 1.50")
	r := &results{tables: []*table{tab, newTable(benchmark{})}}
	var all []string
	for _, line := range r.loadLines() {
		all = append(all, strings.Join(line, ": "))
	}
	wantAll(t, strings.Join(all, "\n"), "0.300 cores, at most 1.50", "25 %, at most 25 %")
	tab.loads = []load{{Others: 0.1}}
	if note := tab.loadNote(); note != "" {
		t.Errorf("little load is noted: %s", note)
	}
}

// Busy programs run as long as the launch beside them, and no longer.
func TestBusyProgramsEnd(t *testing.T) {
	alive := `[ $program = percentiles ] && while read pid; do
		[ -d /proc/$pid ] && echo "$3 $pid" >> ROOT/alive; done < ROOT/busy`
	// The launcher waits until the programs have said who they are.
	waits := `[ $program = percentiles ] && { want=1; [ "$3" = roundtrip ] && want=4
		while :; do n=0; [ -e ROOT/busy ] && while read pid; do
		[ -d /proc/$pid ] && n=$((n + 1)); done < ROOT/busy; [ $n -lt $want ] || break; done; }
	` + alive
	b := newBench(t, fake{"gompi", 1, waits})
	if code, _, stderr := b.run(t.Context(), "-only", "beside", "-rounds", "1"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	counted := map[string]int{}
	for line := range strings.Lines(readFile(t, b.root, "alive")) {
		counted[strings.Fields(line)[0]]++
	}
	if counted["roundtrip"] != 4 || counted["fence"] != 1 || counted["pscw"] != 1 {
		t.Errorf("busy programs beside each launch: %v", counted)
	}
	for line := range strings.Lines(readFile(t, b.root, "busy")) {
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("busy program %d is still there", pid)
		}
	}
}

// Without a C compiler the launches beside busy programs fail, and nothing else does.
func TestNoBusyProgram(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""})
	if err := os.Remove(filepath.Join(b.root, "path", "cc")); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := b.run(t.Context(), "-only", "barrier,beside", "-rounds", "1")
	if code != 1 || !strings.Contains(stdout, "there is no busy program to run beside") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	wantAll(t, stdout, "MPI_Barrier of many ranks")
}
