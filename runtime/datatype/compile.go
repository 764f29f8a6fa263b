package datatype

// How type maps become programs. A constructor describes its type by steps; here they are brought into the
// smallest form: runs that touch are one run, equal steps at equal distances are one loop, and equal steps at
// other distances are one loop with a list of displacements.

// run is a step that moves n bytes at displacement off.
func run(off, n int64) step { return step{off: off, count: 1, size: n} }

// isRun reports whether the step moves one run of bytes.
func (s *step) isRun() bool { return s.count == 1 && s.body == nil && s.list == nil }

// isGroup reports whether the step does nothing but hold a body together.
func (s *step) isGroup() bool { return s.count == 1 && s.body != nil }

// total is the number of bytes of the stream that the step takes.
func (s *step) total() int64 { return s.count * s.size }

// whole is one element of t as one step. t has data.
func (t *Type) whole() step {
	switch {
	case t.body == nil:
		return run(0, t.size)
	case len(t.body) == 1:
		return t.body[0]
	default:
		return step{count: 1, size: t.size, body: t.body}
	}
}

// repeated is n > 0 times u, each stride bytes from the one before.
func (u step) repeated(n, stride int64) step {
	switch {
	case n == 1:
		return u
	case u.isRun() && stride == u.size:
		return run(u.off, n*u.size)
	case u.count == 1 && u.list == nil:
		return step{off: u.off, count: n, stride: stride, size: u.size, body: u.body}
	case u.offs == nil && u.list == nil && stride == u.count*u.stride:
		return step{off: u.off, count: n * u.count, stride: u.stride, size: u.size, body: u.body}
	}
	off := u.off
	u.off, u.ahead = 0, 0
	return step{off: off, count: n, stride: stride, size: u.total(), body: []step{u}}
}

// compile brings the steps of one element, in the order of the type map, into the smallest form.
func compile(steps []step) []step {
	for {
		n := len(steps)
		steps = fold(join(steps))
		if len(steps) == n || len(steps) <= 1 {
			break
		}
	}
	if len(steps) == 1 && steps[0].isGroup() {
		off := steps[0].off
		steps = append([]step(nil), steps[0].body...)
		for i := range steps {
			steps[i].off += off
		}
	}
	ahead := int64(0)
	for i := range steps {
		steps[i].ahead = ahead
		ahead += steps[i].total()
	}
	return steps
}

// join makes one run of runs that touch. It writes over the list.
func join(steps []step) []step {
	n := 0
	for i := range steps {
		s := &steps[i]
		if n > 0 && s.isRun() {
			if last := &steps[n-1]; last.isRun() && last.off+last.size == s.off {
				last.size += s.size
				continue
			}
		}
		if n != i {
			steps[n] = *s
		}
		n++
	}
	return steps[:n]
}

// progression is how many equal steps at equal distances make a loop of their own, among others that have
// none.
const progression = 4

// fold makes loops of equal steps that follow each other. It writes over the list.
func fold(steps []step) []step {
	out := steps[:0] // never longer than what has been read
	for i := 0; i < len(steps); {
		j := i + 1
		for j < len(steps) && alike(&steps[i], &steps[j]) {
			j++
		}
		if j == i+1 && len(out) == i { // it stays where it is
			out, i = steps[:j], j
			continue
		}
		out = foldAlike(out, steps[i:j])
		i = j
	}
	return out
}

// alike reports whether two steps differ in their displacement alone.
func alike(a, b *step) bool {
	return a.size == b.size && a.count == b.count && a.stride == b.stride && len(a.body) == len(b.body) &&
		len(a.offs) == len(b.offs) &&
		len(a.list) == len(b.list) && (len(a.list) == 0 || &a.list[0] == &b.list[0]) &&
		(len(a.body) == 0 || &a.body[0] == &b.body[0]) && (len(a.offs) == 0 || &a.offs[0] == &b.offs[0])
}

// foldAlike appends loops for steps that are alike. It may write over the list.
func foldAlike(out []step, like []step) []step {
	displs := make([]int64, len(like))
	for i := range like {
		displs[i] = like[i].off
	}
	return foldDisplacements(out, like[0], displs)
}

// foldDisplacements appends loops for one or more times u, at these displacements.
func foldDisplacements(out []step, u step, displs []int64) []step {
	if len(displs) > shortList && progressions(displs)*progression > len(displs) {
		return irregular(out, u, displs)
	}
	from := 0 // of the steps at no regular distance
	for k := 0; k < len(displs); {
		m := k + 1
		for m < len(displs) && displs[m]-displs[m-1] == displs[k+1]-displs[k] {
			m++
		}
		if m-k >= progression || k == 0 && m == len(displs) && m > 1 {
			out = irregular(out, u, displs[from:k])
			u.off = displs[k]
			out = append(out, u.repeated(int64(m-k), displs[k+1]-displs[k]))
			k, from = m, m
		} else {
			k++
		}
	}
	return irregular(out, u, displs[from:])
}

// progressions is of how many rows of equal distances the displacements consist.
func progressions(displs []int64) int {
	n, distance, length := 1, int64(0), 1
	for i := 1; i < len(displs); i++ {
		d := displs[i] - displs[i-1]
		if length > 1 && d != distance {
			n, length = n+1, 1
			continue
		}
		distance = d
		length++
	}
	return n
}

// irregular appends one loop over a list of displacements for u at these displacements, of which there may be
// none.
func irregular(out []step, u step, displs []int64) []step {
	if len(displs) == 0 {
		return out
	}
	if u.off = displs[0]; len(displs) == 1 {
		return append(out, u)
	}
	s := step{off: u.off, count: int64(len(displs)), size: u.total(), body: u.body,
		offs: make([]int64, len(displs))}
	if u.count > 1 || u.list != nil {
		u.off, u.ahead = 0, 0
		s.body = []step{u}
	}
	for i := range displs {
		s.offs[i] = displs[i] - displs[0]
	}
	return append(out, s)
}
