package check

import (
	"encoding/binary"
	"slices"
)

// AccessKind is what an operation does with memory of a window.
type AccessKind uint8

// The kinds of access.
const (
	Read   AccessKind = iota // MPI_Get
	Write                    // MPI_Put
	Update                   // accumulates, element by element
	Fetch                    // accumulates with MPI_NO_OP, which read element by element
)

// Reads reports whether an access leaves the memory as it is. It is complete at the target when it is at the
// origin.
func (k AccessKind) Reads() bool { return k == Read || k == Fetch }

// Access is what one operation does with the memory of its target.
type Access struct {
	Origin int // rank in the window
	Kind   AccessKind
	// of an update: what may be done at the same time by others that have the same; AnyOp for what goes with
	// all others
	Op, Type uint32
	Spans    []Span
	// when it was under way at least, by shm.Now; Ended is Pending as long as nothing has completed it
	Begun, Ended uint64
	Exposed      bool // by MPI_Win_start: it lasts until MPI_Win_wait of the target
	Sum          uint64
	Summed       bool   // Sum is that of the data that was put
	Text         string // the call: "MPI_Put at ring.c:12"
	Args         string // its arguments
}

// Span is n bytes of a window, at bytes from its begin.
type Span struct{ At, N int64 }

// Pending is later than any time.
const Pending = ^uint64(0)

// AnyOp is the operation of an update that goes with all others.
const AnyOp = ^uint32(0)

// compatible reports whether two accesses may be to the same memory at the same time.
func (a *Access) compatible(b *Access) bool {
	switch {
	case a.Kind.Reads() && b.Kind.Reads():
		return true
	case a.Kind == Fetch && b.Kind == Update, a.Kind == Update && b.Kind == Fetch:
		return true
	case a.Kind == Update && b.Kind == Update:
		return a.Op == AnyOp || b.Op == AnyOp || a.Op == b.Op && a.Type == b.Type
	}
	return false
}

// meets reports whether both were under way at one time.
func (a *Access) meets(b *Access) bool { return a.Begun < b.Ended && b.Begun < a.Ended }

// placed is one span of an access.
type placed struct {
	Span
	of *Access
}

// mostCompared bounds with how many others a span is compared.
const mostCompared = 512

// Conflicts calls f for pairs of accesses to the same memory of one rank that are not compatible, and were
// under way at one time.
func Conflicts(all []*Access, f func(a, b *Access)) {
	var spans []placed
	for _, a := range all {
		for _, s := range a.Spans {
			spans = append(spans, placed{s, a})
		}
	}
	slices.SortStableFunc(spans, func(x, y placed) int { return int(max(-1, min(1, x.At-y.At))) })
	var open [Fetch + 1]around
	for _, s := range spans {
		for kind := range open {
			if k := AccessKind(kind); k.Reads() && s.of.Kind.Reads() {
				continue
			}
			open[kind].each(s.At, func(o placed) {
				if o.of != s.of && !o.of.compatible(s.of) && o.of.meets(s.of) {
					f(o.of, s.of)
				}
			})
		}
		open[s.of.Kind].add(s)
	}
}

// around is spans, in order of their begin, that may reach as far as others that begin later.
type around struct {
	list []placed
	kept int // how many of them there were after the last time that some were left out
}

func (a *around) add(s placed) {
	if len(a.list) > 2*a.kept+mostCompared {
		a.list = slices.DeleteFunc(a.list, func(o placed) bool { return o.At+o.N <= s.At })
		a.kept = len(a.list)
	}
	a.list = append(a.list, s)
}

// each calls f for those that reach beyond a place: mostCompared of them at most.
func (a *around) each(at int64, f func(placed)) {
	n := 0
	for _, o := range a.list {
		if o.At+o.N <= at {
			continue
		}
		if n++; n > mostCompared {
			break
		}
		f(o)
	}
}

// Alone reports whether no other access of a list touches the memory of a, reads left out if reads is set.
func (a *Access) Alone(all []*Access, reads bool) bool {
	for _, b := range all {
		if b == a || reads && b.Kind.Reads() {
			continue
		}
		for _, x := range a.Spans {
			for _, y := range b.Spans {
				if x.At < y.At+y.N && y.At < x.At+x.N {
					return false
				}
			}
		}
	}
	return true
}

// AppendTo writes the access in the form of DecodeAccesses, but for its origin.
func (a *Access) AppendTo(b []byte) []byte {
	flags := uint64(a.Kind)
	if a.Exposed {
		flags |= 4
	}
	if a.Summed {
		flags |= 8
	}
	for _, v := range []uint64{flags, uint64(a.Op), uint64(a.Type), a.Begun, a.Ended, a.Sum} {
		b = binary.AppendUvarint(b, v)
	}
	b = binary.AppendUvarint(b, uint64(len(a.Spans)))
	for _, s := range a.Spans {
		b = binary.AppendVarint(binary.AppendVarint(b, s.At), s.N)
	}
	for _, text := range []string{a.Text, a.Args} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return b
}

// DecodeAccesses reads what an origin has written; it ends at what is malformed.
func DecodeAccesses(origin int, b []byte) (all []*Access) {
	ok := true
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			ok, b = false, nil
			return 0
		}
		b = b[n:]
		return v
	}
	signed := func() int64 {
		v, n := binary.Varint(b)
		if n <= 0 {
			ok, b = false, nil
			return 0
		}
		b = b[n:]
		return v
	}
	text := func() string {
		n := number()
		if n > uint64(len(b)) {
			ok, b = false, nil
			return ""
		}
		s := string(b[:n])
		b = b[n:]
		return s
	}
	for len(b) > 0 {
		a := &Access{Origin: origin}
		flags := number()
		a.Kind, a.Exposed, a.Summed = AccessKind(flags&3), flags&4 != 0, flags&8 != 0
		a.Op, a.Type = uint32(number()), uint32(number())
		a.Begun, a.Ended, a.Sum = number(), number(), number()
		for n := number(); n > 0 && ok; n-- {
			a.Spans = append(a.Spans, Span{signed(), signed()})
		}
		a.Text, a.Args = text(), text()
		if !ok {
			return all
		}
		all = append(all, a)
	}
	return all
}
