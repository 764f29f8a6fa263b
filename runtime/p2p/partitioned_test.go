package p2p_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// halves is a type of two bytes with a gap of one between them, and an extent of 4.
func halves() *datatype.Type {
	t, err := datatype.Vector(2, 1, 2, mpiByte, datatype.Large(false))
	if err == nil {
		t, err = datatype.Resized(t, 0, 4, datatype.Large(false))
	}
	if err != nil {
		panic(err)
	}
	t.Commit()
	return t
}

// side is a buffer of n bytes of data, with gaps or without.
type side struct {
	memory []byte
	gaps   bool
}

func newSide(n int, gaps bool) side {
	if gaps {
		return side{bytes.Repeat([]byte{0xee}, 2*n), true}
	}
	return side{bytes.Repeat([]byte{0xee}, n), false}
}

func (s side) buffer() datatype.Buffer {
	b := buffer(s.memory)
	if s.gaps {
		b.Count, b.Type = b.Count/4, halves()
	}
	return b
}

// whole is the same memory as one element.
func (s side) whole() datatype.Buffer {
	b := s.buffer()
	t, err := datatype.Contiguous(b.Count, b.Type, datatype.Large(false))
	if err != nil {
		panic(err)
	}
	t.Commit()
	return datatype.Buffer{Addr: b.Addr, Count: 1, Type: t}
}

func (s side) put(data []byte) {
	for i, d := range data {
		s.memory[s.at(i)] = d
	}
}

func (s side) at(i int) int {
	if s.gaps {
		return i/2*4 + i%2*2
	}
	return i
}

// check looks at the bytes from first to last, and at the gaps.
func (s side) check(data []byte, first, last int) error {
	for i := first; i < last; i++ {
		if s.memory[s.at(i)] != data[i] {
			return fmt.Errorf("byte %d of %d is %#x, want %#x", i, len(data), s.memory[s.at(i)], data[i])
		}
	}
	for i := 1; s.gaps && i < len(s.memory); i += 4 {
		if s.memory[i] != 0xee || s.memory[i+2] != 0xee {
			return fmt.Errorf("gap at %d was written to", i)
		}
	}
	return nil
}

// channel is one partitioned operation of the plan that all ranks make alike.
type channel struct {
	from, to, tag    int
	size             int
	sparts, rparts   int
	sgaps, rgaps     bool
	swhole, rwhole   bool // the buffer is laid out anew, as one element
	sNever           bool // a send more is initialized just before, and freed without being started
	r                *request.Request
	handle           uintptr // where the stubs may go on with the request; 0 otherwise
	out, in          side
	sender, receiver bool
	order            []int
	readied          int
}

func plan(seed uint64, ranks int) []*channel {
	rnd := rand.New(rand.NewPCG(seed, 5))
	parts := func() int { return []int{1, 2, 3, 4, 6, 8, 12, 24}[rnd.IntN(8)] }
	cs := make([]*channel, 1+rnd.IntN(6))
	for i := range cs {
		unit := []int{0, 24, 48, 240, 4800, 96_000}[rnd.IntN(6)] * 2
		cs[i] = &channel{from: rnd.IntN(ranks), to: rnd.IntN(ranks), tag: rnd.IntN(2), size: unit,
			sparts: parts(), rparts: parts(),
			sgaps: rnd.IntN(3) == 0, rgaps: rnd.IntN(3) == 0,
			swhole: rnd.IntN(3) == 0, rwhole: rnd.IntN(3) == 0, sNever: rnd.IntN(4) == 0}
	}
	return cs
}

func (c *channel) data(round int) []byte {
	return pattern(c.size, uint64(1000*round+100*c.from+10*c.to+c.tag)+uint64(c.size))
}

// initialize makes the requests of this rank.
func (c *channel) initialize(p *runtime.Process) (err error) {
	e, x := p.Engine, &p.World.P2P
	if c.sender {
		if c.sNever {
			r, err := p.Partitions.SendInit(x, buffer(make([]byte, 7)), 7, c.to, c.tag)
			if err != nil {
				return err
			}
			if err := e.Free(r); err != nil {
				return err
			}
		}
		c.out = newSide(c.size, c.sgaps)
		c.r, err = p.Partitions.SendInit(x, c.out.buffer(), c.sparts, c.to, c.tag)
		if err == nil && c.swhole {
			err = p.Partitions.LayOut(c.r, c.out.whole())
		}
	}
	if c.receiver {
		c.in = newSide(c.size, c.rgaps)
		c.r, err = p.Partitions.RecvInit(x, c.in.buffer(), c.rparts, c.from, c.tag)
		if err == nil && c.rwhole {
			err = p.Partitions.LayOut(c.r, c.in.whole())
		}
	}
	if err == nil && e.ByHandle {
		c.handle = e.Handle(c.r)
	}
	return err
}

// request is the request, which Go goes on with.
func (c *channel) request(p *runtime.Process) *request.Request {
	if c.handle != 0 {
		return p.Engine.Named(c.handle)
	}
	return c.r
}

// quick reports whether a function of package fast is asked first, as the stubs do.
func (c *channel) quick(rnd *rand.Rand) bool { return c.handle != 0 && rnd.IntN(8) != 0 }

// start starts a round.
func (c *channel) start(p *runtime.Process, rnd *rand.Rand) error {
	if c.quick(rnd) && fast.Start(p.Endpoint, &c.handle) == fast.Done {
		return nil
	}
	return p.Engine.Start(c.request(p))
}

// ready marks partitions.
func (c *channel) ready(p *runtime.Process, rnd *rand.Rand, list []int) error {
	list32 := make([]int32, len(list))
	for i := range list {
		list32[i] = int32(list[i])
	}
	if c.quick(rnd) && fast.PreadyList(p.Endpoint, int32(len(list)), &list32[0], c.handle) == fast.Done {
		return nil
	}
	return p.Partitions.ReadyList(c.request(p), len(list), func(i int) int { return list[i] })
}

// arrived asks for a partition.
func (c *channel) arrived(p *runtime.Process, rnd *rand.Rand, k int) (bool, error) {
	var flag int32
	if c.quick(rnd) && fast.Parrived(p.Endpoint, c.handle, int32(k), &flag) == fast.Done {
		return flag != 0, nil
	}
	return p.Partitions.Arrived(c.request(p), k)
}

// wait ends a round.
func (c *channel) wait(p *runtime.Process, rnd *rand.Rand, st *request.Status) error {
	var s fast.Status
	if c.quick(rnd) && fast.Wait(p.Endpoint, &c.handle, &s) == fast.Done {
		*st = request.Status{Source: s.Source, Tag: s.Tag, Bytes: int64(s.Internal[0])}
		return nil
	}
	return p.Engine.Wait(c.request(p), st)
}

// A layout has as much data as the operation, which is a partitioned one.
func TestLayOutRefuses(t *testing.T) {
	everywhere(t, []int{1}, func(p *runtime.Process) error {
		e, x := p.Engine, &p.World.P2P
		r, err := p.Partitions.SendInit(x, buffer(make([]byte, 8)), 2, 0, 1)
		if err != nil {
			return err
		}
		if err := expect(p.Partitions.LayOut(r, buffer(make([]byte, 7))), mpierr.ErrBuffer); err != nil {
			return err
		}
		if err := e.Free(r); err != nil {
			return err
		}
		if r, err = e.RecvInit(x, buffer(make([]byte, 8)), 0, 1); err != nil {
			return err
		}
		if err := expect(p.Partitions.LayOut(r, buffer(make([]byte, 8))), mpierr.ErrRequest); err != nil {
			return err
		}
		return e.Free(r)
	})
}

// Partitioned operations that are planned at random: several between the same ranks with the same tag,
// started in another order than initialized, with any partitions on both sides, some of them with gaps, over
// several rounds.
func TestPartitioned(t *testing.T) {
	everywhere(t, []int{2, 3}, func(p *runtime.Process) error {
		for seed := range uint64(12) {
			if err := partitionedRounds(p, seed); err != nil {
				return fmt.Errorf("seed %d: %w", seed, err)
			}
		}
		return nil
	})
}

// The same where the fast engine carries out the rounds that are plain, as long as package p2p is not asked.
func TestPartitionedByHandle(t *testing.T) {
	for _, multiple := range []bool{false, true} {
		for np := 2; np <= 3; np++ {
			testjob.Run(t, np, testjob.Options{Multiple: multiple}, func(p *runtime.Process) error {
				p.Engine.ByHandle, p.Endpoint.Open = true, fast.Opened
				for seed := range uint64(40) {
					if err := partitionedRounds(p, seed); err != nil {
						return fmt.Errorf("seed %d: %w", seed, err)
					}
				}
				return nil
			})
		}
	}
	kept.memory = nil
}

func partitionedRounds(p *runtime.Process, seed uint64) error {
	e, x := p.Engine, &p.World.P2P
	rnd := rand.New(rand.NewPCG(seed, uint64(x.Rank)))
	var mine []*channel
	for _, c := range plan(seed, x.Size) {
		// A channel of a rank to itself is two of its operations.
		for _, sends := range []bool{true, false} {
			if sends && c.from == x.Rank || !sends && c.to == x.Rank {
				half := *c
				half.sender, half.receiver = sends, !sends
				mine = append(mine, &half)
				if err := half.initialize(p); err != nil {
					return err
				}
			}
		}
	}
	for round := range 3 {
		rnd.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
		for _, c := range mine {
			if c.sender {
				c.out.put(c.data(round))
				c.order, c.readied = rnd.Perm(c.sparts), 0
			}
			if err := c.start(p, rnd); err != nil {
				return err
			}
		}
		if err := readyAll(p, rnd, mine); err != nil {
			return err
		}
		for i := len(mine) - 1; i >= 0; i-- {
			c := mine[i]
			if err := c.arrive(p, rnd, round); err != nil {
				return fmt.Errorf("round %d, %d to %d, %d bytes in %d and %d: %w", round, c.from, c.to, c.size, c.sparts, c.rparts, err)
			}
		}
	}
	for _, c := range mine {
		if err := e.Free(c.request(p)); err != nil {
			return err
		}
	}
	return nil
}

// readyAll marks the partitions of all sends in a mixed order.
func readyAll(p *runtime.Process, rnd *rand.Rand, cs []*channel) error {
	for left := true; left; {
		left = false
		for _, c := range cs {
			if !c.sender || c.readied == c.sparts {
				continue
			}
			left = true
			n := 1 + rnd.IntN(c.sparts-c.readied)
			list := c.order[c.readied : c.readied+n]
			if err := c.ready(p, rnd, list); err != nil {
				return err
			}
			if c.handle == 0 || rnd.IntN(8) == 0 {
				err := p.Partitions.Ready(c.request(p), list[0], list[0])
				if err := expect(err, mpierr.ErrArg); err != nil {
					return err
				}
			}
			c.readied += n
		}
	}
	return nil
}

// arrive completes an operation; a receive looks at partitions one by one before.
func (c *channel) arrive(p *runtime.Process, rnd *rand.Rand, round int) error {
	if c.receiver {
		part := c.size / c.rparts
		for _, k := range rnd.Perm(c.rparts)[:rnd.IntN(c.rparts+1)] {
			for {
				ok, err := c.arrived(p, rnd, k)
				if err != nil {
					return err
				}
				if ok {
					break
				}
			}
			if err := c.in.check(c.data(round), k*part, (k+1)*part); err != nil {
				return fmt.Errorf("partition %d: %w", k, err)
			}
		}
	}
	var st request.Status
	if err := c.wait(p, rnd, &st); err != nil {
		return err
	}
	if !c.receiver {
		return nil
	}
	if want := (request.Status{Source: int32(c.from), Tag: int32(c.tag), Bytes: int64(c.size)}); st != want {
		return fmt.Errorf("status %+v", st)
	}
	if ok, err := c.arrived(p, rnd, 0); !ok || err != nil {
		return fmt.Errorf("inactive: %v %v", ok, err)
	}
	return c.in.check(c.data(round), 0, c.size)
}
