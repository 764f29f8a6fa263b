package runtime

import (
	"errors"
	"strings"
	"testing"

	"gompi/fabric"
	"gompi/runtime/transport/ofi"
	"gompi/shm"
)

// telling is a launcher of a job whose other ranks are at their end and use no network.
type telling struct {
	tells   bool
	segment *shm.Segment
}

func (l telling) UseNetwork() error { return nil }
func (l telling) Tells() bool       { return l.tells }

func (l telling) Rest() error {
	shm.SetNetwork(l.segment, shm.NetworkUnused)
	return nil
}

// withoutLibrary is a rank that is alone on its machine, of two that cannot use libfabric. What is asked of
// the library, and what ends the rank, arrive in the channels.
func withoutLibrary(t *testing.T, tells bool) (p *Process, loads chan string, ends chan error) {
	t.Helper()
	segment, err := shm.CreateJob(1)
	if err != nil {
		t.Fatal(err)
	}
	none := errors.New("no libfabric")
	const enough = 16
	loads, ends = make(chan string, enough), make(chan error, enough)
	c := Config{Rank: 0, Size: 2, Node: []int{0}, Machines: []int{0, 1}, Segment: segment,
		Fabric:   func(fabric.Opening) (fabric.Opened, error) { return fabric.Opened{}, none },
		Launcher: telling{tells, segment},
		LoadFabric: func(file string) error {
			loads <- file
			return none
		},
		Fatal: func(err error) { ends <- err }}
	c.Settings.Libfabric = "/none"
	if p, err = New(c); err != nil {
		t.Fatal(err)
	}
	return p, loads, ends
}

// A rank without a library opens the network when another rank uses it, and not before.
func TestListen(t *testing.T) {
	p, loads, ends := withoutLibrary(t, true)
	defer p.Segment.Close()
	if file := <-loads; file != "/none" {
		t.Errorf("the library that is loaded is %q", file)
	}
	p.listen(p.far.(*ofi.Late))
	select {
	case err := <-ends:
		t.Fatalf("nobody needs the network: %v", err)
	default:
	}
	shm.SetNetwork(p.Segment, shm.NetworkUsed)
	if err := <-ends; !strings.Contains(err.Error(), "no libfabric") {
		t.Error(err)
	}
}

// A rank that is at its end does not listen any more.
func TestListenAtTheEnd(t *testing.T) {
	p, loads, ends := withoutLibrary(t, true)
	<-loads
	if err := p.Finalize(); err != nil {
		t.Fatal(err)
	}
	p.Segment.Close()
	p.listen(p.far.(*ofi.Late)) // which would be a fault
	p.settle(p.far.(*ofi.Late))
	if len(loads) != 0 || len(ends) != 0 {
		t.Error("the network is opened after the end")
	}
}

// Under a launcher that does not say who uses the network, all ranks open it.
func TestNobodyTells(t *testing.T) {
	p, loads, ends := withoutLibrary(t, false)
	defer p.Segment.Close()
	if err := <-ends; !strings.Contains(err.Error(), "no libfabric") || len(loads) != 0 {
		t.Error(err)
	}
}
