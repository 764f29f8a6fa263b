package fast

import "sync/atomic"

// The loops of a datatype that C makes: those of the types that it is made of, with a loop around them for
// each row of equal blocks. Loops of one run are made one where that can be. What the loops of a type are,
// package datatype finds on its own for types that Go makes. Both move the same bytes in the same order.

// loopsFound is how many loops of a type are known, All; 0 when that is not known.
func (t *Type) loopsFound() int64 {
	if atomic.LoadUintptr(&t.Commitment) != 0 {
		return t.Found
	}
	return loopsOf(t)
}

// loopsAround is how many loops there are at most when some are wrapped around those of a type; 0 when those
// are not known. Around a run, the first one takes its place, and around elements without gaps two do.
func (t *Type) loopsAround(more int64) int64 {
	n := t.loopsFound()
	if n == 0 {
		return 0
	}
	if n == 1 && t.Dense != 0 {
		return max(more-1, 1)
	}
	if n == 1 && t.All.Count == 1 {
		return more
	}
	return n + more
}

// copyLoops adds the loops of another type. There is memory for them.
func (t *Type) copyLoops(of *Type) {
	n := of.loopsFound()
	for i := int64(0); i < n; i++ {
		*loopAt(t.All, t.Found+i) = *loopAt(of.All, i)
	}
	t.Found += n
}

// wrapLoops has the loops from first on be carried out count times, each stride bytes from the time before.
// They move size bytes. There is memory for one more loop.
func (t *Type) wrapLoops(first, count, stride, size int64) {
	l := loopAt(t.All, first)
	if count == 1 {
		return
	}
	if first == t.Found-1 {
		if l.Count == 1 && stride == l.Size {
			l.Size *= count
			return
		}
		if l.Count == 1 {
			l.Count = count
			l.Stride = stride
			return
		}
		if stride == l.Count*l.Stride {
			l.Count *= count
			return
		}
	}
	for i := t.Found; i > first; i-- {
		*loopAt(t.All, i) = *loopAt(t.All, i-1)
	}
	*l = Loop{Count: count, Stride: stride, Size: size, Inner: t.Found - first}
	t.Found++
}

// shiftLoops moves the loops from first on by so many bytes.
func (t *Type) shiftLoops(first, by int64) {
	for i := first; i < t.Found; {
		l := loopAt(t.All, i)
		l.Off += by
		i += 1 + l.Inner
	}
}
