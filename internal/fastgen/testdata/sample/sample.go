// Package sample has each construct that fastgen translates, with results that differ between the languages
// where the translation is naive.
package sample

import "sync/atomic"

// Limit is a constant of the package.
const Limit = 5

// Kind is an integer of its own type.
type Kind uint8

// Kinds.
const (
	First Kind = iota
	Second
	Third
)

// Pair is a struct in a struct.
type Pair struct {
	A uint8
	B int64
}

// Tally is a part of a struct that has parts of its own.
type Tally struct {
	Range
	Sum int64
}

// Range is such a part.
type Range struct{ Least, Most int64 }

// State has fields of all forms.
type State struct {
	Tally
	small  uint8
	Wide   uint64
	List   [4]uint32
	Pairs  [2]Pair
	inline int16
	Kind   Kind
	ok     bool
}

// Arithmetic runs over where Go's types do.
func Arithmetic(x, y int64) int64 {
	s := State{small: uint8(x), inline: int16(y)}
	s.small += uint8(y)
	s.small++
	s.inline = s.inline*3 - int16(x)
	narrow := uint16(x)<<3 | uint16(y)>>2
	bits := uint32(x)&^uint32(y) ^ 0xff
	return int64(s.small) + int64(s.inline) + int64(narrow) + int64(bits) + int64(^uint8(x)) + (x/7)%(y|1)
}

// Loops has every form of loop and branch.
func Loops(x, y int64) int64 {
	n := int64(0)
	for i := range uint32(10) {
		if i == uint32(x&7) {
			continue
		}
		n += int64(i)
	}
	for i, j := uint32(0), uint32(20); i < j; i++ {
		if i > 12 {
			break
		}
		n = n*3 + int64(j)
	}
	for n > 1000000 {
		n /= 2
	}
	for range 3 {
		n++
	}
	if k := n % 10; k < 3 {
		n += 100
	} else if k < 6 {
		n += 200
	} else {
		n -= y % 100
	}
	switch Kind(uint64(x) % 4) {
	case First:
		n ^= 1
	case Second, Third:
		n ^= 6
	default:
		n = -n
	}
	switch {
	case n < 0:
		n -= Limit
	case n > 50:
		n += Limit
	default:
		n *= 2
	}
	return n
}

// Memory goes through pointers, arrays and several results.
func Memory(x, y int64) int64 {
	var s State
	s.Wide = uint64(x)
	fill(&s, uint32(y))
	first, second := s.split()
	first, second = second, first
	p := s.pair(uint32(x & 1))
	p.B -= int64(first)
	sum := int64(second) + s.Pairs[0].B + s.Pairs[1].B
	if s.ok && p != nil || s.Kind == Third {
		sum += int64(min(first, second)) - int64(max(first, second))
	}
	for i := range uint32(len(s.List)) {
		sum += int64(s.List[i])
	}
	s.add(sum)
	s.widen(y)
	s.Tally.add(s.Most - s.Least)
	sum += s.Sum
	return sum + int64(atomic.AddUint32(&s.List[1], 7)) + int64(atomic.LoadUint64(&s.Wide)&0xffff)
}

func fill(s *State, from uint32) {
	for i := uint32(0); i < 4; i++ {
		s.List[i] = from + i*i
	}
	s.Pairs[0] = Pair{A: 3, B: int64(from)}
	s.Pairs[1] = Pair{B: -int64(from)}
	s.ok = from&1 == 0
	s.Kind = Third
	if !s.ok {
		s.Kind = First
	}
}

func (t *Tally) add(n int64) {
	t.Sum += n
	t.widen(n)
}

func (r *Range) widen(n int64) {
	r.Least = min(r.Least, n)
	r.Most = max(r.Most, n)
}

func (s *State) split() (uint32, uint32) { return uint32(s.Wide), uint32(s.Wide >> 32) }

func (s *State) pair(i uint32) *Pair { return &s.Pairs[i] }
