package hang

import (
	"testing"
	"time"

	"gompi/wire/state"
)

const second = uint64(time.Second)

// world is a job of n ranks that wait for what needs says, since 10 s.
func world(n int, needs func(rank int) state.Need) *Job {
	j := &Job{Now: 100 * second, Worlds: map[string]int{"id": 0}}
	for r := range n {
		need := needs(r)
		j.Ranks = append(j.Ranks, Rank{Number: r, Phase: Waiting, State: &state.Rank{
			Comms: []state.Comm{{Name: "MPI_COMM_WORLD", Rank: int32(r),
				Members: []state.Span{{First: 0, Step: 1, Length: int32(n)}}}},
			Waits: []state.Wait{{Call: "MPI_Recv", Since: 90 * second, Needs: []state.Need{need}}},
		}})
	}
	return j
}

func next(n int) func(int) state.Need {
	return func(rank int) state.Need {
		return state.Need{Kind: state.Receive, Peer: int32((rank + 1) % n), Bytes: -1}
	}
}

// TestHung has jobs that hang, and such as do not.
func TestHung(t *testing.T) {
	const least = 9 * time.Second
	for name, c := range map[string]struct {
		change func(j *Job)
		hung   bool
	}{
		"all wait":       {func(*Job) {}, true},
		"one has left":   {func(j *Job) { j.Ranks[2].Phase, j.Ranks[2].State = Finished, nil }, true},
		"one computes":   {func(j *Job) { j.Ranks[2].Phase, j.Ranks[2].State = Running, nil }, false},
		"one begins":     {func(j *Job) { j.Ranks[2].Phase, j.Ranks[2].State = Starting, nil }, false},
		"one has moved":  {func(j *Job) { j.Ranks[1].State.Waits[0].Since = 99 * second }, false},
		"another thread": {func(j *Job) { j.Ranks[1].Threads = 2 }, false},
		"a file":         {func(j *Job) { j.Ranks[1].State.Waits[0].Needs[0].Kind = state.Elsewhere }, false},
		"under way":      {func(j *Job) { j.Ranks[1].State.Sent, j.Ranks[0].State.Taken = 5, 4 }, false},
		"arrived":        {func(j *Job) { j.Ranks[1].State.Sent, j.Ranks[0].State.Taken = 5, 5 }, true},
		"wrapped": {func(j *Job) {
			j.Ranks[0].State.Sent, j.Ranks[1].State.Sent, j.Ranks[2].State.Taken = 1<<31, 1<<31+3, 3
		}, true},
		"taken leave": {func(j *Job) {
			j.Ranks[1].State.Sent, j.Ranks[2].Phase, j.Ranks[2].State = 5, Finished, nil
		}, true},
		"a promise": {func(j *Job) { j.Ranks[1].State.Waits[0].Needs[0].Kind = state.Completion }, false},
		"never kept": {func(j *Job) {
			j.Ranks[1].State.Waits[0].Needs[0].Kind, j.Ranks[1].Threads = state.Completion, 1
		}, true},
		"another job": {func(j *Job) { j.Ranks[1].State.Comms[0].Members[0].Job = "other" }, false},
		"a known job": {func(j *Job) { j.Ranks[1].State.Comms[0].Members[0].Job = "id" }, true},
	} {
		j := world(3, next(3))
		if c.change(j); j.Hung(least) != c.hung {
			t.Errorf("%s: hung %t, want %t", name, !c.hung, c.hung)
		}
	}
}

// What a rank has sent before it left takes its time to another machine.
func TestHungAfterALeave(t *testing.T) {
	for _, c := range []struct {
		host string
		age  uint64 // of the other rank's wait
		hung bool
	}{{"near", second, true}, {"far", second, false}, {"far", 3 * second, true}} {
		j := world(2, next(2))
		j.Ranks[0].Host, j.Ranks[0].Phase, j.Ranks[0].State = c.host, Finished, nil
		j.Ranks[1].Host, j.Ranks[1].State.Waits[0].Since = "near", j.Now-c.age
		if j.Hung(time.Second/2) != c.hung {
			t.Errorf("the other has left on the %s host, this one waits for %d s: hung %t, want %t", c.host,
				c.age/second, !c.hung, c.hung)
		}
	}
}

// TestMany has more ranks than a sentence should list, and ranks that share a state.
func TestMany(t *testing.T) {
	j := world(100, next(100))
	want := "a cycle of waits: ranks 0-99 wait in MPI_Recv, each for the next: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... -> 0"
	if got := j.Cause(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	j = world(100, func(r int) state.Need {
		if r == 6 {
			return next(100)(r)
		}
		return state.Need{Kind: state.Collective, Name: "MPI_Barrier", Root: state.NoRoot, Bytes: -1, Absent: []int32{6}}
	})
	lines := j.Text()
	if len(lines) != 3 || lines[1][:8] != "  0-5, 7" {
		t.Errorf("%q", lines)
	}
}

// TestNonsense has ranks that say what cannot be.
func TestNonsense(t *testing.T) {
	j := world(3, func(r int) state.Need {
		return state.Need{Kind: state.Kind(100 + r), Peer: 77, Absent: []int32{-5, 1 << 30}, Root: 1 << 30}
	})
	j.Ranks[0].State.Comms[0].Members = []state.Span{{First: -1, Step: 1 << 30, Length: 1 << 30}}
	j.Ranks[1].State.Waits[0].Needs[0].Kind = state.WindowLock
	j.Ranks[2].State.Waits[0].Needs[0].Kind = state.Send
	j.Hung(0)
	j.Cause()
	if len(j.Text()) == 0 {
		t.Error("no table")
	}
}
