package op

// pair is what MPI_MINLOC and MPI_MAXLOC work on: a value and the index that goes with it, laid out as
// C lays out the struct (MPI 5.0, 6.9.4).
type pair[V, I number] struct {
	value V
	index I
}

// The fields are assigned one by one: what lies in the gaps of the user's structs stays as it is.

func maxLoc[V, I number](out, in, inout uintptr, n int64) {
	a, b, c := vector[pair[V, I]](in, n), vector[pair[V, I]](inout, n), vector[pair[V, I]](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i := range b {
		x, y := &a[i], &b[i]
		value, index := y.value, y.index
		if x.value > y.value {
			value, index = x.value, x.index
		} else if x.value == y.value && x.index < index {
			index = x.index
		}
		c[i].value, c[i].index = value, index
	}
}

func minLoc[V, I number](out, in, inout uintptr, n int64) {
	a, b, c := vector[pair[V, I]](in, n), vector[pair[V, I]](inout, n), vector[pair[V, I]](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i := range b {
		x, y := &a[i], &b[i]
		value, index := y.value, y.index
		if x.value < y.value {
			value, index = x.value, x.index
		} else if x.value == y.value && x.index < index {
			index = x.index
		}
		c[i].value, c[i].index = value, index
	}
}

// wide is a located value of 16 bytes; its alignment in C, which Go does not have, makes it 32.
type wide[V any] struct {
	value V
	index int32
	_     [3]int32
}

// equality is an order in which equal values can be told, too.
type equality[T any] interface {
	ordering[T]
	equal(T) bool
}

func maxLocWide[V equality[V]](out, in, inout uintptr, n int64) {
	a, b, c := vector[wide[V]](in, n), vector[wide[V]](inout, n), vector[wide[V]](out, n)
	for i := range b {
		x, y := &a[i], &b[i]
		value, index := y.value, y.index
		if y.value.less(x.value) {
			value, index = x.value, x.index
		} else if x.value.equal(y.value) && x.index < index {
			index = x.index
		}
		c[i].value, c[i].index = value, index
	}
}

func minLocWide[V equality[V]](out, in, inout uintptr, n int64) {
	a, b, c := vector[wide[V]](in, n), vector[wide[V]](inout, n), vector[wide[V]](out, n)
	for i := range b {
		x, y := &a[i], &b[i]
		value, index := y.value, y.index
		if x.value.less(y.value) {
			value, index = x.value, x.index
		} else if x.value.equal(y.value) && x.index < index {
			index = x.index
		}
		c[i].value, c[i].index = value, index
	}
}
