package datatype

import "gompi/runtime/fast"

// Loops appends the program of one element of t: a row of loops that stands for its steps, each ahead of
// those of its body. Lists of displacements become loops of one turn. Nothing is appended where there is no
// data.
func (t *Type) Loops(loops []fast.Loop) []fast.Loop {
	if t.size == 0 {
		return loops
	}
	return unlisted(loops, t.program(), 0)
}

// Loop is the one loop that is the program of one element of t; false where it takes more, or there is none.
func (t *Type) Loop() (fast.Loop, bool) {
	if t.body == nil {
		return fast.Loop{Count: 1, Size: t.size}, t.size > 0
	}
	if len(t.body) != 1 {
		return fast.Loop{}, false
	}
	s := &t.body[0]
	return fast.Loop{Off: s.off, Count: s.count, Stride: s.stride, Size: s.size},
		s.body == nil && s.list == nil && s.offs == nil
}

// LoopCount is how many loops Loops appends.
func (t *Type) LoopCount() int {
	if t.size == 0 {
		return 0
	}
	return loopsIn(t.program())
}

func loopsIn(steps []step) (n int) {
	for i := range steps {
		s := &steps[i]
		turns := max(len(s.list), len(s.offs), 1)
		switch {
		case s.body == nil:
			n += turns
		case s.offs != nil:
			n += turns * loopsIn(s.body)
		default:
			n += 1 + loopsIn(s.body)
		}
	}
	return n
}

// unlisted appends the loops of steps at displacement off.
func unlisted(loops []fast.Loop, steps []step, off int64) []fast.Loop {
	for i := range steps {
		s := &steps[i]
		base, at := off+s.off, len(loops)
		switch {
		case s.list != nil:
			for k, p := range s.list {
				loops = append(loops, fast.Loop{Off: base + p.off, Count: 1, Size: sizeOf(s.list, k)})
			}
		case s.offs != nil && s.body == nil:
			for _, o := range s.offs {
				loops = append(loops, fast.Loop{Off: base + o, Count: 1, Size: s.size})
			}
		case s.offs != nil:
			for _, o := range s.offs {
				loops = unlisted(loops, s.body, base+o)
			}
		default:
			loops = append(loops, fast.Loop{Off: base, Count: s.count, Stride: s.stride, Size: s.size})
			if s.body == nil {
				continue
			}
			loops = unlisted(loops, s.body, 0)
			loops[at].Inner = int64(len(loops) - at - 1)
		}
	}
	return loops
}
