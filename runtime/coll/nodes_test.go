package coll_test

import (
	"fmt"
	"math/bits"
	gort "runtime"
	"slices"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/shm"
)

// crossing is the packets that an operation may send from node to node, in all, by the number of nodes.
type crossing struct {
	name    string
	packets func(nodes int) int
	do      func(c *comm.Comm, b *crossingBuffers) error
}

// crossingBuffers have room for an element and for one from each rank.
type crossingBuffers struct{ one, other, all, more datatype.Buffer }

// rounds is the binary logarithm, rounded up.
func rounds(n int) int { return bits.Len(uint(n - 1)) }

// doubled is the messages of an allreduce among n ranks: to and from those beyond a power of two, and the
// rest in pairs.
func doubled(n int) int {
	p := 1 << (bits.Len(uint(n)) - 1)
	return 2*(n-p) + p*rounds(p)
}

// prefixed is the messages of a scan among n ranks.
func prefixed(n int) int {
	sum := 0
	for k := 1; k < n; k <<= 1 {
		sum += n - k
	}
	return sum
}

var crossings = []crossing{
	{"barrier", func(n int) int { return n * rounds(n) }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Barrier(c)
	}},
	{"bcast", func(n int) int { return n - 1 }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Bcast(c, b.one, 1)
	}},
	{"reduce", func(n int) int { return n - 1 }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Reduce(c, b.one, b.other, sum, 1)
	}},
	{"allreduce", func(n int) int { return doubled(n) }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Allreduce(c, b.one, b.other, sum)
	}},
	{"gather", func(n int) int { return n - 1 }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Gather(c, b.one, b.all, 1)
	}},
	{"scatter", func(n int) int { return n - 1 }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Scatter(c, b.all, b.one, 1)
	}},
	{"allgather", func(n int) int { return n * rounds(n) }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Allgather(c, b.one, b.all)
	}},
	{"alltoall", func(n int) int { return n * (n - 1) }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Alltoall(c, b.all, b.more)
	}},
	{"reduce_scatter", func(n int) int { return n * (n - 1) }, func(c *comm.Comm, b *crossingBuffers) error {
		return coll.ReduceScatterBlock(c, b.all, b.one, sum)
	}},
	{"scan", func(n int) int { return prefixed(n) }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Scan(c, b.one, b.other, sum)
	}},
	{"exscan", func(n int) int { return prefixed(n) }, func(c *comm.Comm,
		b *crossingBuffers) error {
		return coll.Exscan(c, b.one, b.other, sum)
	}},
}

// No more packets go from node to node than the algorithm among the leaders needs, whatever the number of
// ranks on each.
func TestPacketsBetweenNodes(t *testing.T) {
	for _, x := range []struct {
		pattern string
		np      int
	}{{"2", 4}, {"4", 8}, {"3", 9}, {"2", 8}, {"3+1", 4}, {"5+2+1", 8}, {"2:cyclic", 4}, {"3:cyclic", 9}} {
		t.Run(fmt.Sprintf("%s/np%d", x.pattern, x.np), func(t *testing.T) {
			pattern, np := x.pattern, x.np
			n, err := tool.ParseNodes(pattern)
			if err != nil {
				t.Fatal(err)
			}
			nodes := n.Assign(np)
			count := slices.Max(nodes) + 1
			even := true // as many ranks on each node
			for node := range count {
				even = even && np == count*len(slices.DeleteFunc(slices.Clone(nodes),
					func(n int) bool { return n != node }))
			}
			sent := make([][]uint64, len(crossings)) // by operation and rank
			for i := range sent {
				sent[i] = make([]uint64, np)
			}
			testjob.Run(t, np, testjob.Options{Settings: tool.Settings{PretendNodes: pattern}},
				func(p *runtime.Process) error {
					memory := make([]byte, 4*np*4)
					part := func(i int, n int) datatype.Buffer {
						return datatype.Buffer{Addr: shm.Address(memory[i*np*4:]), Count: int64(n),
							Type: named("MPI_INT")}
					}
					b := &crossingBuffers{one: part(0, 1), other: part(1, 1), all: part(2, 1),
						more: part(3, 1)}
					for i, x := range crossings {
						// the first time the ranks of a node agree on how they share memory
						for first := range 2 {
							before := p.Engine.Counters().Crossed
							if err := x.do(p.World, b); err != nil {
								return fmt.Errorf("%s: %w", x.name, err)
							}
							if first == 1 {
								sent[i][p.Rank] = p.Engine.Counters().Crossed - before
							}
						}
					}
					gort.KeepAlive(memory)
					return nil
				})
			straight := slices.IsSorted(nodes)
			for i, x := range crossings {
				total := uint64(0)
				for _, n := range sent[i] {
					total += n
				}
				most := x.packets(count)
				if (x.name == "scan" || x.name == "exscan") && !straight {
					continue // prefixes go from rank to rank
				}
				if !even && x.name == "allgather" {
					most = count * (count - 1)
				}
				if int(total) != most {
					t.Errorf("%s: %d packets went from node to node, should be %d", x.name, total, most)
				}
			}
		})
	}
}
