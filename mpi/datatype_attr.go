package mpi

import (
	"sync"

	"gompi/runtime/attr"
	"gompi/runtime/datatype"
)

// Attributes of datatypes (MPI 5.0, 7.7.4).

// predefinedTypes are the attributes of the types that were there from the start.
var predefinedTypes struct {
	mu   sync.Mutex
	sets map[*datatype.Type]*attr.Set
}

// typeAttributes are the attributes of any type.
func typeAttributes(t *datatype.Type) *attr.Set {
	if s := t.Attributes(); s != nil {
		return s
	}
	predefinedTypes.mu.Lock()
	defer predefinedTypes.mu.Unlock()
	s := predefinedTypes.sets[t]
	if s == nil {
		if predefinedTypes.sets == nil {
			predefinedTypes.sets = map[*datatype.Type]*attr.Set{}
		}
		s = new(attr.Set)
		predefinedTypes.sets[t] = s
	}
	return s
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
	return typeAttributes(t).Put(t, k, attributeOf(host.Caller(), value))
}

func TypeGetAttr(t *datatype.Type, keyval int) (value uintptr, ok bool, err error) {
	changes := keyvals.Changes.Load()
	if v, ok := typeAttributes(t).Get(keyval); ok {
		return found(typeReference(t), keyval, v, changes), true, nil
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
