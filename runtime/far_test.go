package runtime

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gompi/fabric"
	"gompi/runtime/transport/network"
	"gompi/shm"
)

// telling is a launcher of a job whose other ranks are at their end and use no network.
type telling struct {
	tells   bool
	segment *shm.Segment
	rested  bool // a rank has told that it is at its end and has not opened the network
}

func (l *telling) UseNetwork() error { return nil }
func (l *telling) Tells() bool       { return l.tells }

func (l *telling) Rest() error {
	l.rested = true
	shm.SetNetwork(l.segment, shm.NetworkUnused)
	return nil
}

// withoutNetwork is a rank that is alone on its machine, of two whose network cannot be opened. What ends the
// rank arrives in the channel.
func withoutNetwork(t *testing.T, tells bool) (p *Process, ends chan error) {
	t.Helper()
	segment, err := shm.CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	const enough = 16
	ends = make(chan error, enough)
	c := Config{Rank: 0, Size: 2, Node: []int{0}, Machines: []int{0, 1}, Segment: segment,
		Fabric: func(fabric.Opening) (fabric.Opened, error) {
			return fabric.Opened{}, errors.New("no network")
		},
		Launcher: &telling{tells: tells, segment: segment},
		Fatal:    func(err error) { ends <- err }}
	if p, err = New(c); err != nil {
		t.Fatal(err)
	}
	return p, ends
}

// A rank opens the network a moment after its start, under a launcher that says who uses it and under one
// that does not, and its job ends where that fails.
func TestOpensNetwork(t *testing.T) {
	for _, tells := range []bool{false, true} {
		p, ends := withoutNetwork(t, tells)
		if err := <-ends; !strings.Contains(err.Error(), "no network") {
			t.Error(err)
		}
		p.Segment.Close()
	}
}

// A rank that has come to its end does not open the network any more. One whose time of settling is over by
// then has opened it, and is no test.
func TestNoNetworkAtTheEnd(t *testing.T) {
	for rested := false; !rested; {
		p, ends := withoutNetwork(t, true)
		if err := p.Finalize(); err != nil {
			t.Fatal(err)
		}
		rested = p.Launcher.(*telling).rested
		p.Segment.Close()
		late := p.far.(*network.Late)
		if late.Begin(); rested && (!late.Begun() || len(ends) != 0) {
			t.Error("the network is opened after the end")
		}
	}
}

// The built-in network is taken where it is asked for, where the job stays on its machine, and where there is
// no library that the user has named.
func TestBuiltIn(t *testing.T) {
	noLibrary, broken := fmt.Errorf("%w: a test", fabric.ErrNoLibrary), errors.New("no device")
	for _, c := range []struct {
		wish           fabric.Wish
		file           string
		fails          error
		prefers, takes bool
	}{
		{wish: fabric.Wish{Provider: fabric.BuiltIn}, fails: noLibrary, prefers: true},
		{wish: fabric.Wish{Loopback: true}, fails: broken, prefers: true},
		{wish: fabric.Wish{Loopback: true, Provider: "tcp"}, fails: noLibrary},
		{fails: noLibrary, takes: true},
		{fails: noLibrary, file: "/none"},
		{fails: noLibrary, wish: fabric.Wish{Provider: "verbs"}},
		{fails: broken},
	} {
		o := fabric.Opening{Wish: c.wish, File: c.file}
		if prefersBuiltIn(&o) != c.prefers || !c.prefers && takesBuiltIn(&o, c.fails) != c.takes {
			t.Errorf("%+v: it is preferred: %v", c, prefersBuiltIn(&o))
		}
	}
}

// Without a library an endpoint is opened all the same.
func TestWithoutLibrary(t *testing.T) {
	c := Config{Fabric: func(fabric.Opening) (fabric.Opened, error) {
		return fabric.Opened{}, errors.New("libfabric is not to be tried")
	}}
	o, err := c.connect(fabric.Opening{Wish: fabric.Wish{Loopback: true}, Source: thisMachine,
		Options: network.Options(2, true, nil)})
	if err != nil || o.Provider != fabric.BuiltIn {
		t.Fatal(o.Provider, err)
	}
	o.Endpoint.Close()
}
