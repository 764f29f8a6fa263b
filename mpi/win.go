package mpi

import (
	"gompi/runtime/attr"
	"gompi/runtime/comm"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/rma"
)

// Windows and memory for them: how they are made, inquired and freed (MPI 5.0, 12.2 and 9.2).

// space is the one-sided side of this process.
func space() *rma.Space { return library.Load().process.RMA }

func AllocMem(size int64, hints *info.Info) (uintptr, error) {
	base, err := space().Alloc(size, rma.Alignment(hints))
	if k := checking.Load(); k != nil && err == nil && base != 0 {
		at := k.here()
		k.mu.Lock()
		k.memory[base], k.made[base] = size, at
		k.mu.Unlock()
	}
	return base, err
}

func FreeMem(base uintptr) error {
	err := space().Release(base)
	if k := checking.Load(); k != nil && err == nil {
		k.mu.Lock()
		delete(k.memory, base)
		k.mu.Unlock()
	}
	return err
}

func WinCreate(base uintptr, size, unit int64, hints *info.Info, c *comm.Comm) (uintptr, error) {
	making(c)
	w, err := space().Create(c, base, size, unit, hints)
	return newWin(w, watchWindow(w, c, err))
}

func WinAllocate(size, unit int64, hints *info.Info, c *comm.Comm) (base, win uintptr, err error) {
	making(c)
	w, err := space().Allocate(c, size, unit, hints)
	if win, err = newWin(w, watchWindow(w, c, err)); err == nil {
		base = w.Desc.Base
	}
	return base, win, err
}

func WinAllocateShared(size, unit int64, hints *info.Info, c *comm.Comm) (base, win uintptr, err error) {
	making(c)
	w, err := space().AllocateShared(c, size, unit, hints)
	if win, err = newWin(w, watchWindow(w, c, err)); err == nil {
		base = w.Desc.Base
	}
	return base, win, err
}

func WinCreateDynamic(hints *info.Info, c *comm.Comm) (uintptr, error) {
	making(c)
	w, err := space().CreateDynamic(c, hints)
	return newWin(w, watchWindow(w, c, err))
}

func WinAttach(w *rma.Window, base uintptr, size int64) error { return w.Attach(base, size) }

func WinDetach(w *rma.Window, base uintptr) error { return w.Detach(base) }

func WinSharedQuery(w *rma.Window, rank int) (size, unit int64, base uintptr, err error) {
	return w.Query(rank)
}

// WinFree deletes the attributes first; when a callback fails, or an epoch is open, the window stays.
func WinFree(cell WinCell) error {
	h := LoadWord(uintptr(cell))
	w := wins.get(h)
	switch {
	case h == winNull:
		return mpierr.New(mpierr.ErrWin, "win is MPI_WIN_NULL")
	case w == nil:
		return badHandle(mpierr.ErrWin, "win", h, "a window")
	}
	if err := w.Idle(); err != nil {
		return object.Locate(&w.Base, err)
	}
	if err := w.Attributes.Clear(&w.Base); err != nil {
		return object.Locate(&w.Base, err)
	}
	leaveGroup(w.Desc.Endpoint, w.Desc.Endpoint.DropWindow(h))
	freed := freeWindow(w)
	if err := w.Free(); err != nil {
		return object.Locate(&w.Base, err)
	}
	freed()
	wins.remove(h)
	w.Handle = 0
	StoreWord(uintptr(cell), winNull)
	return nil
}

func WinGetGroup(w *rma.Window) (uintptr, error) {
	return handOut(w.Group(), func(h uintptr) { w.Desc.Endpoint.KeepWinGroup(w.Handle, h) })
}

func WinGetInfo(w *rma.Window) (uintptr, error) { return newInfo(w.Hints()) }

func WinSetInfo(w *rma.Window, hints *info.Info) error {
	if err := present(hints); err != nil {
		return err
	}
	w.SetHints(hints)
	return nil
}

func WinGetName(w *rma.Window) (string, error) { return w.Name(), nil }

func WinSetName(w *rma.Window, name string) error { return setName(&w.Base, "win_name", name) }

func WinGetErrhandler(w *rma.Window) (uintptr, error) { return getErrhandler(&w.Base) }

func WinSetErrhandler(w *rma.Window, e *Errhandler) error { return setErrhandler(&w.Base, e) }

func WinCallErrhandler(w *rma.Window, code int) error {
	return callErrhandler("MPI_Win_call_errhandler", &w.Base, code)
}

func WinSetAttr(w *rma.Window, keyval int, value uintptr) error {
	return setAttribute(&w.Base, attr.Win, keyval, value)
}

func WinDeleteAttr(w *rma.Window, keyval int) error {
	return deleteAttribute(&w.Base, attr.Win, keyval)
}

// Predefined keys of windows besides winBase and winModel, with the values of the standard ABI.
const (
	winDispUnit     = 602
	winSize         = 603
	winCreateFlavor = 604
)

// WinGetAttr finds an attribute. The predefined ones are the base address itself and the addresses of
// the other values (MPI 5.0, 12.2.6).
func WinGetAttr(w *rma.Window, keyval int) (value uintptr, ok bool, err error) {
	value, ok = predefinedOfWin(w, keyval)
	switch {
	case !ok:
		return getAttribute(&w.Base, attr.Win, keyval)
	case !host.Caller().Integers: // C wants to know the address
	case keyval == winSize:
		value = uintptr(loadInt64(value))
	case keyval != winBase:
		value = integerAt(value)
	}
	return value, true, nil
}

// predefinedOfWin is a predefined attribute of a window, as C sees it.
func predefinedOfWin(w *rma.Window, keyval int) (value uintptr, ok bool) {
	size, unit, flavor, model := w.Desc.AttributeAddresses()
	switch keyval {
	case winBase:
		return w.Desc.Base, true
	case winSize:
		return size, true
	case winDispUnit:
		return unit, true
	case winCreateFlavor:
		return flavor, true
	case winModel:
		return model, true
	}
	return 0, false
}
