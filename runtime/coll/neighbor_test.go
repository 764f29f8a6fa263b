package coll_test

import (
	"fmt"
	"math/rand/v2"

	"gompi/runtime/coll/partition"

	gort "runtime"
	"slices"
	"sync/atomic"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/topo"
)

// link is one block that one rank sends to another one; the number says which.
type link struct{ from, to, number int }

// vicinity is a communicator with a topology, and what this rank sends and receives in it, block by block.
// Number -1 stands for a neighbor that there is not.
type vicinity struct {
	c       *comm.Comm
	out, in []link
	p       *runtime.Process
	quick   func() bool      // whether package fast is to be asked; nil for never
	done    *[5]atomic.Int32 // operations that it has carried out, by kind
}

// randomGraph is a distributed graph with parallel edges and loops; all ranks draw the same.
func randomGraph(p *runtime.Process, rng *rand.Rand, edges int) (v vicinity, err error) {
	g := &topo.DistGraph{}
	var all []link
	for i := range edges {
		all = append(all, link{rng.IntN(p.Size), rng.IntN(p.Size), i})
	}
	own := rand.New(rand.NewPCG(uint64(p.Rank), rng.Uint64()))
	// neighbors in any order; edges between the same two ranks in the same order on both
	order := own.Perm(p.Size)
	for _, l := range all {
		if l.from == p.Rank {
			v.out = append(v.out, l)
		}
		if l.to == p.Rank {
			v.in = append(v.in, l)
		}
	}
	slices.SortStableFunc(v.out, func(a, b link) int { return order[a.to] - order[b.to] })
	slices.SortStableFunc(v.in, func(a, b link) int { return order[a.from] - order[b.from] })
	for _, l := range v.out {
		g.Out.Ranks = append(g.Out.Ranks, int32(l.to))
	}
	for _, l := range v.in {
		g.In.Ranks = append(g.In.Ranks, int32(l.from))
	}
	v.c, err = topo.CreateAdjacent(p.Comms, p.World, g)
	return v, err
}

// grid is a Cartesian grid; what goes up in a dimension comes from below.
func grid(p *runtime.Process, dims []int, periods []bool) (v vicinity, err error) {
	v.c, err = topo.CreateCart(p.Comms, p.World, dims, periods, false)
	if v.c == nil || err != nil {
		return v, err
	}
	g, err := topo.CartOf(v.c)
	if err != nil {
		return v, err
	}
	me := v.c.Rank()
	link := func(from, to, direction int) link {
		if from == p2p.ProcNull || to == p2p.ProcNull {
			return link{number: -1}
		}
		return link{from, to, from*2*len(dims) + direction}
	}
	for d := range dims {
		below, above := g.Shift(me, d, 1)
		v.out = append(v.out, link(me, below, 2*d), link(me, above, 2*d+1))
		v.in = append(v.in, link(below, me, 2*d+1), link(above, me, 2*d))
	}
	return v, nil
}

// exchange tries one operation in one form and checks every byte.
func (v vicinity) exchange(step, kind, form int) error {
	typ := types[step%len(types)]
	toAll, even := kind < 2, kind%2 == 0 // allgather, allgatherv, alltoall, alltoallv, alltoallw
	size := func(l link) int {
		switch {
		case even && kind < 4:
			return step % 9
		case toAll:
			return (l.from*7 + step) % 300
		}
		return sizes[(l.number+step)%(len(sizes)-2)] % 400
	}
	bytes := func(l link) []byte {
		which := l.number + 1000
		if toAll {
			which = l.from
		}
		return contribution(which, step, int64(size(l))*typ.Size())
	}
	lay := func(ls []link, filled bool) (p guarded, b *partition.Blocks, want []byte) {
		b = &partition.Blocks{}
		total := 0
		for _, l := range ls {
			n := size(l)
			if l.number < 0 {
				if n = step % 9; !even || kind == 4 {
					n = 3
				}
				want = append(want, make([]byte, int64(n)*typ.Size())...)
			} else {
				want = append(want, bytes(l)...)
			}
			b.Counts, b.Displs = append(b.Counts, int64(n)), append(b.Displs, int64(total))
			total += n
		}
		p = room(typ, total, 1, 0)
		if filled {
			p = data(typ, total, 1, want)
		}
		b.Buffer = p.buf
		switch {
		case even && kind < 4:
			b.Count, b.Counts, b.Displs = int64(step%9), nil, nil
		case kind == 4:
			for i := range b.Displs {
				b.Displs[i] *= typ.Extent()
				b.Types = append(b.Types, typ)
			}
		}
		return p, b, want
	}
	from, send, _ := lay(v.out, true)
	into, recv, want := lay(v.in, false)
	mine := link{from: v.c.Rank()}
	all := data(typ, size(mine), 1, bytes(mine))
	defer func() { gort.KeepAlive(from.mem); gort.KeepAlive(all.mem) }()
	own := all.buf
	plan := func(t *coll.Team) error {
		if toAll {
			return t.NeighborAllgather(own, recv)
		}
		return t.NeighborAlltoall(send, recv)
	}
	e := v.c.Engine()
	switch form {
	case 0:
		err := error(nil)
		if v.quickly(kind, own, send, recv, fast.Blocking) == fast.Done {
			v.done[kind].Add(1)
			break
		}
		if toAll {
			err = coll.NeighborAllgather(v.c, own, recv)
		} else {
			err = coll.NeighborAlltoall(v.c, send, recv)
		}
		if err != nil {
			return err
		}
	case 1:
		handle := new(uintptr)
		if v.quickly(kind, own, send, recv, fast.RequestAt(handle)) == fast.Done {
			if v.quick() && fast.Wait(v.p.Endpoint, handle, nil) == fast.Done {
				break
			}
			if err := e.Wait(v.p.Engine.Named(*handle), nil); err != nil {
				return err
			}
			break
		}
		r, err := coll.Begin(v.c, plan)
		if err == nil {
			err = e.Wait(r, nil)
		}
		if err != nil {
			return err
		}
	case 2:
		r, err := coll.Prepare(v.c, plan)
		if err != nil {
			return err
		}
		for range 2 {
			clear(into.mem)
			if err := e.Start(r); err != nil {
				return err
			}
			if err := e.Wait(r, nil); err != nil {
				return err
			}
		}
		if err := e.Free(r); err != nil {
			return err
		}
	}
	return into.holds(want, 0)
}

// quickly asks package fast for an operation.
func (v vicinity) quickly(kind int, own datatype.Buffer, send, recv *partition.Blocks,
	request uintptr) fast.Reason {
	if v.quick == nil || !v.quick() {
		return fast.NotPlain
	}
	e, h := v.p.Endpoint, v.c.Handle
	type array struct {
		counts, displs []int32
		offsets        []int64
		types          []uintptr
	}
	arrays := func(b *partition.Blocks) (a array) {
		for i, n := range b.Counts {
			a.counts, a.displs = append(a.counts, int32(n)), append(a.displs, int32(b.Displs[i]))
			a.offsets, a.types = append(a.offsets, b.Displs[i]), append(a.types, uintptr(b.Type.Handle()))
		}
		a.counts, a.displs = append(a.counts, 0), append(a.displs, 0) // an address, whatever the number
		a.offsets, a.types = append(a.offsets, 0), append(a.types, 0)
		return a
	}
	s, r := arrays(send), arrays(recv)
	ot, st, rt := uintptr(own.Type.Handle()), uintptr(send.Type.Handle()), uintptr(recv.Type.Handle())
	n := int32(recv.Count)
	switch kind {
	case 0:
		return fast.NeighborAllgather(e, own.Addr, int32(own.Count), ot, recv.Addr, n, rt, h, request)
	case 1:
		return fast.NeighborAllgatherv(e, own.Addr, int32(own.Count), ot, recv.Addr, &r.counts[0],
			&r.displs[0], rt, h, request)
	case 2:
		return fast.NeighborAlltoall(e, send.Addr, int32(send.Count), st, recv.Addr, n, rt, h, request)
	case 3:
		return fast.NeighborAlltoallv(e, send.Addr, &s.counts[0], &s.displs[0], st, recv.Addr, &r.counts[0],
			&r.displs[0], rt, h, request)
	}
	return fast.NeighborAlltoallw(e, send.Addr, &s.counts[0], &s.offsets[0], &s.types[0], recv.Addr,
		&r.counts[0], &r.offsets[0], &r.types[0], h, request)
}

// asking has package fast asked for some operations; which ones differs from rank to rank.
func (v *vicinity) asking(p *runtime.Process, handle uintptr, seed uint64, done *[5]atomic.Int32) error {
	own := rand.New(rand.NewPCG(seed, uint64(p.Rank)))
	v.p, v.done, v.c.Handle = p, done, handle
	v.quick = func() bool { return own.IntN(3) > 0 }
	for _, t := range types {
		if t.Dense() && t.Size() == t.Extent() {
			p.Endpoint.Sizes[uintptr(t.Handle())-fast.FirstType] = uint8(t.Size())
		}
	}
	return p.Endpoint.AddComm(fast.Comm{Handle: handle, Ctx: v.c.P2P.ID, Rank: int32(v.c.Rank()),
		Size: uint32(v.c.Size()), Targets: uint32(v.c.Size()), Stride: 1}, fast.CommLists{}, true)
}

func (v vicinity) everything(step int) error {
	for kind := range 5 {
		for form := range 3 {
			if err := v.exchange(step, kind, form); err != nil {
				return fmt.Errorf("step %d, kind %d, form %d: %w", step, kind, form, err)
			}
		}
	}
	return nil
}

func TestNeighborsInGraphs(t *testing.T) {
	for name, o := range jobsHere() {
		for _, np := range []int{1, 2, 3, 5, 8} {
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) {
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					rng := rand.New(rand.NewPCG(3, uint64(np)))
					// the last ones fill more than a window
					for step, edges := range []int{0, 1, np, 3 * np, 6 * np, 20 * np, 40 * np} {
						v, err := randomGraph(p, rng, edges)
						if err != nil {
							return err
						}
						if err := v.everything(step); err != nil {
							return fmt.Errorf("%d edges: %w", edges, err)
						}
						p.Comms.Free(v.c)
					}
					return nil
				})
			})
		}
	}
}

// TestFastNeighborsOrNot has all ranks do the same operations among random neighbors, each of which each rank
// begins by package fast or by this one, as it likes.
func TestFastNeighborsOrNot(t *testing.T) {
	var done [5]atomic.Int32
	for _, threads := range []bool{false, true} {
		for _, np := range []int{2, 3, 6} {
			testjob.Run(t, np, testjob.Options{Multiple: threads}, func(p *runtime.Process) error {
				rng := rand.New(rand.NewPCG(4, uint64(np)))
				for round := range 16 {
					v, err := grid(p, []int{np}, []bool{round%4 == 0})
					if round%2 != 0 {
						v, err = randomGraph(p, rng, round*np/3)
					}
					if err != nil {
						return err
					}
					handle := uintptr(4<<25 | fast.FirstObject + 1 + round)
					if err := v.asking(p, handle, uint64(round), &done); err != nil {
						return err
					}
					for step := range 4 {
						if err := v.everything(round + step); err != nil {
							return fmt.Errorf("np %d round %d: %w", np, round, err)
						}
					}
					p.Endpoint.DropComm(handle)
					p.Comms.Free(v.c)
				}
				return nil
			})
		}
	}
	for kind := range done {
		if done[kind].Load() == 0 {
			t.Errorf("package fast has carried out nothing of kind %d", kind)
		}
	}
}

func TestNeighborsInGrids(t *testing.T) {
	for _, np := range []int{1, 2, 4, 6} {
		t.Run(fmt.Sprintf("np%d", np), func(t *testing.T) {
			testjob.Run(t, np, testjob.Options{}, func(p *runtime.Process) error {
				step := 0
				for a := 1; a <= np; a++ {
					for b := 1; a*b <= np; b++ {
						for around := range 4 {
							step++
							v, err := grid(p, []int{a, b}, []bool{around&1 != 0, around&2 != 0})
							if err != nil {
								return err
							}
							if v.c == nil {
								continue
							}
							if err := v.everything(step); err != nil {
								return fmt.Errorf("%d x %d, periods %d: %w", a, b, around, err)
							}
							p.Comms.Free(v.c)
						}
					}
				}
				return nil
			})
		})
	}
}

func TestNeighborsWithoutTopology(t *testing.T) {
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		none := partition.Even(bytesOf(make([]byte, 8)))
		for _, err := range []error{
			coll.NeighborAllgather(p.World, bytesOf(make([]byte, 8)), &none),
			coll.NeighborAlltoall(p.World, &none, &none),
		} {
			if err := wantClass(err, mpierr.ErrTopology); err != nil {
				return err
			}
		}
		v, err := grid(p, []int{2}, []bool{true})
		if err != nil {
			return err
		}
		return wantClass(coll.NeighborAlltoall(v.c, &none, &none), mpierr.ErrBuffer)
	})
}
