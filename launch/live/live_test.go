package live

import (
	"strings"
	"testing"
	"time"

	"gompi/wire/state"
)

// at is a sample of one rank that has been counted.
func at(t time.Duration, r Rank) *Sample {
	r.At, r.Counted = t, true
	return &Sample{Pid: 1, Ranks: []Rank{r}}
}

func TestRatesBetweenSamples(t *testing.T) {
	before := at(10*time.Second, Rank{Pid: 7, Processor: time.Second,
		Counts: state.Counts{Operations: 100, Messages: 10, Bytes: 1000, Waited: uint64(time.Second)}})
	now := at(12*time.Second, Rank{Pid: 7, Processor: 2 * time.Second, State: Running, Doing: computes,
		Counts: state.Counts{Operations: 400, Messages: 30, Bytes: 9000, Waited: 1500e6}})
	got := Between(before, now)
	r := got.Rows[0]
	want := Rates{Operations: 150, Messages: 10, Bytes: 4000, Waiting: 0.25}
	if got.Seconds != 2 || *r.Rates != want || r.Processors != 0.5 {
		t.Errorf("%+v, %+v", r, r.Rates)
	}
	if line := got.Lines(0)[2]; strings.Join(strings.Fields(line), " ") != "0 computing 25% 150 10 4.0k 50% 0" {
		t.Error(line)
	}
}

// A wait that goes on has not been counted yet; no share is more than all; counts that go back are those of
// memory that is something else by now.
func TestRatesAreBounded(t *testing.T) {
	before := at(10*time.Second, Rank{Counts: state.Counts{Messages: 50, Waited: 1}})
	now := at(11*time.Second, Rank{State: Waiting, Waits: []Wait{{Call: "MPI_Recv", For: 40 * time.Second}},
		Counts: state.Counts{Messages: 20, Waited: 1}})
	if r := Between(before, now).Rows[0].Rates; r.Waiting != 1 || r.Messages != 0 {
		t.Errorf("%+v", r)
	}
	now.Ranks[0].Waits = nil
	now.Ranks[0].Counts.Waited = uint64(time.Hour)
	if r := Between(before, now).Rows[0].Rates; r.Waiting != 1 {
		t.Errorf("%+v", r)
	}
}

// What is not known is not told: of a rank that is new, of another process of that number, of one that cannot
// be read, of one that has ended.
func TestRatesThatAreNotKnown(t *testing.T) {
	before := at(time.Second, Rank{Pid: 7})
	for name, now := range map[string]*Sample{
		"new":     at(2*time.Second, Rank{Pid: 7, Number: 1}),
		"another": at(2*time.Second, Rank{Pid: 8}),
		"ended":   at(2*time.Second, Rank{Pid: 7, State: Ended}),
		"unread":  {Ranks: []Rank{{Pid: 7, At: 2 * time.Second}}},
	} {
		got := Between(before, now)
		if got.Rows[0].Rates != nil {
			t.Errorf("%s: %+v", name, got.Rows[0].Rates)
		}
		if f := strings.Fields(got.Lines(0)[2]); !strings.Contains(strings.Join(f, " "), "- - - -") {
			t.Errorf("%s: %q", name, f)
		}
	}
}

func TestTable(t *testing.T) {
	s := &Sample{Silent: []string{"b"}, Ranks: []Rank{
		{Host: "a", State: Waiting, Waits: []Wait{{"MPI_Recv", "ring.c:3", 3 * time.Second, "a message"}, {}}},
		{Host: "b", World: 2, Number: 1, State: Running, Doing: "sleeps in read"},
	}}
	lines := Between(&Sample{}, s).Lines(0)
	for i, want := range []string{
		"2 ranks: 1 running, 1 waiting; 0.0 processors, memory 0; no answer from b",
		"rank host state wait calls/s msgs/s bytes/s cpu memory what it does",
		"0 a waiting - - - - 0% 0 MPI_Recv at ring.c:3 for 3.0 s: a message (and in 1 more)",
		"2.1 b running - - - - 0% 0 sleeps in read",
	} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, line := range Between(&Sample{}, s).Lines(20) {
		if n := len([]rune(line)); n > 20 {
			t.Errorf("%q has %d columns", line, n)
		}
	}
}

func TestShort(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 7.4: "7", 999: "999", 999.6: "1.0k", 12345: "12.3k",
		99950: "100k", 999499: "999k", 2.5e6: "2.5M", 3e18: "3000P"} {
		if got := Short(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}
