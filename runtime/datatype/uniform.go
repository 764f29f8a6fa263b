package datatype

// Uniform is the predefined type of which all elements of t consist, nil when there are several (MPI 5.0, 12.3.4: what
// accumulates accept) or none. Predefined types with one representation count as one.
func (t *Type) Uniform() *Type {
	if t.Predefined() {
		return t
	}
	var found *Type
	for _, p := range t.parts {
		if p.n == 0 || p.t.size == 0 {
			continue
		}
		u := p.t.Uniform()
		if u == nil || found != nil && (u.basic != found.basic || u.kind != found.kind) {
			return nil
		}
		found = u
	}
	return found
}

// Even tells how the data of one element lies if it lies in runs of run > 0 bytes that begin stride bytes after each other,
// the first at TrueLB, none before the one ahead of it; otherwise, and without data, runs is 0.
func (t *Type) Even() (runs, run, stride int64) {
	switch {
	case t.size == 0:
	case t.oneRun():
		return 1, t.size, 0
	case len(t.body) == 1:
		if s := &t.body[0]; s.body == nil && s.list == nil && s.offs == nil && s.stride > 0 {
			return s.count, s.size, s.stride
		}
	}
	return 0, 0, 0
}
