package trace

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// Of a run that is longer than the memory the latest calls are there, and what belongs together of them.
func TestLatestCalls(t *testing.T) {
	events, file, said := traced(t, 2, 0, "--trace-limit", "1", "./long")
	nested(t, events)
	if !strings.Contains(said, "of rank 0 the first ") || !strings.Contains(said, "of rank 1 the first ") {
		t.Errorf("said %q", said)
	}
	if _, text := command(t, "gompi-info", "--trace", file); !strings.Contains(text, "calls at the beginning are missing") {
		t.Errorf("profile\n%s", text)
	}
	for at, list := range calls(events) {
		if last := list[len(list)-1].Name; last != "MPI_Finalize" || len(list) < 5000 {
			t.Errorf("process and thread %v: %d calls, the last is %s", at, len(list), last)
		}
	}
	if ends := arrows(t, events); ends[0] < 1000 || ends[1] < 1000 {
		t.Errorf("messages end at %v", ends)
	}
	inTurn(t, events)
	together(t, events)
}

// inTurn fails unless each message of a process has arrived before it sends the next one.
func inTurn(t *testing.T, events []event) {
	t.Helper()
	from := map[int][]event{}
	ends := map[int]event{}
	for _, e := range events {
		switch e.Ph {
		case "s":
			from[e.Pid] = append(from[e.Pid], e)
		case "f":
			ends[e.ID] = e
		}
	}
	for pid, list := range from {
		slices.SortFunc(list, func(a, b event) int { return cmp.Compare(a.begin(), b.begin()) })
		for i := range len(list) - 1 {
			arrival := ends[list[i].ID]
			if end := arrival.begin(); end > list[i+1].begin() {
				t.Fatalf("message %d of process %d arrives at %d, behind the begin of the next one at %d", i, pid, end,
					list[i+1].begin())
			}
		}
	}
}

// together fails unless the ranks of each barrier are in it at one time.
func together(t *testing.T, events []event) {
	t.Helper()
	parts := map[int][]event{}
	for _, e := range events {
		if e.Name == "MPI_Barrier" {
			parts[e.Args.Operation] = append(parts[e.Args.Operation], e)
		}
	}
	both := 0
	for number, p := range parts {
		if len(p) != 2 {
			continue
		}
		if both++; p[0].end() < p[1].begin() || p[1].end() < p[0].begin() {
			t.Errorf("barrier %d: from %d to %d, and from %d to %d", number, p[0].begin(), p[0].end(), p[1].begin(), p[1].end())
		}
	}
	if both < 5 {
		t.Errorf("%d barriers have both ranks", both)
	}
}
