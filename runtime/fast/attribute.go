package fast

import "sync/atomic"

// Attributes are the attributes of an object (MPI 5.0, 7.7). They stand in Go's memory, and the object's
// record leads to them.
type Attributes struct {
	Changes uint32 // see sequence.go
	Count   uint32
	Room    uint32 // for how many there is room in List
	Copies  uint32 // under how many of their keys there is a copy function
	Last    uint64 // Attribute.Order of the one that was set last
	List    *Attribute
}

// Attribute is a value under a key.
type Attribute struct {
	Keyval int32
	Plain  uint32  // 1: a pointer, under a key that is InC
	Value  uintptr // as C sees it
	Order  uint64  // grows with the time at which it was set
}

// find is the attribute under a key; nil when there is none. Another thread may change it.
func (a *Attributes) find(keyval int32) *Attribute {
	n := atomic.LoadUint32(&a.Count)
	list := a.List
	for i := uint32(0); i < n; i++ {
		x := attributeAt(list, i)
		if x.Keyval == keyval {
			return x
		}
	}
	return nil
}

// get is MPI_Comm_get_attr and its kin, where there is a value that C has asked for.
func (a *Attributes) get(keyval int32, value uintptr, flag *int32) bool {
	before := atomic.LoadUint32(&a.Changes)
	if value < Lowest || nowhere(flag) || !inC() {
		return false
	}
	x := a.find(keyval)
	if x == nil {
		return false
	}
	v := x.Value
	if !unchanged(&a.Changes, before) {
		return false
	}
	*wordAt(value) = v
	*flag = 1
	return true
}

// lacks is get where there is no value under a key that is one. a is nil where there are no attributes.
func (v *Keyvals) lacks(a *Attributes, kind KeyKind, keyval int32, flag *int32) bool {
	if nowhere(flag) || v.keyval(kind, keyval) == nil {
		return false
	}
	if a != nil {
		before := atomic.LoadUint32(&a.Changes)
		if a.find(keyval) != nil || !unchanged(&a.Changes, before) {
			return false
		}
	}
	*flag = 0
	return true
}

// setAttr is MPI_Comm_set_attr and its kin, where there is room.
func setAttr(o *Objects, a *Attributes, kind KeyKind, object uintptr, keyval int32, value uintptr) bool {
	k := o.keyval(kind, keyval)
	if a == nil || k == nil || k.InC == 0 || !inC() || !seize(&a.Changes) {
		return false
	}
	x := a.find(keyval)
	if x != nil && x.Plain == 0 || !k.TakeUse() {
		release(&a.Changes)
		return false
	}
	if x != nil && k.Delete != 0 {
		if !a.callDelete(k, x, object) {
			o.endUse(k, uintptr(uint32(keyval)))
			return false
		}
		x = a.find(keyval)
	}
	added := x == nil && a.Count != a.Room
	if added {
		x = a.add(k, keyval)
	}
	done := x != nil
	if done {
		a.Last++
		x.Plain = 1
		x.Order = a.Last
		x.Value = value
	}
	release(&a.Changes)
	if !added {
		o.endUse(k, uintptr(uint32(keyval)))
	}
	return done
}

// add makes an attribute under a key, for which there is room, while nobody else uses them.
func (a *Attributes) add(k *Keyval, keyval int32) *Attribute {
	x := attributeAt(a.List, a.Count)
	x.Keyval = keyval
	atomic.StoreUint32(&a.Count, a.Count+1)
	if k.Copy != 0 {
		a.Copies++
	}
	return x
}

// callDelete calls the delete function for an attribute. Nobody else uses the attributes before and after,
// but the function may. It is false, and the attributes are released, when the function fails, which the same
// call in Go finds noted.
func (a *Attributes) callDelete(k *Keyval, x *Attribute, object uintptr) bool {
	keyval := x.Keyval
	value := x.Value
	release(&a.Changes)
	if callDelete(k.Delete, object, keyval, value, k.Extra) != 0 {
		return false
	}
	for !seize(&a.Changes) {
		pause()
	}
	return true
}

// takeOut takes attribute x out, while nobody else uses them.
func (a *Attributes) takeOut(x *Attribute, copies bool) {
	last := attributeAt(a.List, a.Count-1)
	for x != last {
		next := attributeAt(x, 1)
		*x = *next
		x = next
	}
	atomic.StoreUint32(&a.Count, a.Count-1)
	if copies {
		a.Copies--
	}
}

// deleteAttr is MPI_Comm_delete_attr and its kin.
func deleteAttr(e *Endpoint, a *Attributes, kind KeyKind, object uintptr, keyval int32) bool {
	k := e.keyval(kind, keyval)
	if a == nil || k == nil || k.Delete != 0 && !inC() || !seize(&a.Changes) {
		return false
	}
	x := a.find(keyval)
	if x == nil || x.Plain == 0 {
		release(&a.Changes)
		return false
	}
	if k.Delete != 0 {
		if !a.callDelete(k, x, object) {
			return false
		}
		x = a.find(keyval)
	}
	if x != nil {
		a.takeOut(x, k.Copy != 0)
	}
	release(&a.Changes)
	if x != nil {
		e.endUse(k, uintptr(uint32(keyval)))
	}
	return true
}

// clearAttrs deletes attributes, the one set last first, until one is left to Go.
func clearAttrs(e *Endpoint, a *Attributes, kind KeyKind, object uintptr) {
	for a != nil && atomic.LoadUint32(&a.Count) != 0 {
		before := atomic.LoadUint32(&a.Changes)
		keyval := a.newest()
		if !unchanged(&a.Changes, before) || !deleteAttr(e, a, kind, object, keyval) {
			return
		}
	}
}

// newest is the key of the attribute that was set last.
func (a *Attributes) newest() int32 {
	keyval := int32(0)
	order := uint64(0)
	for i := uint32(0); i < a.Count; i++ {
		x := attributeAt(a.List, i)
		if x.Order >= order {
			order = x.Order
			keyval = x.Keyval
		}
	}
	return keyval
}

// Keys of predefined attributes (MPI 5.0, 9.1.2, 12.2.6 and 20.3).
const (
	keyTagUB           int32 = 501
	keyWinBase         int32 = 601 // MPI_WIN_BASE, ...
	keyWinDispUnit     int32 = 602
	keyWinSize         int32 = 603
	keyWinCreateFlavor int32 = 604
	keyWinModel        int32 = 605
)

// PredefinedKeys is how many predefined keys communicators can have, from MPI_TAG_UB on.
const PredefinedKeys = 7

// CommGetAttr is MPI_Comm_get_attr (MPI 5.0, 7.7.2).
func CommGetAttr(e *Endpoint, comm uintptr, keyval int32, value uintptr, flag *int32) bool {
	c := e.known(comm)
	if c == nil {
		return false
	}
	key := uint32(keyval - keyTagUB)
	if key >= PredefinedKeys {
		a := attributesAt(c.Attributes)
		return a.get(keyval, value, flag) || e.lacks(a, CommKeys, keyval, flag)
	}
	at := atomic.LoadUintptr(&e.Facts.Attributes[key])
	if at == 0 || keyval != keyTagUB && c.Flags&CommOfSession != 0 || value < Lowest || nowhere(flag) ||
		!inC() {
		return false
	}
	*wordAt(value) = at
	*flag = 1
	return true
}

// CommSetAttr is MPI_Comm_set_attr (MPI 5.0, 7.7.2).
func CommSetAttr(e *Endpoint, comm uintptr, keyval int32, value uintptr) bool {
	c := e.known(comm)
	if c == nil {
		return false
	}
	a := attributesAt(c.Attributes)
	return setAttr(&e.Objects, a, CommKeys, comm, keyval, value)
}

// CommDeleteAttr is MPI_Comm_delete_attr.
func CommDeleteAttr(e *Endpoint, comm uintptr, keyval int32) bool {
	c := e.known(comm)
	return c != nil && deleteAttr(e, attributesAt(c.Attributes), CommKeys, comm, keyval)
}

// CommFree begins MPI_Comm_free (MPI 5.0, 7.4.3): it deletes the attributes. All else is left to Go, which
// deletes those that are left.
func CommFree(e *Endpoint, comm uintptr) bool {
	if comm < Lowest {
		return false
	}
	h := *wordAt(comm)
	c := e.known(h)
	if c != nil && h>>KindShift != 0 {
		clearAttrs(e, attributesAt(c.Attributes), CommKeys, h)
	}
	return false
}

// predefined is the value of a window's predefined attribute; 0 where C does not know it.
func (w *Window) predefined(keyval int32) uintptr {
	switch keyval {
	case keyWinDispUnit:
		return addressOf(&w.Unit)
	case keyWinSize:
		return addressOf(&w.Size)
	case keyWinCreateFlavor:
		return addressOf(&w.Flavor)
	case keyWinModel:
		return addressOf(&w.Model)
	}
	return 0
}

// WinGetAttr is MPI_Win_get_attr (MPI 5.0, 7.7.3 and 12.2.6).
func WinGetAttr(e *Endpoint, win uintptr, keyval int32, value uintptr, flag *int32) bool {
	w := e.win(win)
	if w == nil {
		return false
	}
	if keyval < keyWinBase || keyval > keyWinModel {
		a := attributesAt(w.Attributes)
		return a.get(keyval, value, flag) || e.lacks(a, WinKeys, keyval, flag)
	}
	if value < Lowest || nowhere(flag) || !inC() {
		return false
	}
	if keyval == keyWinBase {
		*wordAt(value) = w.Values.Base
	} else {
		*wordAt(value) = w.Values.predefined(keyval)
	}
	*flag = 1
	return true
}

// WinSetAttr is MPI_Win_set_attr (MPI 5.0, 7.7.3).
func WinSetAttr(e *Endpoint, win uintptr, keyval int32, value uintptr) bool {
	w := e.win(win)
	if w == nil {
		return false
	}
	a := attributesAt(w.Attributes)
	return setAttr(&e.Objects, a, WinKeys, win, keyval, value)
}

// WinDeleteAttr is MPI_Win_delete_attr.
func WinDeleteAttr(e *Endpoint, win uintptr, keyval int32) bool {
	w := e.win(win)
	return w != nil && deleteAttr(e, attributesAt(w.Attributes), WinKeys, win, keyval)
}

// TypeGetAttr is MPI_Type_get_attr (MPI 5.0, 7.7.4).
func TypeGetAttr(e *Endpoint, datatype uintptr, keyval int32, value uintptr, flag *int32) bool {
	t := e.datatype(datatype)
	if t == nil {
		return false
	}
	a := attributesAt(atomic.LoadUintptr(&t.Attributes))
	return a != nil && a.get(keyval, value, flag) || e.lacks(a, TypeKeys, keyval, flag)
}

// TypeSetAttr is MPI_Type_set_attr (MPI 5.0, 7.7.4).
func TypeSetAttr(e *Endpoint, datatype uintptr, keyval int32, value uintptr) bool {
	t := e.datatype(datatype)
	if t == nil {
		return false
	}
	a := attributesAt(atomic.LoadUintptr(&t.Attributes))
	return setAttr(&e.Objects, a, TypeKeys, datatype, keyval, value)
}

// TypeDeleteAttr is MPI_Type_delete_attr.
func TypeDeleteAttr(e *Endpoint, datatype uintptr, keyval int32) bool {
	t := e.datatype(datatype)
	if t == nil {
		return false
	}
	a := attributesAt(atomic.LoadUintptr(&t.Attributes))
	return deleteAttr(e, a, TypeKeys, datatype, keyval)
}
