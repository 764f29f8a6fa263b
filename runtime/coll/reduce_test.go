package coll_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	gort "runtime"
	"slices"
	"sync"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
	"gompi/shm"
)

// compose is an operation that is associative and does not commute: an element of MPI_SHORT_INT is the map
// x -> a*x + b modulo 2^16, and in op inout is first inout, then in.
var compose = op.New("compose", false, func(v op.Vectors) {
	in := shm.Bytes(v.In, v.Count*8)
	inout := shm.Bytes(v.Inout, v.Count*8)
	for i := int64(0); i < v.Count*8; i += 8 {
		a, b := binary.LittleEndian.Uint16(in[i:]), binary.LittleEndian.Uint16(in[i+4:])
		c, d := binary.LittleEndian.Uint16(inout[i:]), binary.LittleEndian.Uint16(inout[i+4:])
		binary.LittleEndian.PutUint16(inout[i:], a*c)
		binary.LittleEndian.PutUint32(inout[i+4:], uint32(a*d+b))
	}
})

// sum is MPI_SUM, maxloc is MPI_MAXLOC.
var (
	sum    = op.ByHandle(0x21)
	maxloc = op.ByHandle(0x39)
)

// reduction is one way of combining.
type reduction struct {
	op  *op.Op
	typ *datatype.Type
}

var reductions = []reduction{{sum, named("MPI_INT")}, {sum, named("MPI_DOUBLE")}, {maxloc, named("MPI_DOUBLE_INT")}, {compose, named("MPI_SHORT_INT")}}

// operands keeps what makeOperand gives: many jobs reduce the same data.
var operands sync.Map

type operandKey struct {
	reduction
	rank, step, count int
}

// operand is a rank's contribution to a reduction, in memory of its own, gaps zero.
func (r reduction) operand(rank, step, count int) []byte {
	key := operandKey{r, rank, step, count}
	b, ok := operands.Load(key)
	if !ok {
		b, _ = operands.LoadOrStore(key, r.makeOperand(rank, step, count))
	}
	return slices.Clone(b.([]byte))
}

func (r reduction) makeOperand(rank, step, count int) []byte {
	b := make([]byte, int64(count)*r.typ.Extent())
	random := contribution(rank, step, int64(count)*8)
	for i := range count {
		x := binary.LittleEndian.Uint64(random[i*8:])
		e := b[i*int(r.typ.Extent()):]
		switch r.typ.Name() {
		case "MPI_INT":
			binary.LittleEndian.PutUint32(e, uint32(x))
		case "MPI_DOUBLE": // of all magnitudes, so that every order of summation gives another result
			binary.LittleEndian.PutUint64(e, math.Float64bits(math.Ldexp(float64(int32(x)), int(x>>40%40))))
		case "MPI_DOUBLE_INT":
			binary.LittleEndian.PutUint64(e, math.Float64bits(float64(x%5)))
			binary.LittleEndian.PutUint32(e[8:], uint32(x>>32))
		case "MPI_SHORT_INT":
			binary.LittleEndian.PutUint16(e, uint16(x)|1)
			binary.LittleEndian.PutUint32(e[4:], uint32(uint16(x>>16)))
		}
	}
	return b
}

// expected combines the contributions in the tree that the package promises, one call for each inner node:
// that of all ranks, or, where nodes says which ranks share one, first those of each node.
func (r reduction) expected(size, step, count int, nodes []int) []byte {
	var values [][]byte
	for rank := range size {
		values = append(values, r.operand(rank, step, count))
	}
	combine := func(left, right []byte) []byte {
		if count > 0 {
			r.op.Apply(shm.Address(left), shm.Address(right), int64(count), r.typ)
			gort.KeepAlive(left)
		}
		return right
	}
	if nodes == nil || !r.op.Commutative() && !slices.IsSorted(nodes) {
		return tree(values, combine)
	}
	of := make([][][]byte, slices.Max(nodes)+1)
	for rank, node := range nodes {
		of[node] = append(of[node], values[rank])
	}
	values = nil
	for _, node := range of {
		values = append(values, tree(node, combine))
	}
	return tree(values, combine)
}

// tree combines values in the tree of the package.
func tree(values [][]byte, combine func(left, right []byte) []byte) []byte {
	size := len(values)
	groups := 1 << (bits.Len(uint(size)) - 1)
	for i := 0; len(values) > groups; i++ {
		values[i] = combine(values[i], values[i+1])
		values = append(values[:i+1], values[i+2:]...)
	}
	for len(values) > 1 {
		for i := range len(values) / 2 {
			values[i] = combine(values[2*i], values[2*i+1])
		}
		values = values[:len(values)/2]
	}
	return values[0]
}

func (r reduction) packed(b []byte, count int) []byte {
	out := make([]byte, int64(count)*r.typ.Size())
	datatype.Buffer{Addr: shm.Address(b), Count: int64(count), Type: r.typ}.Pack(0, out)
	gort.KeepAlive(b)
	return out
}

// eachReduction is each for reductions.
func eachReduction(t *testing.T, body func(c *comm.Comm, r reduction, count, step int, want []byte) error) {
	for name, o := range jobsHere() {
		for _, np := range numbersOfRanks(t) {
			t.Run(fmt.Sprintf("%s/np%d", name, np), func(t *testing.T) {
				var wants [][]byte
				pattern, err := tool.ParseNodes(o.Settings.PretendNodes)
				if err != nil {
					t.Fatal(err)
				}
				nodes := pattern.Assign(np)
				for _, r := range reductions {
					for _, count := range sizes {
						wants = append(wants, r.packed(r.expected(np, len(wants)+1, count, nodes), count))
					}
				}
				testjob.Run(t, np, o, func(p *runtime.Process) error {
					step := 0
					for _, r := range reductions {
						for _, count := range sizes {
							step++
							if err := body(p.World, r, count, step, wants[step-1]); err != nil {
								return fmt.Errorf("%s of %d x %s: %w", r.op.Name(), count, r.typ.Name(), err)
							}
						}
					}
					return nil
				})
			})
		}
	}
}

func TestAllreduce(t *testing.T) {
	eachReduction(t, func(c *comm.Comm, r reduction, count, step int, want []byte) error {
		mine := r.packed(r.operand(c.Rank(), step, count), count)
		send, recv := data(r.typ, count, 1, mine), room(r.typ, count, 1, 0x77)
		if err := coll.Allreduce(c, send.buf, recv.buf, r.op); err != nil {
			return err
		}
		if err := recv.holds(want, 0x77); err != nil && r.op != compose {
			return err
		} else if err := recv.same(want); err != nil {
			return err
		}
		if err := send.holds(mine, 0x55); err != nil {
			return fmt.Errorf("send buffer: %w", err)
		}
		if err := coll.Allreduce(c, inPlace, send.buf, r.op); err != nil {
			return err
		}
		if err := send.same(want); err != nil {
			return fmt.Errorf("in place: %w", err)
		}
		return nil
	})
}

// same is guarded.holds without a look at the gaps, which operations of users may write.
func (p guarded) same(want []byte) error {
	got := make([]byte, len(want))
	p.buf.Pack(0, got)
	gort.KeepAlive(p.mem)
	return differ(got, want, 0)
}

func TestReduce(t *testing.T) {
	eachReduction(t, func(c *comm.Comm, r reduction, count, step int, want []byte) error {
		mine := r.packed(r.operand(c.Rank(), step, count), count)
		for i, root := range roots(c.Size(), step) {
			send, recv := data(r.typ, count, 1, mine), guarded{}
			sendBuf, recvBuf := send.buf, datatype.Buffer{}
			if c.Rank() == root {
				recv = room(r.typ, count, 1, 0x77)
				if i%2 == 1 {
					recv, sendBuf = data(r.typ, count, 1, mine), inPlace
				}
				recvBuf = recv.buf
			}
			if err := coll.Reduce(c, sendBuf, recvBuf, r.op, root); err != nil {
				return err
			}
			if err := send.holds(mine, 0x55); err != nil {
				return fmt.Errorf("root %d, send buffer: %w", root, err)
			}
			if c.Rank() == root {
				if err := recv.same(want); err != nil {
					return fmt.Errorf("root %d: %w", root, err)
				}
			}
		}
		return nil
	})
}
