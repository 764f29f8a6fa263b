package main

// #include "element.h"
// void gompi_set_window(uintptr_t place, uintptr_t window);
// void gompi_set_element(int type, int element);
import "C"

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/rma"
)

// Windows as handles.

const winNull = 0x110

var wins = table[rma.Window]{kind: kindWin}

func (a *args) win(name string, h uintptr) *rma.Window {
	w := wins.get(h)
	switch {
	case w != nil:
		if a.on == nil {
			a.on = &w.Base
		}
	case h == winNull && a.name == "MPI_Win_get_name":
		return nullWin
	case h == winNull:
		a.wrong(mpierr.ErrWin, "%s is MPI_WIN_NULL", name)
	case a.err == nil:
		a.err = badHandle(mpierr.ErrWin, name, h, "a window")
	}
	return w
}

// winCell is a window's handle that a call may take away.
type winCell uintptr

func putWin(addr, handle uintptr) { storeWord(addr, handle) }

// newWin gives a window its handle.
func newWin(w *rma.Window, err error) (uintptr, error) {
	if err != nil {
		return winNull, err
	}
	if w.Handle = wins.put(w); w.Handle == 0 {
		_ = w.Free() // nothing has been done with it
		return winNull, tooMany("windows")
	}
	w.Desc.Handle = w.Handle
	if index := w.Handle & indexMask; index < stubWindows && !w.Far() {
		C.gompi_set_window(C.uintptr_t(index), C.uintptr_t(w.Desc.Address()))
	}
	return w.Handle, nil
}

// stubWindows is how many windows the C stubs know: those with the lowest numbers.
const stubWindows = C.GOMPI_WINDOWS

// hideWin takes a window away from the C stubs.
func hideWin(h uintptr) {
	if index := h & indexMask; index < stubWindows {
		C.gompi_set_window(C.uintptr_t(index), 0)
	}
}

// openWindows tells the C stubs which predefined datatypes are elements that they can combine.
func openWindows() {
	elements := [datatype.Basics]C.int{
		datatype.Int32: C.GOMPI_INT32, datatype.Uint32: C.GOMPI_UINT32, datatype.Int64: C.GOMPI_INT64, datatype.Uint64: C.GOMPI_UINT64,
		datatype.Float32: C.GOMPI_FLOAT, datatype.Float64: C.GOMPI_DOUBLE,
	}
	for _, t := range datatype.All() {
		switch t.Kind() {
		case datatype.CInteger, datatype.FortranInteger, datatype.MultiLanguage, datatype.Floating:
			C.gompi_set_element(C.int(t.Handle()-typeNull), elements[t.Basic()])
		}
	}
}
