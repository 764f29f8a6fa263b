package datatype

import (
	"strconv"
	"strings"
)

// Signature is a type signature (MPI 5.0, 5.1.1) in a form that can be sent and compared: of what
// representations the basic elements are, one after the other, and not where they stand. Signatures of equal
// length match if they are equal.
type Signature struct {
	Elements int64 // basic elements; a pair such as MPI_DOUBLE_INT has two
	Hash     uint64
	Any      bool // there is MPI_PACKED, which matches everything (MPI 5.0, 3.3.1)
}

// Signature is the type signature of the first elements of the buffer's data, at most so many as most.
func (b Buffer) Signature(most int64) Signature {
	s := signer{left: most}
	s.add(b.Type, b.Count)
	s.flush()
	return s.Signature
}

// Matches reports whether data with signature s may be received where own has been announced.
func (s Signature) Matches(own Signature) bool {
	return s.Any || own.Any || s == own
}

// signer makes a signature of runs of equal elements.
type signer struct {
	Signature
	left int64 // elements to go
	code uint32
	n    int64 // length of the run of code at hand
}

func (s *signer) add(t *Type, n int64) {
	switch {
	case n <= 0 || t.size == 0 || s.left <= 0:
	case len(t.parts) == 1:
		s.add(t.parts[0].t, n*t.parts[0].n)
	case t.parts != nil:
		for ; n > 0 && s.left > 0; n-- {
			for _, p := range t.parts {
				s.add(p.t, p.n)
			}
		}
	case t.kind == Packed:
		s.Any = true
	default:
		first, second := t.codes()
		if second == 0 {
			s.run(first, n)
			return
		}
		for ; n > 0 && s.left > 0; n-- {
			s.run(first, 1)
			s.run(second, 1)
		}
	}
}

// codes are numbers for the representations of a predefined type's elements, of which a pair has two. Bytes
// without arithmetic match their own type alone.
func (t *Type) codes() (first, second uint32) {
	const handles = 1 << 8
	switch t.basic {
	case Opaque:
		return handles + t.handle, 0
	case Int16Int:
		return uint32(Int16), uint32(Int32)
	case Int32Int:
		return uint32(Int32), uint32(Int32)
	case Int64Int:
		return uint32(Int64), uint32(Int32)
	case Float32Int:
		return uint32(Float32), uint32(Int32)
	case Float64Int:
		return uint32(Float64), uint32(Int32)
	case Float80Int:
		return uint32(Float80), uint32(Int32)
	case Float128Int:
		return uint32(Float128), uint32(Int32)
	case Float32Pair:
		return uint32(Float32), uint32(Float32)
	case Float64Pair:
		return uint32(Float64), uint32(Float64)
	}
	if t.kind == Byte {
		return handles + t.handle, 0
	}
	return uint32(t.basic), 0
}

// run adds n elements of one representation.
func (s *signer) run(code uint32, n int64) {
	n = min(n, s.left)
	s.left -= n
	if code != s.code {
		s.flush()
		s.code = code
	}
	s.n += n
}

func (s *signer) flush() {
	if s.n > 0 {
		s.Elements += s.n
		for _, v := range [...]uint64{uint64(s.code), uint64(s.n)} {
			s.Hash ^= v
			s.Hash *= 0x9e3779b97f4a7c15
			s.Hash ^= s.Hash >> 29
		}
		s.n = 0
	}
}

// Spell is the buffer's type signature for people, such as "100 x (1 MPI_INT, 3 MPI_DOUBLE)", cut where it
// gets longer than about limit characters.
func (b Buffer) Spell(limit int) string {
	s := speller{limit: limit}
	if s.spell(b.Type, b.Count); s.text.Len() == 0 {
		return "nothing"
	}
	return s.text.String()
}

type speller struct {
	text  strings.Builder
	limit int
	full  bool
}

func (s *speller) say(what string) {
	switch {
	case s.full:
	case s.text.Len() > s.limit:
		s.full = true
		s.text.WriteString("...")
	default:
		s.text.WriteString(what)
	}
}

func (s *speller) spell(t *Type, n int64) {
	switch {
	case n <= 0 || t.size == 0 || s.full:
	case t.parts == nil:
		s.say(strconv.FormatInt(n, 10) + " " + t.Name())
	case len(t.parts) == 1:
		s.spell(t.parts[0].t, n*t.parts[0].n)
	default:
		if n > 1 {
			s.say(strconv.FormatInt(n, 10) + " x (")
		}
		for i, p := range t.parts {
			if i > 0 {
				s.say(", ")
			}
			s.spell(p.t, p.n)
		}
		if n > 1 {
			s.say(")")
		}
	}
}
