package datatype

// Uniform is the predefined type of which all elements of t consist, nil when there are several (MPI 5.0,
// 12.3.4: what accumulates accept) or none. Predefined types with one representation count as one.
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
