package mpi

import (
	"math"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Datatypes as objects (MPI 5.0, 5.1.5 to 5.1.9): handles, inquiry, names, commitment.

// datatypes are the types that the program made.
var datatypes = table[datatype.Type]{kind: KindDatatype}

// newType gives a type that was just made its handle.
func newType(t *datatype.Type, err error) (uintptr, error) {
	if err != nil {
		return 0, err
	}
	datatypes.prepare()
	h := datatypes.put(t)
	t.SetReference(h)
	if h == 0 {
		return 0, mpierr.New(mpierr.ErrOther, "there are %d datatypes, no more can be made", most)
	}
	if checking.Load() == nil {
		addType(library.Load().process.Endpoint, h, t)
	}
	return h, nil
}

// addType lets the C stubs tell of a type that has a handle.
func addType(endpoint *fast.Endpoint, h uintptr, t *datatype.Type) {
	record := endpoint.NewType(h)
	if record == nil {
		return
	}
	record.Size, record.LB, record.Extent = t.Size(), t.LB(), t.Extent()
	record.TrueLB, record.TrueExtent = t.TrueLB(), t.TrueExtent()
	record.Elements, _ = t.Elements(t.Size())
	record.Align = uint32(t.Align())
	if t.Marked() {
		record.Marked = 1
	}
	if u := t.Uniform(); u != nil {
		if n, ok := u.Elements(u.Size()); ok && n == 1 && u.Size() <= math.MaxInt32 {
			record.Basic = uint32(u.Size())
		}
	}
	c := t.Contents()
	record.Combiner = int32(c.Combiner)
	record.Lengths = fast.TypeLengths{Integers: int32(len(c.Integers)), Addresses: int32(len(c.Addresses)),
		Counts: int32(len(c.Counts)), Types: int32(len(c.Types))}
	if !t.Predefined() {
		record.Freeable = 1
	}
	tellLoop(record, t)
	endpoint.AddType(record, h)
	if t.Committed() && record.Loops == 0 {
		commitType(endpoint, h, t)
	}
}

// tellLoop lets C commit a type of one loop.
func tellLoop(record *fast.Type, t *datatype.Type) {
	if loop, ok := t.Loop(); ok {
		bytes := int64(0)
		if loop.Off == 0 && loop.Count == 1 && t.LB() == 0 && t.Extent() == t.Size() {
			bytes = t.Size()
		}
		record.SetLoop(loop, bytes, uint32(t.Reversed()), t.Commitment())
	}
}

// commitType lets C move data of a type of several loops that has been committed.
func commitType(endpoint *fast.Endpoint, h uintptr, t *datatype.Type) {
	if t.Size() > fast.MostListed && t.LoopCount() > fast.FewLoops || t.Size() > fast.MostPacked {
		return
	}
	var few [fast.FewLoops]fast.Loop
	endpoint.CommitType(h, uint32(t.Reversed()), t.Loops(few[:0]))
}

// addNamedTypes lets the C stubs tell of the predefined types.
func addNamedTypes(endpoint *fast.Endpoint) {
	for h := range endpoint.Sizes {
		t := datatype.ByHandle(uint32(TypeNull + h))
		if t == nil {
			continue
		}
		if t.Size() == t.Extent() && t.Size() <= math.MaxUint8 {
			endpoint.Sizes[h] = uint8(t.Size())
		}
		if checking.Load() == nil {
			addType(endpoint, uintptr(TypeNull+h), t)
		}
	}
}

// removeType takes a handle back.
func removeType(h uintptr) {
	p := library.Load().process
	p.Engine.ReleaseRecords()
	p.Endpoint.DropType(h)
	datatypes.remove(h)
}

func TypeCommit(cell TypeCell) error {
	t, err := cell.load()
	if err == nil {
		t.Commit()
		if e := recording(); e != nil && !fast.TypeCommit(e, uintptr(cell)) {
			commitType(e, LoadWord(uintptr(cell)), t)
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
	if t.Attributed() {
		if err := t.Attributes().Clear(t); err != nil {
			return err
		}
	}
	h := LoadWord(uintptr(cell))
	if e := recording(); e != nil {
		if outer := e.OuterType(h); outer != 0 {
			datatypes.get(outer) // which is made of this one
		}
	}
	removeType(h)
	StoreWord(uintptr(cell), TypeNull)
	return nil
}

func TypeDup(t *datatype.Type) (uintptr, error) {
	if !attributed(t) {
		return newType(datatype.Dup(t), nil)
	}
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
	tellAttributes(d)
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
	return sharedName(t).String(), nil
}

// sharedName is the name of a datatype, which C finds from then on.
func sharedName(t *datatype.Type) *fast.Name {
	n := typeName(t)
	library.Load().process.Endpoint.SetTypeName(typeReference(t), n)
	return n
}

func TypeSetName(t *datatype.Type, name string) error {
	if len(name) > MaxObjectName-1 {
		return mpierr.New(mpierr.ErrArg, "type_name has %d characters, at most %d are allowed", len(name), MaxObjectName-1)
	}
	sharedName(t).Set(name)
	return nil
}

// The upper bound and the older names of bounds and extent (MPI 2.2, 16.1).

func TypeExtent(t *datatype.Type) (int64, error) { return t.Extent(), nil }

func TypeLb(t *datatype.Type) (int64, error) { return t.LB(), nil }

func TypeUb(t *datatype.Type) (int64, error) { return t.LB() + t.Extent(), nil }
