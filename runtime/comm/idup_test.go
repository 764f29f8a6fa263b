package comm_test

import (
	"fmt"
	"testing"

	"gompi/runtime"
	"gompi/runtime/attr"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// waitAll waits for all requests, the last one first.
func waitAll(p *runtime.Process, rs []*request.Request) error {
	for i := len(rs) - 1; i >= 0; i-- {
		if err := p.Engine.Wait(rs[i], nil); err != nil {
			return err
		}
	}
	return nil
}

// Many duplicates are under way at once, on several communicators in an order that differs between the ranks,
// while blocking calls make others: no two get the same contexts.
func TestIdup(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		second, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		from := []*comm.Comm{p.World, second, p.Self}
		var made, ofWorld []*comm.Comm
		for range 3 {
			var rs []*request.Request
			for i := range 12 {
				c := from[(i+p.Rank)%len(from)]
				d, r, err := p.Comms.Idup(c, nil, "MPI_Comm_idup", comm.Birth{})
				if err != nil {
					return err
				}
				if c == p.World {
					ofWorld = append(ofWorld, d)
				}
				made, rs = append(made, d), append(rs, r)
			}
			d, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
			if err != nil {
				return err
			}
			made = append(made, d)
			if err := waitAll(p, rs); err != nil {
				return err
			}
		}
		seen := map[uint32]bool{p.World.P2P.ID: true, p.Self.P2P.ID: true, second.P2P.ID: true}
		for _, d := range made {
			if seen[d.P2P.ID] {
				return fmt.Errorf("context %d twice", d.P2P.ID)
			}
			seen[d.P2P.ID] = true
		}
		for _, d := range ofWorld {
			if err := say(d, func(r int) int { return r }); err != nil {
				return err
			}
		}
		for _, d := range made {
			p.Comms.Free(d)
		}
		return nil
	})
}

// A duplicate made without waiting is usable by all when it is done.
func TestIdupTalks(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		c := p.World
		for range 5 {
			d, r, err := p.Comms.Idup(c, nil, "MPI_Comm_idup", comm.Birth{})
			if err != nil {
				return err
			}
			if err := p.Engine.Wait(r, nil); err != nil {
				return err
			}
			if s := comm.Compare(d, c); s != comm.Congruent {
				return fmt.Errorf("compare: %d", s)
			}
			if err := say(d, func(r int) int { return r }); err != nil {
				return err
			}
			if c != p.World {
				p.Comms.Free(c)
			}
			c = d
		}
		return nil
	})
}

func TestIdupOfIntercommunicators(t *testing.T) {
	halves(t, func(p *runtime.Process, c *comm.Comm) error {
		var rs []*request.Request
		var ds []*comm.Comm
		for range 4 {
			d, r, err := p.Comms.Idup(c, nil, "MPI_Comm_idup", comm.Birth{})
			if err != nil {
				return err
			}
			rs, ds = append(rs, r), append(ds, d)
		}
		if err := waitAll(p, rs); err != nil {
			return err
		}
		for _, d := range ds {
			if !d.Inter() || d.Size() != c.Size() || d.Targets() != c.Targets() {
				return fmt.Errorf("%d and %d ranks", d.Size(), d.Targets())
			}
			if err := talk(d); err != nil {
				return err
			}
		}
		return nil
	})
}

// refusing is a key whose copy callback fails on one rank.
type refusing struct{ here bool }

func (f refusing) Copy(_ any, _ int, value attr.Value) (attr.Value, bool, error) {
	if f.here {
		return attr.Value{}, false, mpierr.New(mpierr.ErrOther, "not copied")
	}
	value.Pointer++
	return value, true, nil
}

func (refusing) Delete(any, int, attr.Value) error { return nil }

func (refusing) Copies() bool { return true }

// A copy callback that fails on one rank leaves that rank without a communicator, and the others with theirs.
func TestIdupWithCallbackThatFails(t *testing.T) {
	everywhere(t, func(p *runtime.Process) error {
		var keys attr.Registry
		k := keys.Create(5000, refusing{here: p.Rank == 0}, &fast.Keyval{Kind: fast.CommKeys, Uses: 1})
		keys.Find = func(int) *attr.Keyval { return k }
		c := p.World
		if err := c.Attributes.Put(&c.Base, k, attr.Value{Pointer: 7}); err != nil {
			return err
		}
		d, r, err := p.Comms.Idup(c, nil, "MPI_Comm_idup", comm.Birth{})
		if p.Rank == 0 {
			if mpierr.CodeOf(err) != int(mpierr.ErrOther) || d != nil || r != nil {
				return fmt.Errorf("%v, %v, %v", d, r, err)
			}
		} else {
			if err != nil {
				return err
			}
			if v, ok := d.Attributes.Get(k.Number); !ok || v.Pointer != 8 {
				return fmt.Errorf("value %v %v", v, ok)
			}
			if err := p.Engine.Wait(r, nil); err != nil {
				return err
			}
		}
		if err := c.Attributes.Delete(&c.Base, k); err != nil {
			return err
		}
		d, err = p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		return say(d, func(r int) int { return r })
	})
}
