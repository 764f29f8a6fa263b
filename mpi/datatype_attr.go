package mpi

import (
	"sync"

	"gompi/runtime/attr"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
)

// Attributes of datatypes (MPI 5.0, 7.7.4).

// namedTypes is what the program gave to the types that were there from the start.
var namedTypes struct {
	mu  sync.Mutex
	all map[*datatype.Type]*namedType
}

// namedType is the name and the attributes of one of them.
type namedType struct {
	name       fast.Name
	attributes attr.Set
}

// namedTypeOf is what the program gave to a predefined type.
func namedTypeOf(t *datatype.Type) *namedType {
	namedTypes.mu.Lock()
	defer namedTypes.mu.Unlock()
	n := namedTypes.all[t]
	if n == nil {
		if namedTypes.all == nil {
			namedTypes.all = map[*datatype.Type]*namedType{}
		}
		n = new(namedType)
		n.name.Set(t.Name())
		namedTypes.all[t] = n
	}
	return n
}

// typeName is the name of any type.
func typeName(t *datatype.Type) *fast.Name {
	if t.Predefined() {
		return &namedTypeOf(t).name
	}
	return t.Named()
}

// typeAttributes are the attributes of any type.
func typeAttributes(t *datatype.Type) *attr.Set {
	if t.Predefined() {
		return &namedTypeOf(t).attributes
	}
	return t.Attributes()
}

// attributed reports whether any type has attributes.
func attributed(t *datatype.Type) bool {
	if t.Predefined() {
		return namedTypeOf(t).attributes.Len() > 0
	}
	return t.Attributed()
}

// typeReference is the handle of a type, for callbacks.
func typeReference(t *datatype.Type) uintptr {
	if t.Predefined() && t.Handle() == 0 {
		numericTypes.mu.Lock()
		defer numericTypes.mu.Unlock()
		return numericTypes.of[t]
	}
	return t.Reference()
}

func TypeCreateKeyval(copyFunction, deleteFunction, extra uintptr) (int, error) {
	return createKeyval(attr.Type, copyFunction, deleteFunction, extra)
}

func TypeFreeKeyval(cell IntCell) error { return freeKeyval(attr.Type, cell) }

func TypeSetAttr(t *datatype.Type, keyval int, value uintptr) error {
	k, err := findKeyval(attr.Type, keyval)
	if err != nil {
		return err
	}
	err = typeAttributes(t).Put(t, k, attributeOf(host.Caller(), value))
	tellAttributes(t)
	return err
}

// tellAttributes lets the C stubs tell of the attributes of a type.
func tellAttributes(t *datatype.Type) {
	library.Load().process.Endpoint.SetTypeAttributes(typeReference(t), typeAttributes(t).Shared())
}

func TypeGetAttr(t *datatype.Type, keyval int) (value uintptr, ok bool, err error) {
	if v, ok := typeAttributes(t).Get(keyval); ok {
		tellAttributes(t)
		return attributeFor(host.Caller(), v), true, nil
	}
	_, err = findKeyval(attr.Type, keyval)
	return 0, false, err
}

func TypeDeleteAttr(t *datatype.Type, keyval int) error {
	k, err := findKeyval(attr.Type, keyval)
	if err != nil {
		return err
	}
	return typeAttributes(t).Delete(t, k)
}
