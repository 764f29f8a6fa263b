// Package match finds things by (context, source, tag), wildcards included, in a time that does not depend on
// how many there are. Both sides of message matching use it: posted receives, which may hold wildcards, and
// unexpected messages, which are looked for with them (MPI 5.0, 3.5). It knows nothing of messages.
//
// Things with the same key stand in one bin, in the order in which they came; a hash table leads from the key
// to the bin. A key with a wildcard is a key like any other, so four look-ups find all that can match.
package match

// Wildcards in a Key, with the values that the standard ABI gives them.
const (
	AnySource int32 = -1
	AnyTag    int32 = -2
)

// Key is what a message and a receive have in common.
type Key struct {
	Ctx uint32
	Src int32 // rank, or AnySource
	Tag int32 // tag, or AnyTag
}

// Kind says which parts of a key are wildcards.
type Kind uint8

// The four kinds of key; the values are bit sets.
const (
	Exact     Kind = 0
	WildSrc   Kind = 1
	WildTag   Kind = 2
	WildBoth  Kind = 3
	Kinds          = 4
	loadLimit      = 2 // bins per hash bucket before the table grows
)

// Kind tells which parts of k are wildcards.
func (k Key) Kind() Kind {
	var kind Kind
	if k.Src == AnySource {
		kind = WildSrc
	}
	if k.Tag == AnyTag {
		kind |= WildTag
	}
	return kind
}

// Under is k with the wildcards of kind.
func (k Key) Under(kind Kind) Key {
	if kind&WildSrc != 0 {
		k.Src = AnySource
	}
	if kind&WildTag != 0 {
		k.Tag = AnyTag
	}
	return k
}

func (k Key) hash() uint32 {
	h := (k.Ctx*0x9e3779b1 ^ uint32(k.Src)*0x85ebca77) + uint32(k.Tag)*0xc2b2ae3d
	return h ^ h>>15
}

// Node links one item into a bin. It is part of the item, so that linking allocates nothing. The zero Node is
// not linked.
type Node[T any] struct {
	Item       *T
	next, prev *Node[T]
	bin        *bin[T]
}

// Linked reports whether the node stands in a table.
func (n *Node[T]) Linked() bool { return n.bin != nil }

// Next is the node that came after n in the same bin.
func (n *Node[T]) Next() *Node[T] { return n.next }

type bin[T any] struct {
	key        Key
	head, tail *Node[T]
	chain      *bin[T]
}

// Table holds nodes by key. The zero Table is empty and ready for use. It is used by one thread at a time.
type Table[T any] struct {
	buckets []*bin[T]
	bins    int
	idle    int // bins without nodes; kept, because the same key usually comes again
	last    *bin[T]
}

func (t *Table[T]) find(k Key) *bin[T] {
	if b := t.last; b != nil && b.key == k {
		return b
	}
	if len(t.buckets) == 0 {
		return nil
	}
	for b := t.buckets[k.hash()&uint32(len(t.buckets)-1)]; b != nil; b = b.chain {
		if b.key == k {
			t.last = b
			return b
		}
	}
	return nil
}

// First is the oldest node under k, nil when there is none.
func (t *Table[T]) First(k Key) *Node[T] {
	if b := t.find(k); b != nil {
		return b.head
	}
	return nil
}

// Add puts n under k, behind those that are there.
func (t *Table[T]) Add(k Key, n *Node[T]) {
	b := t.find(k)
	if b == nil {
		b = t.newBin(k)
	}
	if b.head == nil {
		t.idle--
		b.head = n
	} else {
		b.tail.next = n
	}
	n.bin, n.prev, n.next = b, b.tail, nil
	b.tail = n
}

// Remove takes n out of the table in which it is.
func (t *Table[T]) Remove(n *Node[T]) {
	b := n.bin
	if n.prev == nil {
		b.head = n.next
	} else {
		n.prev.next = n.next
	}
	if n.next == nil {
		b.tail = n.prev
	} else {
		n.next.prev = n.prev
	}
	n.bin, n.prev, n.next = nil, nil, nil
	if b.head == nil {
		t.idle++
	}
}

// newBin makes an empty bin for k. Before the table grows it drops the bins that stand empty.
func (t *Table[T]) newBin(k Key) *bin[T] {
	if t.bins >= loadLimit*len(t.buckets) {
		t.rehash()
	}
	b := &bin[T]{key: k}
	t.link(b)
	t.bins++
	t.idle++
	t.last = b
	return b
}

func (t *Table[T]) link(b *bin[T]) {
	i := b.key.hash() & uint32(len(t.buckets)-1)
	b.chain, t.buckets[i] = t.buckets[i], b
}

func (t *Table[T]) rehash() {
	old := t.buckets
	size := max(16, len(old))
	if used := t.bins - t.idle; used*2 > t.bins {
		size *= 2
	}
	t.buckets = make([]*bin[T], size)
	t.bins, t.idle, t.last = 0, 0, nil
	for _, b := range old {
		for b != nil {
			next := b.chain
			if b.head != nil {
				t.link(b)
				t.bins++
			}
			b = next
		}
	}
}
