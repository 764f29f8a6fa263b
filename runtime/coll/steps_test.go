package coll_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
)

// longs is a vector of n longs, each of which value tells.
func longs(n int, value func(i int) uint64) ([]byte, datatype.Buffer) {
	mem := make([]byte, 8*n)
	for i := range n {
		binary.LittleEndian.PutUint64(mem[8*i:], value(i))
	}
	return mem, longsIn(mem)
}

// longsIn is the vector of longs that lies in mem.
func longsIn(mem []byte) datatype.Buffer {
	b := bytesOf(mem)
	b.Count, b.Type = int64(len(mem)/8), named("MPI_LONG")
	return b
}

// ones is n longs with the value 1.
func ones(n int) datatype.Buffer {
	return longsIn(bytes.Repeat([]byte{1, 0, 0, 0, 0, 0, 0, 0}, n))
}

func wantLongs(mem []byte, value func(i int) uint64) error {
	for i := range len(mem) / 8 {
		if got, want := binary.LittleEndian.Uint64(mem[8*i:]), value(i); got != want {
			return fmt.Errorf("element %d of %d is %#x, want %#x", i, len(mem)/8, got, want)
		}
	}
	return nil
}

// TestVectorsLargerThanTheCaches is for what is stored past them, at an address that no vector register
// likes.
func TestVectorsLargerThanTheCaches(t *testing.T) {
	const n = 17<<20/8 + 5
	testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
		c := p.World
		mine := func(i int) uint64 { return uint64(i)<<8 + uint64(c.Rank()) }
		both := func(i int) uint64 { return uint64(i)<<9 + 1 }
		_, in := longs(n, mine)
		mem, out := longs(n+1, func(int) uint64 { return 0 })
		result := out.Slice(1, n)
		if err := coll.Allreduce(c, in, result, sum); err != nil {
			return err
		}
		if err := wantLongs(mem[8:], both); err != nil {
			return fmt.Errorf("allreduce: %w", err)
		}
		if err := coll.Bcast(c, result, 1); err != nil {
			return err
		}
		if err := wantLongs(mem[8:], both); err != nil {
			return fmt.Errorf("broadcast: %w", err)
		}
		clear(mem)
		if err := coll.Alltoall(c, in.Slice(0, n/2), result.Slice(0, n/2)); err != nil {
			return err
		}
		return wantLongs(mem[8:], func(i int) uint64 {
			from, at := i/(n/2), i%(n/2)+c.Rank()*(n/2)
			if from > 1 {
				return 0
			}
			return uint64(at)<<8 + uint64(from)
		})
	})
}

// TestLongDataOfTheWrongLength has ranks disagree about how long the data is, on both sides of the limit for
// steps: whoever gets another length than expected says so, nobody waits for ever, and the next operation is
// as if nothing had been.
func TestLongDataOfTheWrongLength(t *testing.T) {
	lengths := []int{10, 5000, 20_000, 60_000} // longs
	operations := map[string]func(c *comm.Comm, in, out datatype.Buffer, n int64) error{
		"broadcast": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Bcast(c, in.Slice(0, n), 0)
		},
		"allgather": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Allgather(c, in.Slice(0, n), out.Slice(0, n))
		},
		"allreduce": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Allreduce(c, in.Slice(0, n), out.Slice(0, n), sum)
		},
		"reduce": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Reduce(c, in.Slice(0, n), out.Slice(0, n), sum, 0)
		},
		"scan": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Scan(c, in.Slice(0, n), out.Slice(0, n), sum)
		},
		"exscan": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Exscan(c, in.Slice(0, n), out.Slice(0, n), sum)
		},
		"gather": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Gather(c, in.Slice(0, n), out.Slice(0, n), 0)
		},
		"scatter": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Scatter(c, in.Slice(0, n), out.Slice(0, n), 0)
		},
		"alltoall": func(c *comm.Comm, in, out datatype.Buffer, n int64) error {
			return coll.Alltoall(c, in.Slice(0, n), out.Slice(0, n))
		},
	}
	for name, operation := range operations {
		for _, who := range [][3]int{{2, 0, 1}, {3, 1, 1}, {5, 0, 1}, {5, 3, 1}, {5, 3, 5}} {
			np, odd, cores := who[0], who[1], who[2]
			t.Run(fmt.Sprintf("%s/np%d/rank%d/cores%d", name, np, odd, cores), func(t *testing.T) {
				testjob.Run(t, np, testjob.Options{Cores: cores}, func(p *runtime.Process) error {
					c := p.World
					// fresh memory for each would cost the race detector more than the operation
					in, out := ones(slices.Max(lengths)*np), ones(slices.Max(lengths)*np)
					for _, first := range lengths {
						for _, others := range lengths {
							n := others
							if c.Rank() == odd {
								n = first
							}
							err := operation(c, in, out, int64(n))
							if err != nil && mpierr.CodeOf(err) != int(mpierr.ErrTruncate) {
								return err
							}
							if (err != nil) && first == others {
								return fmt.Errorf("%d longs on all: %w", n, err)
							}
							failed, any := longs(1, func(int) uint64 {
								if err != nil {
									return 1
								}
								return 0
							})
							if err := coll.Allreduce(c, inPlace, any, sum); err != nil {
								return fmt.Errorf("after %d longs on rank %d and %d on the others: %w", first, odd, others, err)
							}
							if first != others && binary.LittleEndian.Uint64(failed) == 0 {
								return fmt.Errorf("%d longs on rank %d and %d on the others: nobody says so", first, odd, others)
							}
						}
					}
					return nil
				})
			})
		}
	}
}
