package coll_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/coll/node"
	"gompi/runtime/coll/partition"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// fastCall is one operation with its arguments, as package fast and this package carry it out.
type fastCall struct {
	quick    func(request uintptr) fast.Reason
	blocking func() error
	plan     func(t *coll.Team) error
	out      []byte
	want     func(i int) uint64
}

// numbers is memory for n numbers.
func numbers(n int, f func(i int) uint64) []byte {
	mem := make([]byte, 8*n+8)
	alive.Store(shm.Address(mem), mem)
	for i := range n {
		binary.NativeEndian.PutUint64(mem[8*i:], f(i))
	}
	return mem[: 8*n : 8*n+8]
}

// lists are the counts and displacements of blocks, as both packages have them.
type lists struct {
	counts, displs []int32
	b              partition.Blocks
}

func newLists(mem []byte, counts []int, t *datatype.Type) *lists {
	l := &lists{b: partition.Blocks{Buffer: datatype.Buffer{Addr: shm.Address(mem[:cap(mem)]), Type: t}}}
	at := 0
	for _, n := range counts {
		l.counts, l.displs = append(l.counts, int32(n)), append(l.displs, int32(at))
		l.b.Counts, l.b.Displs = append(l.b.Counts, int64(n)), append(l.b.Displs, int64(at))
		at += n
	}
	return l
}

// newFastCall is a random operation, the same on all ranks.
func newFastCall(p *runtime.Process, rng *rand.Rand, step int) fastCall {
	const comm = 0x101
	e, c, me, np := p.Endpoint, p.World, p.World.Rank(), p.World.Size()
	typ := named("MPI_UINT64_T")
	th, oh := uintptr(typ.Handle()), uintptr(sum.Handle())
	n := rng.IntN([]int{4, 12, 150, 2000}[rng.IntN(4)]) + 1
	root, inside, kind := rng.IntN(np), rng.IntN(3) == 0, rng.IntN(17)
	counts, from := make([]int, np), make([]int, np+1)
	for r := range counts {
		counts[r] = rng.IntN(n + 1)
		from[r+1] = from[r] + counts[r]
	}
	if kind >= 11 {
		n = min(n, 200)
	}
	addr := func(mem []byte) uintptr { return shm.Address(mem[:cap(mem)]) }
	buf := func(mem []byte, n int) datatype.Buffer {
		return datatype.Buffer{Addr: addr(mem), Count: int64(n), Type: typ}
	}
	fill := func(int) uint64 { return unset }
	mine := numbers(n, func(i int) uint64 { return value(step, me, anybody, i) })
	sums := func(end int) func(i int) uint64 {
		return func(i int) (s uint64) {
			for r := range end {
				s += value(step, r, anybody, i)
			}
			return s
		}
	}
	k, sendAddr := int32(n), addr(mine)
	send := buf(mine, n)
	place := func(out []byte, at int) { // MPI_IN_PLACE
		if inside {
			copy(out[8*at:], mine)
			send, sendAddr = inPlace, inPlace.Addr
		}
	}
	switch kind {
	case 0:
		return fastCall{
			func(q uintptr) fast.Reason { return fast.Barrier(e, comm, q) },
			func() error { return coll.Barrier(c) }, func(t *coll.Team) error { return t.Barrier() }, nil,
			nil,
		}
	case 1:
		b := numbers(n, func(i int) uint64 { return value(step, me, anybody, i) })
		x := buf(b, n)
		return fastCall{
			func(q uintptr) fast.Reason { return fast.Bcast(e, addr(b), k, th, int32(root), comm, q) },
			func() error { return coll.Bcast(c, x, root) }, func(t *coll.Team) error {
				return t.Bcast(x,
					root)
			},
			b, func(i int) uint64 { return value(step, root, anybody, i) },
		}
	case 2, 3: // gather, allgather
		out := numbers(n*np, fill)
		everybody := func(i int) uint64 { return value(step, i/n, anybody, i%n) }
		recv := buf(out, n)
		if kind == 2 {
			if me == root {
				place(out, me*n)
			} else {
				everybody = fill
			}
			return fastCall{
				func(q uintptr) fast.Reason {
					return fast.Gather(e, sendAddr, k, th, addr(out), k, th, int32(root), comm, q)
				},
				func() error { return coll.Gather(c, send, recv, root) },
				func(t *coll.Team) error { return t.Gather(send, recv, root) }, out, everybody,
			}
		}
		place(out, me*n)
		return fastCall{
			func(q uintptr) fast.Reason {
				return fast.Allgather(e, sendAddr, k, th, addr(out), k, th, comm,
					q)
			},
			func() error { return coll.Allgather(c, send, recv) },
			func(t *coll.Team) error { return t.Allgather(send, recv) }, out, everybody,
		}
	case 4, 5: // scatter, alltoall
		all := numbers(n*np, func(i int) uint64 { return value(step, me, i/n, i%n) })
		x := buf(all, n)
		if kind == 4 {
			out := numbers(n, fill)
			recv := buf(out, n)
			return fastCall{
				func(q uintptr) fast.Reason {
					return fast.Scatter(e, addr(all), k, th, addr(out), k, th, int32(root), comm, q)
				},
				func() error { return coll.Scatter(c, x, recv, root) },
				func(t *coll.Team) error { return t.Scatter(x, recv, root) },
				out, func(i int) uint64 { return value(step, root, me, i) },
			}
		}
		out := numbers(n*np, fill)
		recv := buf(out, n)
		return fastCall{
			func(q uintptr) fast.Reason {
				return fast.Alltoall(e, addr(all), k, th, addr(out), k, th, comm,
					q)
			},
			func() error { return coll.Alltoall(c, x, recv) },
			func(t *coll.Team) error { return t.Alltoall(x, recv) },
			out, func(i int) uint64 { return value(step, i/n, me, i%n) },
		}
	case 6, 7: // gatherv, allgatherv
		out := numbers(from[np], fill)
		l := newLists(out, counts, typ)
		own := numbers(counts[me], func(i int) uint64 { return value(step, me, anybody, i) })
		x := buf(own, counts[me])
		which := func(i int) uint64 {
			r := 0
			for from[r+1] <= i {
				r++
			}
			return value(step, r, anybody, i-from[r])
		}
		cs, ds, k := &l.counts[0], &l.displs[0], int32(counts[me])
		if kind == 6 {
			if me != root {
				which = fill
			}
			return fastCall{
				func(q uintptr) fast.Reason {
					return fast.Gatherv(e, addr(own), k, th, addr(out), cs, ds, th, int32(root), comm, q)
				},
				func() error { return coll.Gatherv(c, x, &l.b, root) },
				func(t *coll.Team) error { return t.Gatherv(x, &l.b, root) }, out, which,
			}
		}
		return fastCall{
			func(q uintptr) fast.Reason {
				return fast.Allgatherv(e, addr(own), k, th, addr(out), cs, ds, th, comm, q)
			},
			func() error { return coll.Allgatherv(c, x, &l.b) },
			func(t *coll.Team) error { return t.Allgatherv(x, &l.b) }, out, which,
		}
	case 8: // scatterv
		all := numbers(from[np], fill)
		for r := range np {
			for i := range counts[r] {
				binary.NativeEndian.PutUint64(all[8*(from[r]+i):], value(step, me, r, i))
			}
		}
		out := numbers(counts[me], fill)
		l := newLists(all, counts, typ)
		recv, k := buf(out, counts[me]), int32(counts[me])
		return fastCall{
			func(q uintptr) fast.Reason {
				return fast.Scatterv(e, addr(all), &l.counts[0], &l.displs[0], th, addr(out), k, th,
					int32(root), comm, q)
			},
			func() error { return coll.Scatterv(c, &l.b, recv, root) },
			func(t *coll.Team) error { return t.Scatterv(&l.b, recv, root) },
			out, func(i int) uint64 { return value(step, root, me, i) },
		}
	case 9, 10: // alltoallv, alltoallw: rank r has counts[r]+counts[s] numbers for rank s
		sizes, at := make([]int, np), make([]int, np+1)
		for r := range sizes {
			sizes[r] = (counts[me] + counts[r]) / 2
			at[r+1] = at[r] + sizes[r]
		}
		all, out := numbers(at[np], fill), numbers(at[np], fill)
		for r := range np {
			for i := range sizes[r] {
				binary.NativeEndian.PutUint64(all[8*(at[r]+i):], value(step, me, r, i))
			}
		}
		want := func(i int) uint64 {
			r := 0
			for at[r+1] <= i {
				r++
			}
			return value(step, r, me, i-at[r])
		}
		x, y := newLists(all, sizes, typ), newLists(out, sizes, typ)
		f := fastCall{
			func(q uintptr) fast.Reason {
				return fast.Alltoallv(e, addr(all), &x.counts[0], &x.displs[0], th, addr(out), &y.counts[0],
					&y.displs[0], th, comm, q)
			},
			func() error { return coll.Alltoallw(c, &x.b, &y.b) },
			func(t *coll.Team) error { return t.Alltoallw(&x.b, &y.b) }, out, want,
		}
		if kind == 10 {
			types, bytes := make([]uintptr, np), make([]int32, np)
			for r := range types {
				types[r], bytes[r] = th, x.displs[r]*8
			}
			f.quick = func(q uintptr) fast.Reason {
				return fast.Alltoallw(e, addr(all), &x.counts[0], &bytes[0], &types[0], addr(out),
					&y.counts[0], &bytes[0], &types[0], comm, q)
			}
		}
		return f
	case 11, 12: // reduce, allreduce
		out := numbers(n, fill)
		recv := buf(out, n)
		if kind == 11 {
			want := sums(np)
			if me == root {
				place(out, 0)
			} else {
				want = fill
			}
			return fastCall{
				func(q uintptr) fast.Reason {
					return fast.Reduce(e, sendAddr, addr(out), k, th, oh, int32(root), comm, q)
				},
				func() error { return coll.Reduce(c, send, recv, sum, root) },
				func(t *coll.Team) error { return t.Reduce(send, recv, sum, root) }, out, want,
			}
		}
		place(out, 0)
		return fastCall{
			func(q uintptr) fast.Reason {
				return fast.Allreduce(e, sendAddr, addr(out), k, th, oh, comm,
					q)
			},
			func() error { return coll.Allreduce(c, send, recv, sum) },
			func(t *coll.Team) error { return t.Allreduce(send, recv, sum) }, out, sums(np),
		}
	case 13, 14: // scan, exscan
		out := numbers(n, fill)
		place(out, 0)
		recv := buf(out, n)
		if kind == 13 {
			return fastCall{
				func(q uintptr) fast.Reason {
					return fast.Scan(e, sendAddr, addr(out), k, th, oh, comm,
						q)
				},
				func() error { return coll.Scan(c, send, recv, sum) },
				func(t *coll.Team) error { return t.Scan(send, recv, sum) }, out, sums(me + 1),
			}
		}
		want := sums(me)
		if me == 0 { // whose result is undefined
			want = func(i int) uint64 { return binary.NativeEndian.Uint64(out[8*i:]) }
		}
		return fastCall{
			func(q uintptr) fast.Reason { return fast.Exscan(e, sendAddr, addr(out), k, th, oh, comm, q) },
			func() error { return coll.Exscan(c, send, recv, sum) },
			func(t *coll.Team) error { return t.Exscan(send, recv, sum) }, out, want,
		}
	}
	// reduce_scatter and reduce_scatter_block
	if kind == 16 {
		for r := range counts {
			counts[r] = n
			from[r+1] = from[r] + n
		}
	}
	all := numbers(from[np], func(i int) uint64 { return value(step, me, anybody, i) })
	out := numbers(counts[me], fill)
	x, recv := buf(all, from[np]), buf(out, counts[me])
	l, total := newLists(all, counts, typ), sums(np)
	f := fastCall{
		func(q uintptr) fast.Reason {
			return fast.ReduceScatter(e, addr(all), addr(out), &l.counts[0], th, oh, comm, q)
		},
		func() error { return coll.ReduceScatter(c, x, recv, l.b.Counts, sum) },
		func(t *coll.Team) error { return t.ReduceScatter(x, recv, l.b.Counts, sum) },
		out, func(i int) uint64 { return total(from[me] + i) },
	}
	if kind == 16 {
		f.quick = func(q uintptr) fast.Reason {
			return fast.ReduceScatterBlock(e, addr(all), addr(out), k, th, oh, comm, q)
		}
		f.blocking = func() error { return coll.ReduceScatterBlock(c, x, recv, sum) }
		f.plan = func(t *coll.Team) error { return t.ReduceScatterBlock(x, recv, sum) }
	}
	return f
}

// check compares with what comes out of the definitions in the standard.
func (f *fastCall) check() error {
	for i := range len(f.out) / 8 {
		if got := binary.NativeEndian.Uint64(f.out[8*i:]); got != f.want(i) {
			return fmt.Errorf("number %d of %d is %#x, want %#x", i, len(f.out)/8, got, f.want(i))
		}
	}
	return nil
}

// start begins a nonblocking operation; end completes it. quick says that package fast is asked first.
func (f *fastCall) start(p *runtime.Process, quick bool) (end func(quick bool) error, err error) {
	handle := new(uintptr)
	if quick && f.quick(fast.RequestAt(handle)) == fast.Done {
		return func(quick bool) error {
			if quick && fast.Wait(p.Endpoint, handle, nil) == fast.Done {
				return nil
			}
			return p.Engine.Wait(p.Engine.Named(*handle), nil)
		}, nil
	}
	r, err := coll.Begin(p.World, f.plan)
	return func(bool) error { return p.Engine.Wait(r, nil) }, err
}

// openFast lets package fast carry out collectives of MPI_COMM_WORLD.
func openFast(p *runtime.Process) error {
	p.World.Handle = 0x101
	err := p.Endpoint.AddComm(fast.Comm{Handle: 0x101, Ctx: p.World.P2P.ID, Rank: int32(p.Rank),
		Size: uint32(p.Size), Targets: uint32(p.Size), Stride: 1}, fast.CommLists{}, true)
	p.Endpoint.Sizes[uintptr(named("MPI_UINT64_T").Handle())-fast.FirstType] = 8
	node.OpenReductions(p.Endpoint)
	return err
}

// TestFastOrNot has all ranks do the same random operations, each of which each rank begins by package fast
// or by this one, as it likes. So the two have to follow one protocol.
func TestFastOrNot(t *testing.T) {
	var quick atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		np := rapid.IntRange(2, 6).Draw(rt, "np")
		seed := rapid.Uint64().Draw(rt, "seed")
		o := testjob.Options{Multiple: rapid.Bool().Draw(rt, "threads")}
		testjob.Run(t, np, o, func(p *runtime.Process) error {
			if err := openFast(p); err != nil {
				return err
			}
			mine := rand.New(rand.NewPCG(seed, uint64(p.Rank)))
			for step := range 60 {
				rng := rand.New(rand.NewPCG(seed, uint64(step+1000)))
				form := rng.IntN(2)
				f := newFastCall(p, rng, step)
				switch {
				case form == 1:
					g := newFastCall(p, rng, step+100)
					endF, err := f.start(p, mine.IntN(3) > 0)
					if err != nil {
						return err
					}
					endG, err := g.start(p, mine.IntN(3) > 0)
					if err != nil {
						return err
					}
					if err := endG(mine.IntN(3) > 0); err != nil {
						return err
					}
					if err := endF(mine.IntN(3) > 0); err != nil {
						return err
					}
					if err := g.check(); err != nil {
						return fmt.Errorf("np %d seed %d step %d, the second one: %w", np, seed, step, err)
					}
				case mine.IntN(3) > 0 && f.quick(fast.Blocking) == fast.Done:
					quick.Add(1)
				default:
					if err := f.blocking(); err != nil {
						return err
					}
				}
				if err := f.check(); err != nil {
					return fmt.Errorf("np %d seed %d step %d: %w", np, seed, step, err)
				}
			}
			return nil
		})
	})
	if quick.Load() == 0 {
		t.Error("package fast has carried out nothing")
	}
}

// TestManyFastOrNot has ranks begin more operations than there are cells for, each by package fast or by this
// one, and complete them in any order. Which of the two has those that wait for room changes.
func TestManyFastOrNot(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		np := rapid.IntRange(2, 5).Draw(rt, "np")
		seed := rapid.Uint64().Draw(rt, "seed")
		seldom := rapid.SampledFrom([]int{2, 10, 200}).Draw(rt, "seldom")
		o := testjob.Options{Multiple: rapid.Bool().Draw(rt, "threads")}
		testjob.Run(t, np, o, func(p *runtime.Process) error {
			if err := openFast(p); err != nil {
				return err
			}
			mine := rand.New(rand.NewPCG(seed, uint64(p.Rank)))
			for round := range 4 {
				var flight []fastCall
				var ends []func(quick bool) error
				for step := range 5 * shm.NbcCellCount {
					step += round * 100
					f := newFastCall(p, rand.New(rand.NewPCG(seed, uint64(step))), step)
					end, err := f.start(p, mine.IntN(seldom) > 0)
					if err != nil {
						return err
					}
					flight, ends = append(flight, f), append(ends, end)
				}
				for _, i := range mine.Perm(len(ends)) {
					if err := ends[i](mine.IntN(seldom) > 0); err != nil {
						return err
					}
				}
				for i := range flight {
					if err := flight[i].check(); err != nil {
						return fmt.Errorf("np %d seed %d round %d operation %d: %w", np, seed, round, i, err)
					}
				}
			}
			return nil
		})
	})
}
