package mpi

import (
	"sync"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Datatypes as objects (MPI 5.0, 5.1.5 to 5.1.9): handles, inquiry, names, commitment.

// datatypes are the types that the program made.
var datatypes = table[datatype.Type]{kind: KindDatatype}

// namedTypes are the names that the program gave to predefined types.
var namedTypes struct {
	mu    sync.Mutex
	names map[*datatype.Type]string
}

// newType gives a type that was just made its handle.
func newType(t *datatype.Type, err error) (uintptr, error) {
	if err != nil {
		return 0, err
	}
	h := datatypes.put(t)
	t.SetReference(h)
	if h == 0 {
		return 0, mpierr.New(mpierr.ErrOther, "there are %d datatypes, no more can be made", most)
	}
	host.Write(h, t)
	addType(h, t)
	return h, nil
}

// addType lets the fast engine move data of a type that has a handle if it has been committed and its data
// lie one behind the other.
func addType(h uintptr, t *datatype.Type) {
	if !t.Committed() || t.LB() != 0 || t.Extent() != t.Size() || checking.Load() != nil {
		return
	}
	loops := t.Loops(1)
	if len(loops) == 1 && loops[0].Off == 0 && loops[0].Count == 1 && loops[0].Size == t.Size() {
		library.Load().process.Endpoint.AddType(fast.Type{Handle: h, Bytes: uint64(t.Size())})
	}
}

// removeType takes a handle back.
func removeType(h uintptr) {
	library.Load().process.Endpoint.DropType(h)
	host.Take(h)
	datatypes.remove(h)
}

func TypeCommit(cell TypeCell) error {
	t, err := cell.load()
	if err == nil {
		t.Commit()
		if !t.Predefined() {
			host.WriteLoops(LoadWord(uintptr(cell)), t)
			addType(LoadWord(uintptr(cell)), t)
		}
	}
	return err
}

// TypeFree takes the handle away. Operations on their way and types made of this one keep the type
// itself.
func TypeFree(cell TypeCell) error {
	t, err := cell.load()
	if err != nil {
		return err
	}
	if t.Predefined() {
		return mpierr.New(mpierr.ErrType, "datatype is %s, which is predefined and cannot be freed", t.Name())
	}
	if err := t.Attributes().Clear(t); err != nil {
		return err
	}
	removeType(LoadWord(uintptr(cell)))
	StoreWord(uintptr(cell), TypeNull)
	return nil
}

func TypeDup(t *datatype.Type) (uintptr, error) {
	if err := rehearse(typeAttributes(t), t); err != nil {
		return 0, err
	}
	d := datatype.Dup(t)
	h, err := newType(d, nil)
	if err != nil {
		return 0, err
	}
	if err := typeAttributes(t).CopyTo(t, d.Attributes(), d); err != nil {
		removeType(h)
		return 0, err
	}
	return h, nil
}

func TypeSize(t *datatype.Type) (int64, error) { return t.Size(), nil }

func TypeGetExtent(t *datatype.Type) (lb, extent int64, err error) {
	return t.LB(), t.Extent(), nil
}

func TypeGetTrueExtent(t *datatype.Type) (lb, extent int64, err error) {
	return t.TrueLB(), t.TrueExtent(), nil
}

func TypeGetName(t *datatype.Type) (string, error) {
	if !t.Predefined() {
		return t.Label(), nil
	}
	namedTypes.mu.Lock()
	defer namedTypes.mu.Unlock()
	if name, ok := namedTypes.names[t]; ok {
		return name, nil
	}
	return t.Name(), nil
}

func TypeSetName(t *datatype.Type, name string) error {
	if len(name) > MaxObjectName-1 {
		return mpierr.New(mpierr.ErrArg, "type_name has %d characters, at most %d are allowed", len(name), MaxObjectName-1)
	}
	if !t.Predefined() {
		t.SetLabel(name)
		return nil
	}
	namedTypes.mu.Lock()
	defer namedTypes.mu.Unlock()
	if namedTypes.names == nil {
		namedTypes.names = map[*datatype.Type]string{}
	}
	namedTypes.names[t] = name
	return nil
}

// The upper bound and the older names of bounds and extent (MPI 2.2, 16.1).

func TypeExtent(t *datatype.Type) (int64, error) { return t.Extent(), nil }

func TypeLb(t *datatype.Type) (int64, error) { return t.LB(), nil }

func TypeUb(t *datatype.Type) (int64, error) { return t.LB() + t.Extent(), nil }
