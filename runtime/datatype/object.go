package datatype

import (
	"sync/atomic"

	"gompi/runtime/attr"
	"gompi/runtime/fast"
)

// object is what changes in a derived type: its commitment, its name and its attributes. Two handles may
// stand for the same type map (MPI_Type_dup, MPI_Type_get_contents), but never for the same object.
type object struct {
	committed uint32  // 1 once it has been committed; C may set it
	shared    *uint32 // stands for committed in a type that C has made
	reference atomic.Uintptr
	// most types have neither
	name       atomic.Pointer[fast.Name]
	attributes atomic.Pointer[attr.Set]
}

// Reference is what the program knows the type by, for callbacks: a predefined type's handle, or what
// SetReference said.
func (t *Type) Reference() uintptr {
	if t.object == nil {
		return uintptr(t.handle)
	}
	return t.object.reference.Load()
}

// SetReference says what the program knows a derived type by.
func (t *Type) SetReference(r uintptr) {
	if t.object != nil {
		t.object.reference.Store(r)
	}
}

// Attributes are the attributes of a derived type (MPI 5.0, 7.7.4); nil for a predefined type, which is the
// same for all processes of an address space and keeps none.
func (t *Type) Attributes() *attr.Set {
	if t.object == nil {
		return nil
	}
	return lazily(&t.object.attributes)
}

// Attributed reports whether a derived type has attributes.
func (t *Type) Attributed() bool {
	s := t.object.attributes.Load()
	return s != nil && s.Len() > 0
}

// lazily is what p points to, made when it is not there yet.
func lazily[T any](p *atomic.Pointer[T]) *T {
	if x := p.Load(); x != nil {
		return x
	}
	p.CompareAndSwap(nil, new(T)) // another thread may be first
	return p.Load()
}

// Named is the name that the program gave a derived type, "" at first; nil for a predefined type.
func (t *Type) Named() *fast.Name {
	if t.object == nil {
		return nil
	}
	return lazily(&t.object.name)
}

// Committed reports whether the type may be used to communicate (MPI 5.0, 5.1.9). Predefined types always
// may.
func (t *Type) Committed() bool {
	return t.object == nil || atomic.LoadUint32(t.Commitment()) != 0
}

// Commit makes the type ready to communicate with. There is nothing left to compile: constructors build on
// the compiled form of the types that they are given.
func (t *Type) Commit() {
	if t.object != nil {
		atomic.StoreUint32(t.Commitment(), 1)
	}
}

// Commitment is the word of a derived type that Commit sets to 1, for C to do the same; nil for a predefined
// type.
func (t *Type) Commitment() *uint32 {
	if t.object == nil {
		return nil
	}
	if t.object.shared != nil {
		return t.object.shared
	}
	return &t.object.committed
}

// ShareCommitment has another word be the type's commitment, before anybody else knows the type.
func (t *Type) ShareCommitment(word *uint32) { t.object.shared = word }

// Predefined reports whether the type was there from the start, so that it cannot be freed.
func (t *Type) Predefined() bool { return t.object == nil }

// Label is the name that the program gave a derived type (MPI_Type_set_name), "" at first.
func (t *Type) Label() string {
	if t.object != nil {
		if n := t.object.name.Load(); n != nil {
			return n.String()
		}
	}
	return ""
}

// Clone is a new object with the same type map and contents, not committed and without a name. A predefined
// type is its own clone.
func (t *Type) Clone() *Type {
	if t.object == nil {
		return t
	}
	c := *t
	c.object = new(object)
	return &c
}

// Dup is a new type with all that t has, its commitment included (MPI_Type_dup, MPI 5.0, 5.1.10).
func Dup(t *Type) *Type {
	b := build()
	c := &b.made.Type
	*c = *t
	c.handle, c.kind, c.basic = 0, Derived, Opaque
	c.name, c.maker = "", "MPI_Type_dup"
	c.parts, c.elements = append(b.parts, part{t, 1}), t.count()
	c.contents = b.few(false, CombinerDup, 0, t)
	c.object = &b.made.object
	if t.Committed() {
		c.object.committed = 1
	}
	if c.body == nil {
		c.body = append(b.steps, run(0, c.size))
	}
	return c
}
