package mpi

import (
	"math"

	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// Performance variables, their sessions and handles (MPI 5.0, 15.3.7).

// allHandles is MPI_T_PVAR_ALL_HANDLES.
const allHandles = 1

// counters copies what this process has counted: nothing before MPI_Init.
func counters() tool.Counters {
	if l := library.Load(); l != nil {
		return l.process.Counters()
	}
	return tool.Counters{}
}

func TPvarGetNum() (int, error) { return len(performanceVariables()), toolReady() }

func TPvarGetIndex(name string, class int) (int, error) {
	return indexOf(performanceVariables(), name, "performance variable of that class",
		func(p *tool.Performance) bool { return p.Name == name && int(p.Class) == class })
}

func TPvarGetInfo(index int, name CharArray, nameLen IntCell, desc CharArray,
	descLen IntCell) (verbosity, class int, datatype, enum uintptr, bind int, readonly, continuous,
	atomic bool, err error) {
	p, err := listed(performanceVariables(), index, "performance variable")
	if err != nil {
		return 0, 0, 0, 0, 0, false, false, false, err
	}
	putString(name, nameLen, p.Name)
	putString(desc, descLen, p.Help)
	return verbosityUserBasic, int(p.Class), formType(p.Form), 0, int(p.Bind), !p.Growing(), !p.Growing(),
		p.Growing(), nil
}

func TPvarSessionCreate() (uintptr, error) {
	if err := toolReady(); err != nil {
		return 0, err
	}
	return host.Save(tool.NewSession()), nil
}

func lookupToolSession(h uintptr) (*tool.Session, error) {
	if err := toolReady(); err != nil {
		return nil, err
	}
	if s := restored[tool.Session](h); s != nil {
		return s, nil
	}
	return nil, badHandle(mpierr.TErrInvalidSession, "pe_session", h, "a session of performance variables")
}

// TPvarSessionFree frees the session's handles with it.
func TPvarSessionFree(cell AddressCell) error {
	h := LoadWord(uintptr(cell))
	s, err := lookupToolSession(h)
	if err != nil {
		return err
	}
	for _, w := range s.Watches() {
		s.Forget(w)
		host.Unref(w.Handle)
	}
	host.Unref(h)
	StoreWord(uintptr(cell), 0)
	return nil
}

func TPvarHandleAlloc(session uintptr, index int,
	object uintptr) (handle uintptr, count int, err error) {
	s, err := lookupToolSession(session)
	if err != nil {
		return 0, 0, err
	}
	p, err := listed(performanceVariables(), index, "performance variable")
	if err != nil {
		return 0, 0, err
	}
	from, err := countersFor(p, object)
	if err != nil {
		return 0, 0, err
	}
	w := s.Watch(p, from)
	w.Handle = host.Save(w)
	return w.Handle, 1, nil
}

// lookupWatch finds a handle, which must be of the session.
func lookupWatch(session, handle uintptr) (*tool.Watch, error) {
	s, err := lookupToolSession(session)
	if err != nil {
		return nil, err
	}
	w := restored[tool.Watch](handle)
	if w == nil || !s.Owns(w) {
		return nil, badHandle(mpierr.TErrInvalidHandle, "handle", handle, "a handle of a performance variable in this session")
	}
	return w, nil
}

func TPvarHandleFree(session uintptr, cell AddressCell) error {
	h := LoadWord(uintptr(cell))
	w, err := lookupWatch(session, h)
	if err != nil {
		return err
	}
	s, _ := lookupToolSession(session)
	s.Forget(w)
	host.Unref(h)
	StoreWord(uintptr(cell), 0)
	return nil
}

// each does something to one handle, or to all of the session for which it can be done.
func each(session, handle uintptr, do func(*tool.Watch) error) error {
	if handle != allHandles {
		w, err := lookupWatch(session, handle)
		if err != nil {
			return err
		}
		return do(w)
	}
	s, err := lookupToolSession(session)
	if err != nil {
		return err
	}
	for _, w := range s.Watches() {
		if w.Variable.Growing() {
			if err := do(w); err != nil {
				return err
			}
		}
	}
	return nil
}

func TPvarStart(session, handle uintptr) error {
	return each(session, handle, (*tool.Watch).Start)
}

func TPvarStop(session, handle uintptr) error { return each(session, handle, (*tool.Watch).Stop) }

func TPvarReset(session, handle uintptr) error {
	return each(session, handle, func(w *tool.Watch) error {
		_, err := w.Set(0)
		return err
	})
}

func TPvarRead(session, handle, buf uintptr) error {
	w, err := lookupWatch(session, handle)
	switch {
	case err != nil:
		return err
	case buf == 0:
		return mpierr.New(mpierr.TErrInvalid, "buf is NULL")
	}
	storeValue(buf, w.Variable.Form, w.Value())
	return nil
}

func TPvarWrite(session, handle, buf uintptr) error {
	w, err := lookupWatch(session, handle)
	switch {
	case err != nil:
		return err
	case buf == 0:
		return mpierr.New(mpierr.TErrInvalid, "buf is NULL")
	}
	v := uint64(loadInt64(buf))
	if w.Variable.Form == tool.Seconds {
		v = uint64(math.Float64frombits(v) * 1e9)
	}
	_, err = w.Set(v)
	return err
}

func TPvarReadreset(session, handle, buf uintptr) error {
	w, err := lookupWatch(session, handle)
	switch {
	case err != nil:
		return err
	case buf == 0:
		return mpierr.New(mpierr.TErrInvalid, "buf is NULL")
	case !w.Variable.Growing():
		return mpierr.New(mpierr.TErrPvarNoAtomic, "performance variable %s can only be read", w.Variable.Name)
	}
	v, err := w.Set(0)
	if err == nil {
		storeValue(buf, w.Variable.Form, v)
	}
	return err
}

// storeValue writes the value of a performance variable.
func storeValue(buf uintptr, form tool.Form, v uint64) {
	if form == tool.Seconds {
		v = math.Float64bits(float64(v) / 1e9)
	}
	StoreInt64(buf, int64(v))
}
