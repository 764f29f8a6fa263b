package coll_test

import (
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// lengthCall is a call in which one rank, odd, has another number of elements than the others.
type lengthCall struct {
	c              *comm.Comm
	odd, root      int
	mine, nominal  int64           // elements of this rank and of those that are not odd
	one, other     datatype.Buffer // room for more
	blocks, others datatype.Buffer // room for so many of each rank
	blocking       bool
}

// do carries out an operation in either way.
func (x *lengthCall) do(now func() error, plan func(t *coll.Team) error) error {
	if x.blocking {
		return now()
	}
	r, err := coll.Begin(x.c, plan)
	if err != nil {
		return err
	}
	return x.c.Engine().Wait(r, nil)
}

// lengthCases are operations with the ranks that have to find out.
var lengthCases = []struct {
	name string
	do   func(x *lengthCall) error
	sees func(x *lengthCall, rank int) bool
}{
	{"bcast", func(x *lengthCall) error {
		b := x.one.Slice(0, x.mine)
		return x.do(func() error { return coll.Bcast(x.c, b, x.root) },
			func(t *coll.Team) error { return t.Bcast(b, x.root) })
	}, (*lengthCall).dealt},
	{"reduce", func(x *lengthCall) error {
		in, out := x.one.Slice(0, x.mine), x.other.Slice(0, x.mine)
		return x.do(func() error { return coll.Reduce(x.c, in, out, sum, x.root) },
			func(t *coll.Team) error { return t.Reduce(in, out, sum, x.root) })
	}, (*lengthCall).collected},
	{"allreduce", func(x *lengthCall) error {
		in, out := x.one.Slice(0, x.mine), x.other.Slice(0, x.mine)
		return x.do(func() error { return coll.Allreduce(x.c, in, out, sum) },
			func(t *coll.Team) error { return t.Allreduce(in, out, sum) })
	}, (*lengthCall).shared},
	{"gather", func(x *lengthCall) error {
		in, out := x.one.Slice(0, x.mine), x.blocks.Slice(0, x.nominal)
		return x.do(func() error { return coll.Gather(x.c, in, out, x.root) },
			func(t *coll.Team) error { return t.Gather(in, out, x.root) })
	}, (*lengthCall).collected},
	{"scatter", func(x *lengthCall) error {
		in, out := x.blocks.Slice(0, x.mine), x.one.Slice(0, x.mine)
		return x.do(func() error { return coll.Scatter(x.c, in, out, x.root) },
			func(t *coll.Team) error { return t.Scatter(in, out, x.root) })
	}, (*lengthCall).dealt},
	{"allgather", func(x *lengthCall) error {
		in, out := x.one.Slice(0, x.mine), x.blocks.Slice(0, x.nominal)
		return x.do(func() error { return coll.Allgather(x.c, in, out) },
			func(t *coll.Team) error { return t.Allgather(in, out) })
	}, (*lengthCall).shared},
	{"alltoall", func(x *lengthCall) error {
		in, out := x.blocks.Slice(0, x.mine), x.others.Slice(0, x.nominal)
		return x.do(func() error { return coll.Alltoall(x.c, in, out) },
			func(t *coll.Team) error { return t.Alltoall(in, out) })
	}, (*lengthCall).shared},
}

func (x *lengthCall) dealt(rank int) bool {
	return x.odd == x.root && rank != x.root || x.odd != x.root && rank == x.odd
}

func (x *lengthCall) collected(rank int) bool { return rank == x.root }

func (x *lengthCall) shared(rank int) bool { return rank != x.odd }

// Ranks that have another number of elements than one of the others find out, also behind those that have
// received it, and can go on.
func TestLengthsThatDiffer(t *testing.T) {
	for name, o := range jobsHere() {
		for _, np := range []int{2, 4, 7} {
			if name == "3+1" && np != 4 || raceEnabled && np == 7 {
				continue
			}
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) {
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					call := newLengthCall(p.World, mostLength)
					for i, x := range lengthCases {
						for odd := range np {
							for _, root := range []int{odd, (odd + 1) % np} {
								for kind := range 6 {
									lengths := [][2]int64{{1, 10}, {10, 1}, {9000, mostLength}}[kind%3]
									call.begin(odd, root, lengths, kind < 3)
									if err := call.check(i); err != nil {
										return fmt.Errorf("%s, root %d, %d elements on rank %d, %d on the others, blocking %t: %w",
											x.name, root, lengths[0], odd, lengths[1], kind < 3, err)
									}
								}
							}
						}
					}
					return nil
				})
			})
		}
	}
}

// Ranks of a node find out as well where the data of one fits into a cell, that of another goes in pieces,
// and that of a third as a message.
func TestLengthsThatGoOtherWays(t *testing.T) {
	for _, np := range []int{2, 4} {
		testjob.Run(t, np, testjob.Options{}, func(p *runtime.Process) error {
			call := newLengthCall(p.World, 70000)
			for i, x := range lengthCases {
				if x.name != "allgather" {
					continue
				}
				for _, lengths := range [][2]int64{{100, 9100}, {9100, 100}, {9100, 70000}, {70000, 9100},
					{100, 70000}, {70000, 100}} {
					for odd := range np {
						call.begin(odd, 0, lengths, false)
						if err := call.check(i); err != nil {
							return fmt.Errorf("%s, %d elements on rank %d, %d on others: %w", x.name,
								lengths[0], odd, lengths[1], err)
						}
					}
				}
			}
			return nil
		})
	}
}

// mostLength is the largest number of elements of a rank.
const mostLength = 9100

func newLengthCall(c *comm.Comm, most int) *lengthCall {
	room := func(n int) datatype.Buffer {
		_, b := longs(n, func(i int) uint64 { return uint64(i) })
		return b
	}
	all := most * c.Size()
	return &lengthCall{c: c, one: room(most), other: room(most),
		blocks: room(all), others: room(all)}
}

func (x *lengthCall) begin(odd, root int, lengths [2]int64, blocking bool) {
	x.odd, x.root, x.blocking = odd, root, blocking
	x.mine, x.nominal = lengths[1], lengths[1]
	if x.c.Rank() == odd {
		x.mine = lengths[0]
	}
}

func (x *lengthCall) check(i int) error {
	err := lengthCases[i].do(x)
	switch sees := lengthCases[i].sees(x, x.c.Rank()); {
	case sees && mpierr.CodeOf(err) != int(mpierr.ErrTruncate):
		return fmt.Errorf("error %v, want class %d", err, int(mpierr.ErrTruncate))
	case err != nil && mpierr.CodeOf(err) != int(mpierr.ErrTruncate):
		return err
	}
	mem, b := longs(1, func(int) uint64 { return uint64(x.c.Rank()) })
	if err := coll.Allreduce(x.c, inPlace, b, sum); err != nil {
		return fmt.Errorf("the next operation: %w", err)
	}
	np := uint64(x.c.Size())
	return wantLongs(mem, func(int) uint64 { return np * (np - 1) / 2 })
}
