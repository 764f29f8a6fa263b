package mpi

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/rma"
)

// Windows as handles.

const winNull = 0x110

var wins = table[rma.Window]{kind: kindWin}

func (a *Args) Win(name string, h uintptr) *rma.Window {
	w := wins.get(h)
	switch {
	case w != nil:
		if a.on == nil {
			a.on = &w.Base
		}
		if a.noted != nil {
			a.noted.window = true
		}
	case h == winNull && a.Name == "MPI_Win_get_name":
		return nullWin
	case h == winNull:
		a.wrong(mpierr.ErrWin, "%s is MPI_WIN_NULL", name)
	case a.Err == nil:
		a.Err = badHandle(mpierr.ErrWin, name, h, "a window")
	}
	return w
}

// WinCell is a window's handle that a call may take away.
type WinCell uintptr

func PutWin(addr, handle uintptr) { StoreWord(addr, handle) }

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
	if checking.Load() != nil {
		return w.Handle, nil // each call comes to Go
	}
	record := fast.Win{Handle: w.Handle, Window: w.Desc, Values: w.Desc, Object: w.Shared().Address(),
		Attributes: w.Attributes.Shared().Address()}
	if w.Far() {
		record.Window = nil
	}
	if err := w.Desc.Endpoint.AddWindow(record); err != nil {
		wins.remove(w.Handle)
		_ = w.Free()
		return winNull, mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	return w.Handle, nil
}
