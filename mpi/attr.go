package mpi

import (
	"errors"
	"fmt"
	"sync/atomic"

	"gompi/runtime/attr"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
)

// Attributes (MPI 5.0, 7.7).

// keyvals are the keys that the program made, whose numbers are their handles.
var (
	keyvals = table[attr.Keyval]{kind: kindKeyval}
	keys    = attr.Registry{Ended: endKeyval}
)

func init() { // the table makes keys
	keys.Find = func(number int) *attr.Keyval { return keyvals.get(uintptr(number)) }
}

const keyvalInvalid = 0 // MPI_KEYVAL_INVALID

// Copy functions that are no functions, with the values of the standard ABI; a delete function is none when
// it is 0.
const (
	nullCopy = 0
	dupCopy  = 1
)

// functions are the callbacks of a key.
type functions struct {
	copy, delete, extra uintptr
	caller              Caller // who made the key
}

// attributeOf is a value as the program passes it.
func attributeOf(by Caller, word uintptr) attr.Value {
	if !by.Integers {
		return attr.Value{Pointer: word}
	}
	integer := new(atomic.Int64)
	integer.Store(int64(word))
	return attr.Value{Pointer: addressOf(integer), Integer: integer}
}

// attributeFor is a value as the program sees it.
func attributeFor(to Caller, v attr.Value) uintptr {
	if to.Integers && v.Integer != nil {
		return uintptr(v.Integer.Load())
	}
	return v.Pointer
}

// handleOf is the handle of an object with attributes, a type or the Base of another kind of object.
func handleOf(o any) uintptr {
	if t, ok := o.(*datatype.Type); ok {
		return typeReference(t)
	}
	return baseHandle(o.(*object.Base))
}

// failed is the error with which a callback has ended (MPI 5.0, 7.7.2).
func failed(what string, keyval int, code int32) error {
	return &mpierr.Error{Class: classOf(int(code)), Code: int(code),
		Text: fmt.Sprintf("the %s function of attribute key %d returned error code %d", what, keyval, code)}
}

func (f *functions) Copy(o any, keyval int, value attr.Value) (attr.Value, bool, error) {
	switch f.copy {
	case nullCopy:
		return attr.Value{}, false, nil
	case dupCopy:
		if value.Integer != nil { // the duplicate has a place of its own
			value = attributeOf(Caller{Integers: true}, uintptr(value.Integer.Load()))
		}
		return value, true, nil
	}
	c := host.CopyAttribute(Function{f.copy, f.caller.Table}, handleOf(o), keyval, f.extra,
		attributeFor(f.caller, value))
	switch {
	case c.Asked:
		return attr.Value{}, false, errAgain
	case c.Code != 0:
		return attr.Value{}, false, failed("copy", keyval, c.Code)
	}
	return attributeOf(f.caller, c.Copied), c.Flag, nil
}

// Copies reports whether the key has a copy function.
func (f *functions) Copies() bool { return f.copy != nullCopy }

func (f *functions) Delete(o any, keyval int, value attr.Value) error {
	if f.delete == 0 {
		return nil
	}
	c := host.DeleteAttribute(Function{f.delete, f.caller.Table}, handleOf(o), keyval,
		attributeFor(f.caller, value), f.extra)
	switch {
	case c.Asked:
		return errAgain
	case c.Code != 0:
		return failed("delete", keyval, c.Code)
	}
	return nil
}

// errAgain is what an operation ends with whose stub is to call a callback and to start it again
// (callback.h).
var errAgain = errors.New("the function of an attribute key is to be called")

// rehearse has the copy functions of an object's attributes called, ahead of a duplication that cannot be
// started again. The duplication finds the results, failures too.
func rehearse(s *attr.Set, object any) error {
	if err := s.Rehearse(object); errors.Is(err, errAgain) {
		return err
	}
	host.CloseCallbacks()
	return nil
}

func createKeyval(kind attr.Kind, copyFunction, deleteFunction, extra uintptr) (int, error) {
	keyvals.prepare()
	h := keyvals.reserve()
	if h == 0 {
		return keyvalInvalid, tooMany("attribute keys")
	}
	caller := host.Caller()
	r := &fast.Keyval{Kind: fast.KeyKind(kind), Uses: 1, Copy: copyFunction, Delete: deleteFunction,
		Extra: extra}
	if deleteFunction == 0 || caller == (Caller{}) {
		r.InC = 1
	}
	if e := recording(); e != nil {
		if record := e.AddKeyval(h, r); record != nil {
			r = record
		}
	}
	f := &functions{copy: copyFunction, delete: deleteFunction, extra: extra, caller: caller}
	keyvals.fill(h, keys.Create(int(h), f, r))
	return int(h), nil
}

// endKeyval follows when the program has freed a key and no attribute hangs on it any more.
func endKeyval(k *attr.Keyval) {
	h := uintptr(k.Number)
	if e := recording(); e != nil {
		e.DropKeyval(h)
	}
	keyvals.remove(h)
}

// findKeyval is the key with that number. An error concerns the key alone, so it is not one of the window's,
// whose handler usually ends the job.
func findKeyval(kind attr.Kind, number int) (*attr.Keyval, error) {
	k := keyvals.get(uintptr(number))
	switch {
	case k != nil && k.Kind() == kind:
		return k, nil
	case kind == attr.Win && !predefinedKeyval(number):
		return nil, object.Locate(self(), unknownKeyval(number))
	}
	return nil, unknownKeyval(number)
}

func predefinedKeyval(number int) bool {
	return number >= tagUB && number <= universeSize || number == outlivesDeaths ||
		number >= winBase && number <= winModel
}

func unknownKeyval(number int) error {
	switch {
	case number == keyvalInvalid:
		return mpierr.New(mpierr.ErrKeyval, "the attribute key is MPI_KEYVAL_INVALID")
	case predefinedKeyval(number):
		return mpierr.New(mpierr.ErrKeyval, "attribute key %d is predefined: it cannot be set, deleted or freed", number)
	}
	return mpierr.New(mpierr.ErrKeyval, "attribute key %d was never made for such objects, or has been freed", number)
}

func freeKeyval(kind attr.Kind, cell IntCell) error {
	k, err := findKeyval(kind, cell.load())
	if err == nil {
		keys.Free(k)
		cell.store(keyvalInvalid)
	}
	return err
}

func CommCreateKeyval(copyFunction, deleteFunction, extra uintptr) (int, error) {
	return createKeyval(attr.Comm, copyFunction, deleteFunction, extra)
}

func CommFreeKeyval(cell IntCell) error { return freeKeyval(attr.Comm, cell) }

// setAttribute hangs a value on a communicator, window or the like.
func setAttribute(b *object.Base, kind attr.Kind, keyval int, value uintptr) error {
	k, err := findKeyval(kind, keyval)
	if err != nil {
		return err
	}
	return b.Attributes.Put(b, k, attributeOf(host.Caller(), value))
}

// getAttribute finds a value that the program has set. ok is false when there is none under this key.
func getAttribute(b *object.Base, kind attr.Kind, keyval int) (value uintptr, ok bool, err error) {
	if v, ok := b.Attributes.Get(keyval); ok {
		return attributeFor(host.Caller(), v), true, nil
	}
	_, err = findKeyval(kind, keyval)
	return 0, false, err
}

// integerAt is a predefined attribute, an int at an address, as Fortran sees it (MPI 5.0, 19.3.7).
func integerAt(addr uintptr) uintptr { return uintptr(int64(loadInt32(addr))) }

func deleteAttribute(b *object.Base, kind attr.Kind, keyval int) error {
	k, err := findKeyval(kind, keyval)
	if err != nil {
		return err
	}
	return b.Attributes.Delete(b, k)
}

func CommSetAttr(c *comm.Comm, keyval int, value uintptr) error {
	return setAttribute(&c.Base, attr.Comm, keyval, value)
}

func CommGetAttr(c *comm.Comm, keyval int) (value uintptr, ok bool, err error) {
	if keyval >= tagUB && keyval <= universeSize || keyval == outlivesDeaths {
		if c.P2P.Session != 0 && keyval != tagUB && keyval != outlivesDeaths {
			return 0, false, nil // those of sessions have no other one (MPI 5.0, 9.1.2)
		}
		value, ok = predefinedAttribute(keyval)
		switch {
		case !ok:
		case host.Caller().Integers:
			value = integerAt(value)
		case keyval <= universeSize && keyval != lastUsedCode: // all others stay as they are
			library.Load().process.Endpoint.SetAttribute(keyval, value)
		}
		return value, ok, nil
	}
	return getAttribute(&c.Base, attr.Comm, keyval)
}

func CommDeleteAttr(c *comm.Comm, keyval int) error {
	return deleteAttribute(&c.Base, attr.Comm, keyval)
}

// Keys of windows; the rest is with the windows.

func WinCreateKeyval(copyFunction, deleteFunction, extra uintptr) (int, error) {
	return createKeyval(attr.Win, copyFunction, deleteFunction, extra)
}

func WinFreeKeyval(cell IntCell) error { return freeKeyval(attr.Win, cell) }

// Predefined keys of communicators, with the values of the standard ABI (MPI 5.0, 9.1.2 and 20.3).
const (
	tagUB         = 501
	ioRank        = 502
	hostRank      = 503
	wtimeIsGlobal = 504
	appNum        = 505
	lastUsedCode  = 506
	universeSize  = 507

	outlivesDeaths = 701 // MPIX_FT of Open MPI: 1 where the job survives the death of a rank, otherwise 0
)

// Predefined keys of windows (MPI 5.0, 12.2.6): the first and the last.
const (
	winBase  = 601
	winModel = 605
)

// predefinedValues are the values of the predefined attributes, which the program reads.
var predefinedValues [outlivesDeaths - tagUB + 1]atomic.Int32

// predefinedAttribute is the address of a predefined attribute's value; ok is false when it has none.
func predefinedAttribute(keyval int) (addr uintptr, ok bool) {
	job := library.Load().job
	value, unknown := 0, false
	switch keyval {
	case tagUB:
		value = p2p.TagUB
	case ioRank:
		value = p2p.AnySource // every process can
	case hostRank:
		value = p2p.ProcNull
	case wtimeIsGlobal:
		value = 1 // one machine, one clock
	case appNum:
		value, unknown = job.AppNum, job.AppNum < 0
	case outlivesDeaths:
		if job.Recovers {
			value = 1
		}
	case lastUsedCode:
		value = errorCodes.Last()
	case universeSize:
		value, unknown = job.UniverseSize, job.UniverseSize < 0
		if job.Singleton {
			value, unknown = library.Load().process.Cores, false // as mpiexec has it
		}
	}
	if unknown {
		return 0, false
	}
	v := &predefinedValues[keyval-tagUB]
	v.Store(int32(value))
	return addressOf(v), true
}
