package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Bcast sends the root's buffer to all other ranks (MPI_Bcast, MPI 5.0, 6.4).
func Bcast(c *comm.Comm, b datatype.Buffer, root int) error {
	if !c.Inter() {
		n := b.Bytes()
		if c.Size() == 1 || n == 0 {
			c.Count(tool.Alone)
			return nil
		}
		if a := sharedArea(c); a != nil {
			return sharedBcast(c, a, b, root)
		}
	}
	t := join(c, tagBcast)
	return t.close(t.Bcast(b, root))
}

// Bcast is MPI_Bcast.
func (t *Team) Bcast(b datatype.Buffer, root int) error {
	if !t.c.Inter() {
		if w := t.pieced(b.Bytes(), fast.FromRoot, root); w != nil {
			w.send.Buffer, w.recv.Buffer = b, b
		} else {
			t.bcast(b, root)
		}
		return nil
	}
	t.countAlgorithm(tool.Across)
	switch partOf(t.c, root) {
	case chief:
		t.cross()
		t.send(b, 0)
		t.home()
	case peer:
		if t.rank == 0 {
			t.cross()
			t.recv(b, root)
			t.home()
		}
		t.bcast(b, 0)
	}
	return nil
}

// bcast sends what root has to all others of the group.
func (t *Team) bcast(b datatype.Buffer, root int) {
	n := b.Bytes()
	if n == 0 || t.size == 1 {
		return
	}
	data := datatype.Raw(b.Start(), n)
	if !b.Contiguous() { // pack and unpack once, not for each message
		data = t.raw(n)
		if t.rank == root {
			t.copy(data, b)
		}
	}
	switch l := t.c.Layout(); {
	case l != nil:
		t.countAlgorithm(tool.OverNodes)
		t.bcastNodes(l, data, root)
	case n >= flatLong && t.size <= flatFew && t.c.OnOneNode():
		t.bcastFlat(data, root)
	case n < bcastLong || t.size <= bcastFew:
		t.bcastTree(data, root)
	default:
		t.bcastRing(data, root)
	}
	if t.rank != root && !b.Contiguous() {
		t.copy(b, data)
	}
}

// relative is this rank's number when counting from the root on; absolute leads back.
func (t *Team) relative(root int) int { return (t.rank - root + t.size) % t.size }

func (t *Team) absolute(relative, root int) int { return (relative + root) % t.size }

// bcastTree sends data down a binomial tree: a rank whose relative number ends in k zero bits has k children,
// at distances that are powers of two.
func (t *Team) bcastTree(data datatype.Buffer, root int) {
	t.countAlgorithm(tool.Binomial)
	v := t.relative(root)
	mask := 1
	for ; mask < t.size; mask <<= 1 {
		if v&mask != 0 {
			t.recv(data, t.absolute(v-mask, root))
			break
		}
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if v+mask < t.size {
			t.send(data, t.absolute(v+mask, root))
		}
	}
}

// bcastFlat has the root send to everybody.
func (t *Team) bcastFlat(data datatype.Buffer, root int) {
	t.countAlgorithm(tool.Straight)
	if t.rank != root {
		t.recv(data, root)
		return
	}
	var w window
	for i := 1; i < t.size; i++ {
		w.send(t, data, t.absolute(i, root))
	}
	w.wait(t)
}

// pieces divides n bytes among the ranks; ranks at the end may get less or nothing.
type pieces struct {
	data datatype.Buffer
	each int64
}

// of is the bytes of count ranks from relative number v on.
func (p pieces) of(v, count int) datatype.Buffer {
	from := min(int64(v)*p.each, p.data.Count)
	to := min(int64(v+count)*p.each, p.data.Count)
	return p.data.Slice(from, to-from)
}

// cacheLine keeps what different ranks write apart.
const cacheLine = 64

// bcastRing scatters data down a binomial tree, each rank getting the pieces of all ranks below it, and then
// passes the pieces round a ring until everybody has them all.
func (t *Team) bcastRing(data datatype.Buffer, root int) {
	t.countAlgorithm(tool.Ring)
	each := (data.Count + int64(t.size) - 1) / int64(t.size)
	p := pieces{data, (each + cacheLine - 1) &^ (cacheLine - 1)}
	v := t.relative(root)
	mask := 1
	for ; mask < t.size; mask <<= 1 {
		if v&mask != 0 {
			if b := p.of(v, mask); b.Count > 0 {
				t.recv(b, t.absolute(v-mask, root))
			}
			break
		}
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if v+mask < t.size {
			if b := p.of(v+mask, mask); b.Count > 0 {
				t.send(b, t.absolute(v+mask, root))
			}
		}
	}
	right, left := (t.rank+1)%t.size, (t.rank-1+t.size)%t.size
	for k := range t.size - 1 {
		out, in := (v-k+t.size)%t.size, (v-k-1+t.size)%t.size
		t.exchange(p.of(out, 1), right, p.of(in, 1), left)
	}
}
