package datatype

// Loop is one loop of a type's program in the form that the C stubs carry out: a row of such loops stands for
// the steps of one element, each ahead of those of its body. Lists of displacements have become loops of one
// turn.
type Loop struct {
	Off    int64 // displacement of the first turn from the address of the enclosing turn
	Count  int64 // turns, > 0
	Stride int64 // bytes of memory from one turn to the next
	Size   int64 // bytes of the stream in one turn, > 0
	// how many of the loops behind this one are its body, with theirs; 0 where a turn moves one run
	Inner int64
}

// Loops is the program of one element of t as at most most loops; nil when there is no data, or it takes more
// of them.
func (t *Type) Loops(most int) []Loop {
	if t.size == 0 {
		return nil
	}
	return unlisted(nil, t.program(), 0, most)
}

// unlisted appends the loops of steps at displacement off; nil when there are more than most in all.
func unlisted(loops []Loop, steps []step, off int64, most int) []Loop {
	for i := range steps {
		s := &steps[i]
		turns := max(len(s.list), len(s.offs), 1)
		if len(loops)+turns > most {
			return nil
		}
		base, at := off+s.off, len(loops)
		switch {
		case s.list != nil:
			for k, p := range s.list {
				loops = append(loops, Loop{Off: base + p.off, Count: 1, Size: sizeOf(s.list, k)})
			}
		case s.offs != nil && s.body == nil:
			for _, o := range s.offs {
				loops = append(loops, Loop{Off: base + o, Count: 1, Size: s.size})
			}
		case s.offs != nil:
			for _, o := range s.offs {
				if loops = unlisted(loops, s.body, base+o, most); loops == nil {
					return nil
				}
			}
		default:
			loops = append(loops, Loop{Off: base, Count: s.count, Stride: s.stride, Size: s.size})
			if s.body == nil {
				continue
			}
			if loops = unlisted(loops, s.body, 0, most); loops == nil {
				return nil
			}
			loops[at].Inner = int64(len(loops) - at - 1)
		}
	}
	return loops
}
