package coll_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/shm"
)

// sizes of one rank's contribution, in elements: nothing, odd numbers, and what crosses the limits of every
// algorithm.
var sizes = []int{0, 1, 2, 3, 7, 16, 61, 200, 1025, 3000, 20_001}

// jobs are the ways of running the tests.
var jobs = map[string]testjob.Options{
	"messages": {Settings: tool.Settings{NoSharedColl: true}},
	"default":  {},
	"pieces":   {Settings: tool.Settings{NoSharedColl: true, NoSingleCopy: true, Eager: 100}},
	"single":   {Settings: tool.Settings{CollCopy: tool.CollCopySingle}},
	"2x2":      {Settings: tool.Settings{PretendNodes: "2"}},
	"3+1":      {Settings: tool.Settings{PretendNodes: "3+1"}},
	"cyclic":   {Settings: tool.Settings{PretendNodes: "2:cyclic"}},
}

func named(name string) *datatype.Type {
	for _, t := range datatype.All() {
		if t.Name() == name {
			return t
		}
	}
	panic("no type " + name)
}

// types are dense ones, one with a gap at the end of an element, one with a gap inside.
var types = []*datatype.Type{named("MPI_BYTE"), named("MPI_INT"), named("MPI_DOUBLE_INT"), named("MPI_SHORT_INT")}

// guarded is the memory of one buffer with some more on both sides, where nothing may ever be written.
type guarded struct {
	mem []byte
	buf datatype.Buffer
	all int64 // elements that fit
}

const margin = 40

// room makes memory for count elements in each of blocks blocks; fill says what is in it.
func room(t *datatype.Type, count, blocks int, fill byte) guarded {
	p := guarded{mem: bytes.Repeat([]byte{fill}, 2*margin+count*blocks*int(t.Extent())),
		all: int64(count * blocks)}
	p.buf = datatype.Buffer{Addr: shm.Address(p.mem) + margin, Count: int64(count), Type: t}
	return p
}

// data is a buffer of count elements whose bytes are those of stream; gaps keep the fill.
func data(t *datatype.Type, count, blocks int, stream []byte) guarded {
	p := room(t, count, blocks, 0x55)
	p.whole().Unpack(0, stream)
	return p
}

func (p guarded) whole() datatype.Buffer {
	return datatype.Buffer{Addr: p.buf.Addr, Count: p.all, Type: p.buf.Type}
}

// contribution is what one rank puts in: bytes that everybody can make.
func contribution(rank, step int, n int64) []byte {
	r := rand.NewPCG(uint64(rank), uint64(step))
	b := make([]byte, n+8)
	for i := int64(0); i < n; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], r.Uint64())
	}
	return b[:n]
}

// holds checks that p holds exactly the packed bytes of want, and that gaps and margins are as in one
// filled with fill.
func (p guarded) holds(want []byte, fill byte) error {
	expect := bytes.Repeat([]byte{fill}, len(p.mem))
	datatype.Buffer{Addr: shm.Address(expect) + margin, Count: p.all, Type: p.buf.Type}.Unpack(0, want)
	return differ(p.mem, expect, margin)
}

// differ names the first byte that is not as wanted, counted from behind as many bytes as before says.
func differ(got, want []byte, before int) error {
	if bytes.Equal(got, want) {
		return nil
	}
	i := 0
	for got[i] == want[i] {
		i++
	}
	return fmt.Errorf("byte %d of %d is %#x, want %#x", i-before, len(want)-2*before, got[i], want[i])
}

// inPlace is MPI_IN_PLACE; type and count are not looked at.
var inPlace = datatype.Buffer{Addr: datatype.InPlace}

// each runs body on every rank of jobs of all sizes, for each type and number of elements. step is the same
// on all ranks and different for each call.
func each(t *testing.T, body func(c *comm.Comm, typ *datatype.Type, count, step int) error) {
	for name, o := range jobsHere() {
		for _, np := range numbersOfRanks(t) {
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) {
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					step := 0
					for _, typ := range types {
						for _, count := range sizes {
							if count*np > 10_000 && typ != types[step%len(types)] {
								continue // the longest with a type in turn
							}
							step++
							if err := body(p.World, typ, count, step); err != nil {
								return fmt.Errorf("%d elements of %s: %w", count, typ.Name(), err)
							}
						}
					}
					return nil
				})
			})
		}
	}
}

// jobsHere leaves out some where everything takes ten times as long.
func jobsHere() map[string]testjob.Options {
	here := maps.Clone(jobs)
	if raceEnabled {
		delete(here, "2x2")
		delete(here, "3+1")
	}
	return here
}

func numbersOfRanks(t *testing.T) []int {
	if raceEnabled {
		return []int{2, 5}
	}
	if testing.Short() {
		return []int{1, 2, 3, 5, 8}
	}
	return []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17}
}

// roots are some ranks that differ in what they are in a tree.
func roots(size, step int) []int {
	rs := []int{0}
	if size > 1 {
		rs = append(rs, size-1, step%size)
	}
	return rs
}

func TestBcast(t *testing.T) {
	each(t, func(c *comm.Comm, typ *datatype.Type, count, step int) error {
		for _, root := range roots(c.Size(), step) {
			want := contribution(root, step, int64(count)*typ.Size())
			p := room(typ, count, 1, 0x55)
			if c.Rank() == root {
				p = data(typ, count, 1, want)
			}
			if err := coll.Bcast(c, p.buf, root); err != nil {
				return err
			}
			if err := p.holds(want, 0x55); err != nil {
				return fmt.Errorf("root %d: %w", root, err)
			}
		}
		return nil
	})
}

// gathered is what everybody's contributions are in rank order.
func gathered(c *comm.Comm, step int, n int64) []byte {
	var all []byte
	for rank := range c.Size() {
		all = append(all, contribution(rank, step, n)...)
	}
	return all
}

func TestGather(t *testing.T) {
	each(t, func(c *comm.Comm, typ *datatype.Type, count, step int) error {
		n := int64(count) * typ.Size()
		for i, root := range roots(c.Size(), step) {
			mine := contribution(c.Rank(), step, n)
			send := data(typ, count, 1, mine)
			recv := guarded{}
			sendBuf := send.buf
			if c.Rank() == root {
				recv = room(typ, count, c.Size(), 0x77)
				if i%2 == 1 {
					recv.buf.Slice(int64(root*count), int64(count)).Unpack(0, mine)
					sendBuf = inPlace
				}
			}
			if err := coll.Gather(c, sendBuf, recv.buf, root); err != nil {
				return err
			}
			if err := send.holds(mine, 0x55); err != nil {
				return fmt.Errorf("root %d, send buffer: %w", root, err)
			}
			if c.Rank() == root {
				if err := recv.holds(gathered(c, step, n), 0x77); err != nil {
					return fmt.Errorf("root %d: %w", root, err)
				}
			}
		}
		return nil
	})
}

func TestScatter(t *testing.T) {
	each(t, func(c *comm.Comm, typ *datatype.Type, count, step int) error {
		n := int64(count) * typ.Size()
		for i, root := range roots(c.Size(), step) {
			all := gathered(c, step, n)
			send, recv := guarded{}, room(typ, count, 1, 0x77)
			want := all[int64(c.Rank())*n : int64(c.Rank()+1)*n]
			recvBuf := recv.buf
			if c.Rank() == root {
				send = data(typ, count, c.Size(), all)
				if i%2 == 1 {
					recvBuf, want = inPlace, nil
				}
			}
			if err := coll.Scatter(c, send.buf, recvBuf, root); err != nil {
				return err
			}
			if err := recv.holds(want, 0x77); err != nil {
				return fmt.Errorf("root %d: %w", root, err)
			}
			if c.Rank() == root {
				if err := send.holds(all, 0x55); err != nil {
					return fmt.Errorf("root %d, send buffer: %w", root, err)
				}
			}
		}
		return nil
	})
}

func TestAllgather(t *testing.T) {
	each(t, func(c *comm.Comm, typ *datatype.Type, count, step int) error {
		n := int64(count) * typ.Size()
		for _, ip := range []bool{false, true} {
			mine := contribution(c.Rank(), step, n)
			send, recv := data(typ, count, 1, mine), room(typ, count, c.Size(), 0x77)
			sendBuf := send.buf
			if ip {
				recv.buf.Slice(int64(c.Rank()*count), int64(count)).Unpack(0, mine)
				sendBuf = inPlace
			}
			if err := coll.Allgather(c, sendBuf, recv.buf); err != nil {
				return err
			}
			if err := recv.holds(gathered(c, step, n), 0x77); err != nil {
				return fmt.Errorf("in place %v: %w", ip, err)
			}
			if err := send.holds(mine, 0x55); err != nil {
				return fmt.Errorf("send buffer: %w", err)
			}
		}
		return nil
	})
}

func TestAlltoall(t *testing.T) {
	each(t, func(c *comm.Comm, typ *datatype.Type, count, step int) error {
		n := int64(count) * typ.Size()
		block := func(from, to int) []byte { return contribution(100*from+to, step, n) }
		var mine, want []byte
		for rank := range c.Size() {
			mine = append(mine, block(c.Rank(), rank)...)
			want = append(want, block(rank, c.Rank())...)
		}
		send, recv := data(typ, count, c.Size(), mine), room(typ, count, c.Size(), 0x77)
		if err := coll.Alltoall(c, send.buf, recv.buf); err != nil {
			return err
		}
		if err := recv.holds(want, 0x77); err != nil {
			return err
		}
		if err := coll.Alltoall(c, inPlace, send.buf); err != nil {
			return err
		}
		if err := send.holds(want, 0x55); err != nil {
			return fmt.Errorf("in place: %w", err)
		}
		return nil
	})
}
