package coll_test

import (
	"fmt"
	gort "runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/shm"
)

func TestBarrierWaitsForEverybody(t *testing.T) {
	for name, o := range jobsHere() {
		for _, np := range numbersOfRanks(t) {
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) {
				var arrived atomic.Int64
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					for round := range int64(50) {
						arrived.Add(1)
						if err := coll.Barrier(p.World); err != nil {
							return err
						}
						if n := arrived.Load(); n < (round+1)*int64(np) {
							return fmt.Errorf("round %d: %d arrivals", round, n)
						}
					}
					return nil
				})
			})
		}
	}
}

// TestOperationsFollowEachOther mixes operations without anything between them, as programs do.
func TestOperationsFollowEachOther(t *testing.T) {
	for name, o := range jobsHere() {
		for _, np := range []int{2, 3, 7} {
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) {
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					c, long := p.World, named("MPI_LONG")
					for i := range 300 {
						one := make([]byte, 8)
						all := make([]byte, 8*np)
						one[0] = byte(c.Rank() + 1)
						x := datatype.Buffer{Addr: shm.Address(one), Count: 1, Type: long}
						xs := datatype.Buffer{Addr: shm.Address(all), Count: 1, Type: long}
						if err := coll.Allgather(c, x, xs); err != nil {
							return err
						}
						if err := coll.Allreduce(c, inPlace, x, sum); err != nil {
							return err
						}
						if want := np * (np + 1) / 2; int(one[0]) != want || int(all[8*(np-1)]) != np {
							return fmt.Errorf("round %d: sum %d, want %d; last %d", i, one[0], want, all[8*(np-1)])
						}
						one[0] = byte(i) + byte(c.Rank())
						if err := coll.Bcast(c, x, i%np); err != nil {
							return err
						}
						if want := byte(i) + byte(i%np); one[0] != want {
							return fmt.Errorf("round %d: broadcast %d, want %d", i, one[0], want)
						}
						if err := coll.Reduce(c, x, xs, sum, (i+1)%np); err != nil {
							return err
						}
						gort.KeepAlive(one)
						gort.KeepAlive(all)
					}
					return nil
				})
			})
		}
	}
}

// alive holds the memory whose addresses bytesOf has given out.
var alive sync.Map

func bytesOf(b []byte) datatype.Buffer {
	alive.Store(shm.Address(b), b)
	return datatype.Raw(shm.Address(b), int64(len(b)))
}

func wantClass(err error, class mpierr.Class) error {
	if mpierr.CodeOf(err) != int(class) {
		return fmt.Errorf("error %v, want class %d", err, int(class))
	}
	return nil
}

func TestWrongArgumentsAreRefused(t *testing.T) {
	testjob.Run(t, 1, testjob.Options{}, func(p *runtime.Process) error {
		c := p.World
		a, b := make([]byte, 8), make([]byte, 8)
		float, out := bytesOf(a), bytesOf(b)
		float.Count, float.Type = 2, named("MPI_FLOAT")
		out.Count, out.Type = 2, named("MPI_FLOAT")
		for _, err := range []error{
			wantClass(coll.Allreduce(c, float, out, op.ByHandle(0x28)), mpierr.ErrOp),
			wantClass(coll.Reduce(c, float, out, op.ByHandle(0x28), 0), mpierr.ErrOp),
			wantClass(coll.Allreduce(c, float, out, op.ByHandle(0x3c)), mpierr.ErrOp),
			wantClass(coll.Allreduce(c, float, float, sum), mpierr.ErrBuffer),
			wantClass(coll.Reduce(c, float, float, sum, 0), mpierr.ErrBuffer),
			wantClass(coll.Allgather(c, float, float), mpierr.ErrBuffer),
			wantClass(coll.Alltoall(c, float, float), mpierr.ErrBuffer),
			wantClass(coll.Gather(c, float, float, 0), mpierr.ErrBuffer),
			wantClass(coll.Scatter(c, float, float, 0), mpierr.ErrBuffer),
			wantClass(coll.Allgather(c, float, out.Slice(0, 1)), mpierr.ErrTruncate),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// TestTruncationIsReportedAndNobodyHangs has one rank expect less than the others.
func TestTruncationIsReportedAndNobodyHangs(t *testing.T) {
	for _, np := range []int{2, 4, 7} {
		testjob.Run(t, np, testjob.Options{Settings: jobs["messages"].Settings}, func(p *runtime.Process) error {
			c := p.World
			n := 100
			if c.Rank() == 1 {
				n = 60
			}
			want := mpierr.Class(0)
			err := coll.Bcast(c, bytesOf(make([]byte, n)), 0)
			if c.Rank() == 1 {
				want = mpierr.ErrTruncate
			}
			if mpierr.CodeOf(err) != int(want) && (c.Rank() <= 1 ||
				mpierr.CodeOf(err) != int(mpierr.ErrTruncate)) {
				return fmt.Errorf("broadcast: %v", err)
			}
			err = coll.Allreduce(c, bytesOf(make([]byte, n)), bytesOf(make([]byte, n)), op.ByHandle(0x29))
			if c.Rank() <= 1 {
				return wantClass(err, mpierr.ErrTruncate)
			}
			return nil
		})
	}
}

// TestADeadRankEndsTheOperation marks a rank as dead that the others wait for.
func TestADeadRankEndsTheOperation(t *testing.T) {
	for _, np := range []int{2, 5} {
		testjob.Run(t, np, testjob.Options{Abandon: true}, func(p *runtime.Process) error {
			if p.Rank == np-1 {
				shm.MarkDead(p.Segment, p.Rank)
				return nil
			}
			b := make([]byte, 100_000)
			if err := wantClass(coll.Barrier(p.World), mpierr.ErrProcAborted); err != nil {
				return err
			}
			return wantClass(coll.Allreduce(p.World, inPlace, bytesOf(b), op.ByHandle(0x29)),
				mpierr.ErrProcAborted)
		})
	}
}

// TestRepeatedOperationsAllocateNothing counts on one rank of one; the path through messages is counted by
// BenchmarkAllreduce.
func TestRepeatedOperationsAllocateNothing(t *testing.T) {
	testjob.Run(t, 1, testjob.Options{}, func(p *runtime.Process) error {
		c := p.World
		x, y := bytesOf(make([]byte, 64)), bytesOf(make([]byte, 64))
		if n := testing.AllocsPerRun(100, func() {
			_ = coll.Allreduce(c, x, y, op.ByHandle(0x29))
			_ = coll.Reduce(c, x, y, op.ByHandle(0x29), 0)
			_ = coll.Bcast(c, x, 0)
			_ = coll.Allgather(c, x, y)
			_ = coll.Alltoall(c, x, y)
			_ = coll.Gather(c, x, y, 0)
			_ = coll.Barrier(c)
		}); n != 0 {
			return fmt.Errorf("%v allocations", n)
		}
		return nil
	})
}

func benchmark(b *testing.B, np int, call func(p *runtime.Process) func()) {
	b.ReportAllocs()
	testjob.Run(b, np, jobs["messages"], func(p *runtime.Process) error {
		f := call(p)
		for range 100 {
			f()
		}
		if p.Rank == 0 {
			b.ResetTimer()
		}
		for range b.N {
			f()
		}
		return nil
	})
}

func BenchmarkAllreduce(b *testing.B) {
	for _, n := range []int{8, 1 << 10, 64 << 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchmark(b, 4, func(p *runtime.Process) func() {
				x, y := make([]byte, n), make([]byte, n)
				send, recv := bytesOf(x), bytesOf(y)
				send.Count, send.Type = int64(n/8), named("MPI_DOUBLE")
				recv.Count, recv.Type = int64(n/8), named("MPI_DOUBLE")
				return func() { _ = coll.Allreduce(p.World, send, recv, sum) }
			})
		})
	}
}

func BenchmarkBarrier(b *testing.B) {
	benchmark(b, 4, func(p *runtime.Process) func() { return func() { _ = coll.Barrier(p.World) } })
}

// A rank that sends blocks longer or shorter than those that it receives hears of that, and nobody hangs.
func TestAlltoallOfOtherBlocks(t *testing.T) {
	for name, o := range jobs {
		for _, sent := range []int{20, 80} {
			t.Run(fmt.Sprintf("%s/%d", name, sent), func(t *testing.T) {
				const np, expected = 8, 40
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					n := expected
					if p.Rank == 1 {
						n = sent
					}
					out, in := bytesOf(make([]byte, np*n)), bytesOf(make([]byte, np*expected))
					out.Count, in.Count = int64(n), expected
					err := coll.Alltoall(p.World, out, in)
					if p.Rank == 1 || err != nil {
						err = wantClass(err, mpierr.ErrTruncate)
					}
					if err != nil {
						return err
					}
					return coll.Barrier(p.World)
				})
			})
		}
	}
}
