package coll_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/shm"
)

// scene is a communicator as a test sees it: the job ranks of the two groups, which are the same within one
// group.
type scene struct {
	name          string
	c             *comm.Comm
	local, remote []int
}

func table(c *comm.Comm, remote bool) []int {
	g := c.Group()
	if remote && c.Inter() {
		g = c.Remote()
	}
	var all []int
	for r := range g.Size() {
		all = append(all, g.Of(r))
	}
	return all
}

// scenes are communicators of all kinds: all ranks, backwards, with holes, and between two groups of
// different sizes.
func scenes(p *runtime.Process) ([]scene, error) {
	cs := map[string]*comm.Comm{"world": p.World}
	var err error
	split := func(name string, color, key int) *comm.Comm {
		if err == nil {
			cs[name], err = p.Comms.Split(p.World, color, key)
		}
		return cs[name]
	}
	split("backwards", 0, -p.Rank)
	split("holes", p.Rank%2, 0)
	if p.Size > 1 && err == nil {
		third := min(1, p.Rank/max(1, p.Size/3)) // the lower group is a third of all
		half := split("part", third, -p.Rank)
		other := []int{p.Size - 1, max(1, p.Size/3) - 1}[third] // leaders come first in their groups
		if err == nil {
			cs["between"], err = p.Comms.Connect(half, 0, p.World, other, 3)
		}
	}
	var all []scene
	for _, name := range []string{"world", "backwards", "holes", "part", "between"} {
		if c := cs[name]; c != nil {
			all = append(all, scene{name, c, table(c, false), table(c, true)})
		}
	}
	return all, err
}

// value is element i of what one rank has for another, by job ranks.
func value(step, from, to, i int) uint64 {
	x := uint64(step)<<48 ^ uint64(from)<<40 ^ uint64(to)<<32 ^ uint64(i)
	x = (x ^ x>>31) * 0x9e3779b97f4a7c15
	return (x ^ x>>29) * 0xbf58476d1ce4e5b9 >> 1
}

// anybody stands for the receiver of data that is the same for all.
const anybody = 200

// affine combines maps x -> a*x + b of 32-bit numbers, a in the upper half. It is associative and does not
// commute.
var affine = op.New("affine", false, func(v op.Vectors) {
	in, inout := shm.Bytes(v.In, 8*v.Count), shm.Bytes(v.Inout, 8*v.Count)
	for i := int64(0); i < 8*v.Count; i += 8 {
		x, y := binary.LittleEndian.Uint64(in[i:]), binary.LittleEndian.Uint64(inout[i:])
		binary.LittleEndian.PutUint64(inout[i:], compose2(x, y))
	}
})

func compose2(x, y uint64) uint64 {
	return uint64(uint32(x>>32)*uint32(y>>32))<<32 | uint64(uint32(x>>32)*uint32(y)+uint32(x))
}

func add(x, y uint64) uint64 { return x + y }

// gapped is a number with as much room behind it.
var gapped = func() *datatype.Type {
	t, err := datatype.Resized(named("MPI_UINT64_T"), 0, 16, datatype.Large(false))
	if err != nil {
		panic(err)
	}
	t.Commit()
	return t
}()

// vec is a vector of numbers in memory, unset ones recognizable.
type vec struct {
	mem    []byte
	typ    *datatype.Type
	stride int
}

const unset = 0xeeeeeeeeeeeeeeee

func newVec(n int, gaps bool) *vec {
	v := &vec{typ: named("MPI_UINT64_T"), stride: 8}
	if gaps {
		v.typ, v.stride = gapped, 16
	}
	v.mem = make([]byte, (n+1)*v.stride)
	v.clear()
	return v
}

func (v *vec) clear() {
	for i := range v.mem {
		v.mem[i] = 0xee
	}
}

func (v *vec) len() int            { return len(v.mem)/v.stride - 1 }
func (v *vec) get(i int) uint64    { return binary.LittleEndian.Uint64(v.mem[i*v.stride:]) }
func (v *vec) set(i int, x uint64) { binary.LittleEndian.PutUint64(v.mem[i*v.stride:], x) }

func (v *vec) buf(count int) datatype.Buffer {
	alive.Store(shm.Address(v.mem), v.mem)
	return datatype.Buffer{Addr: shm.Address(v.mem), Count: int64(count), Type: v.typ}
}

// is checks all elements, also those behind the end and in gaps.
func (v *vec) is(want func(i int) uint64) error {
	for i := range v.len() + 1 {
		w := uint64(unset)
		if i < v.len() {
			w = want(i)
		}
		if got := v.get(i); got != w {
			return fmt.Errorf("element %d of %d is %#x, want %#x", i, v.len(), got, w)
		}
		if v.stride > 8 && binary.LittleEndian.Uint64(v.mem[i*v.stride+8:]) != unset {
			return fmt.Errorf("the gap behind element %d was written", i)
		}
	}
	return nil
}

// layout is where blocks of different sizes stand: in any order, with room between.
type layout struct {
	counts, displs []int64
	total          int
}

func newLayout(rng *rand.Rand, counts []int) layout {
	l := layout{displs: make([]int64, len(counts))}
	for _, n := range counts {
		l.counts = append(l.counts, int64(n))
	}
	for _, i := range rng.Perm(len(counts)) {
		l.total += rng.IntN(3)
		l.displs[i] = int64(l.total)
		l.total += counts[i]
	}
	return l
}

func (l *layout) blocks(v *vec) *partition.Blocks {
	return &partition.Blocks{Buffer: v.buf(0), Counts: l.counts, Displs: l.displs}
}

// typed is blocks with displacements in bytes and a type each.
func (l *layout) typed(v *vec) *partition.Blocks {
	b := l.blocks(v)
	b.Displs = append([]int64{}, b.Displs...)
	for i := range b.Displs {
		b.Displs[i] *= int64(v.stride)
		b.Types = append(b.Types, v.typ)
	}
	return b
}

// each calls f for every element: of which block, the element in the block, its place in the vector.
func (l *layout) each(f func(block, i, at int)) {
	for b, n := range l.counts {
		for i := range int(n) {
			f(b, i, int(l.displs[b])+i)
		}
	}
}

// want is what a vector with this layout holds if f says what is in a block.
func (l *layout) want(f func(block, i int) uint64) func(int) uint64 {
	all := make([]uint64, l.total)
	for i := range all {
		all[i] = unset
	}
	l.each(func(block, i, at int) { all[at] = f(block, i) })
	return func(i int) uint64 { return all[i] }
}

// trial is one operation with its arguments.
type trial struct {
	name     string
	fill     func()
	blocking func() error
	plan     func(t *coll.Team) error
	check    func() error
}

// wait completes a request.
func wait(c *comm.Comm, r *request.Request) error { return c.Engine().Wait(r, nil) }

// TestRandomOperations has all ranks do the same random operations, in all forms, and compares with what
// comes out of the definitions in the standard.
func TestRandomOperations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		np := rapid.IntRange(1, 7).Draw(rt, "np")
		seed := rapid.Uint64().Draw(rt, "seed")
		o := testjob.Options{Multiple: rapid.Bool().Draw(rt, "threads")}
		o.Settings.NoSharedColl = rapid.Bool().Draw(rt, "messages")
		o.Settings.NoSingleCopy = rapid.Bool().Draw(rt, "pieces")
		o.Settings.CollCopy = rapid.IntRange(0, tool.CollCopySingle).Draw(rt, "copy")
		for op := range tool.Operations {
			can := op.Pinnable()
			if i := rapid.IntRange(-len(can), len(can)-1).Draw(rt, op.String()); i >= 0 {
				o.Settings.Collectives[op] = can[i]
			}
		}
		o.Settings.PretendNodes = rapid.SampledFrom(patterns).Draw(rt, "nodes")
		testjob.Run(t, np, o, func(p *runtime.Process) error {
			ss, err := scenes(p)
			if err != nil {
				return err
			}
			for step := range 25 {
				if err := randomStep(ss, seed, step); err != nil {
					return fmt.Errorf("np %d seed %d step %d: %w", np, seed, step, err)
				}
			}
			return nil
		})
	})
}

// patterns are ways of placing ranks on nodes.
var patterns = []string{"", "2", "3", "3+1", "1", "2:cyclic", "3+1:cyclic", "1+2"}

func randomStep(ss []scene, seed uint64, step int) error {
	rng := rand.New(rand.NewPCG(seed, uint64(step)))
	s := ss[rng.IntN(len(ss))]
	form := rng.IntN(4)
	one := newTrial(s, rng, step)
	again := func() trial { return newTrial(s, rand.New(rand.NewPCG(seed, uint64(step+1000))), step+1000) }
	err := one.run(s, again, form)
	if err != nil {
		return fmt.Errorf("%s on %s, form %d: %w", one.name, s.name, form, err)
	}
	return nil
}

func (one trial) run(s scene, another func() trial, form int) error {
	one.fill()
	switch form {
	case 0:
		if err := one.blocking(); err != nil {
			return err
		}
	case 1: // persistent, twice
		r, err := coll.Prepare(s.c, one.plan)
		if err != nil {
			return err
		}
		for range 2 {
			one.fill()
			if err := s.c.Engine().Start(r); err != nil {
				return err
			}
			if err := wait(s.c, r); err != nil {
				return err
			}
			if err := one.check(); err != nil {
				return err
			}
		}
		return s.c.Engine().Free(r)
	case 2:
		r, err := coll.Begin(s.c, one.plan)
		if err != nil {
			return err
		}
		if err := wait(s.c, r); err != nil {
			return err
		}
	case 3: // together with another one, completed the other way round
		two := another()
		two.fill()
		r, err := coll.Begin(s.c, one.plan)
		if err != nil {
			return err
		}
		q, err := coll.Begin(s.c, two.plan)
		if err != nil {
			return err
		}
		if err := wait(s.c, q); err != nil {
			return err
		}
		if err := wait(s.c, r); err != nil {
			return err
		}
		if err := two.check(); err != nil {
			return fmt.Errorf("the second, %s: %w", two.name, err)
		}
	}
	return one.check()
}
