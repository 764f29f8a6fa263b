package ask

import (
	"errors"
	"testing"

	"gompi/launch/hang"
	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"
	"gompi/wire/state"
)

// Another host answers what its rank waits for, by a clock of its own; what makes no sense is refused.
func TestStatesOfOtherHosts(t *testing.T) {
	far := &host.Link{Greeted: true}
	w := world.New(0, []process.App{{Ranks: 2}}, 2)
	n := &world.Node{Host: &host.Host{Name: "far", Link: far}, ID: "ab"}
	all := &world.Table{Worlds: []*world.World{w}}
	a := &Asker{table: all, hosts: &host.Hosts{}}
	r := &world.Rank{World: w, Node: n, Number: 1, Pid: 5, Begun: true}
	w.Nodes, w.Ranks, all.Ranks = []*world.Node{n}, []*world.Rank{r}, []*world.Rank{r}

	report := (&state.Rank{Now: 100, Waits: []state.Wait{{Call: "MPI_Recv", Since: 60,
		Needs: []state.Need{{Kind: state.Elsewhere, Text: "a port"}}}}}).Encode(1 << 10)
	body := packStates([]told{{rank: r, report: report, places: []string{"a.c:3"}}})
	var got *hang.Job
	begin := func() {
		got = nil
		a.question = &question{number: 7, unsaid: []*host.Link{far}, found: map[*world.Rank]hang.Rank{},
			then: []func(*hang.Job){func(all *hang.Job) { got = all }}}
	}
	begin()
	err := a.TakeStates(far, &host.Frame{Kind: host.FrameStates, Rank: 6, Body: body})
	if err != nil || got != nil {
		t.Errorf("the answer to another question: %v, %+v", err, got)
	}
	before := shm.Now()
	whole := &host.Frame{Kind: host.FrameStates, Rank: 7, Body: body}
	if err := a.TakeStates(far, whole); err != nil || got == nil {
		t.Fatalf("%v, %+v", err, got)
	}
	one := got.Ranks[0]
	if _, known := got.Worlds["ab"]; !known || one.Phase != hang.Waiting || one.Host != "far" || one.Pid != 5 ||
		one.Places[0] != "a.c:3" {
		t.Errorf("%+v", one)
	}
	if since := one.State.Waits[0].Since; since == 60 || since > before {
		t.Errorf("waits since %d, asked at %d", since, before)
	}

	begin()
	for end := range body {
		cut := &host.Frame{Kind: host.FrameStates, Rank: 7, Body: body[:end]}
		if err := a.TakeStates(far, cut); !errors.Is(err, host.ErrFrame) {
			t.Errorf("cut at %d: %v", end, err)
		}
	}
	other := &host.Link{}
	if err := a.TakeStates(other, whole); !errors.Is(err, host.ErrFrame) {
		t.Errorf("a rank of another host: %v", err)
	}
	// A host that is lost is not waited for.
	if a.Lost(far); got == nil || got.Ranks[0].Phase != hang.Running {
		t.Errorf("%+v", got)
	}
}
