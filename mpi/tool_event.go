package mpi

import (
	"encoding/binary"
	"slices"
	"sync"

	core "gompi/runtime"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// Events of the tool interface (MPI 5.0, 15.3.8). They are told at the end of a step of progress, inside an
// MPI call of the program's but outside of all locks, so a callback may do whatever it likes.

// safeties are the levels of what a callback must be able to stand, from the least on.
var safeties = []int64{0x0, 0x3, 0xf, 0x3f}

// registration is somebody's wish to be told of a kind of event.
type registration struct {
	kind   int
	handle uintptr

	mu       sync.Mutex
	on       [4]eventCallback // by index in safeties
	dropped  uintptr
	recorded bool // the recorder knows of the wish
}

type eventCallback struct{ function, userData uintptr }

// callback is the one to call: of those that were registered, the one that must stand the least.
func (r *registration) callback() (c eventCallback, dropped uintptr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.on {
		if c.function != 0 {
			return c, r.dropped
		}
	}
	return eventCallback{}, r.dropped
}

// registrations are all that have not been freed.
var registrations struct {
	mu   sync.Mutex
	list []*registration
}

// eventRecorder is the process's recorder, made when it is wanted first.
func eventRecorder() *tool.Recorder {
	tools.mu.Lock()
	defer tools.mu.Unlock()
	if tools.recorder == nil {
		tools.recorder = tool.NewRecorder(tellEvents)
		if l := library.Load(); l != nil {
			l.process.Engine.Observe(tools.recorder)
		}
	}
	return tools.recorder
}

// observeFromStart has a process that begins record events for those who asked before.
func observeFromStart(p *core.Process) {
	tools.mu.Lock()
	defer tools.mu.Unlock()
	if tools.recorder != nil {
		p.Engine.Observe(tools.recorder)
	}
}

// tellEvents calls back everybody who wants to know what has happened.
func tellEvents() {
	happened, lost := tools.recorder.Take()
	registrations.mu.Lock()
	list := slices.Clone(registrations.list)
	registrations.mu.Unlock()
	for i := range happened {
		o := &happened[i]
		for _, r := range list {
			if c, _ := r.callback(); r.kind == o.Kind && c.function != 0 {
				h := host.Save(o)
				host.TellEvent(c.function, h, r.handle, c.userData)
				host.Unref(h)
			}
		}
	}
	for kind, n := range lost {
		for _, r := range list {
			if c, dropped := r.callback(); n > 0 && r.kind == kind && dropped != 0 {
				host.TellDropped(dropped, int64(n), r.handle, c.userData)
			}
		}
	}
}

func TSourceGetNum() (int, error) { return 1, toolReady() }

func TSourceGetInfo(index int, name CharArray, nameLen IntCell, desc CharArray,
	descLen IntCell) (ordering int, ticks, most int64, hints uintptr, err error) {
	const ordered, nanoseconds, longest = 1, 1e9, 1<<63 - 1
	if _, err := listed([]string{"process"}, index, "source"); err != nil {
		return 0, 0, 0, infoNull, err
	}
	putString(name, nameLen, "process")
	putString(desc, descLen, "the process itself, by its monotonic clock")
	return ordered, nanoseconds, longest, infoNull, nil
}

func TSourceGetTimestamp(index int) (int64, error) {
	if _, err := listed([]string{"process"}, index, "source"); err != nil {
		return 0, err
	}
	return eventRecorder().Now(), nil
}

func TEventGetNum() (int, error) { return len(tool.Events()), toolReady() }

func TEventGetIndex(name string) (int, error) {
	return indexOf(tool.Events(), name, "event", func(e *tool.Event) bool { return e.Name == name })
}

func TEventGetInfo(index int, name CharArray, nameLen IntCell, types TypeArray, displacements IntArray,
	elements IntCell, desc CharArray, descLen IntCell) (verbosity int, enum, hints uintptr, bind int,
	err error) {
	e, err := listed(tool.Events(), index, "event")
	if err != nil {
		return 0, 0, infoNull, 0, err
	}
	putString(name, nameLen, e.Name)
	putString(desc, descLen, e.Help)
	if elements != 0 {
		for i := range min(elements.load(), len(e.Elements)) {
			if types != 0 {
				StoreWord(uintptr(types)+uintptr(i)*handleSize, formType(e.Elements[i].Form))
			}
			if displacements.Addr != 0 {
				displacements.set(i, int64(e.Elements[i].At))
			}
		}
		elements.store(len(e.Elements))
	}
	return verbosityTunerBasic, 0, infoNull, bindNoObject, nil
}

func TEventHandleAlloc(index int, object uintptr, hints *info.Info) (uintptr, error) {
	if _, err := listed(tool.Events(), index, "event"); err != nil {
		return 0, err
	}
	r := &registration{kind: index}
	r.handle = host.Save(r)
	registrations.mu.Lock()
	registrations.list = append(registrations.list, r)
	registrations.mu.Unlock()
	return r.handle, nil
}

func lookupRegistration(h uintptr) (*registration, error) {
	if err := toolReady(); err != nil {
		return nil, err
	}
	if r := restored[registration](h); r != nil {
		return r, nil
	}
	return nil, badHandle(mpierr.TErrInvalidHandle, "event_registration", h, "a registration for events")
}

// safetyIndex is the index of a level in safeties.
func safetyIndex(level int64) (int, error) {
	i := slices.Index(safeties, level)
	if i < 0 {
		return 0, mpierr.New(mpierr.TErrInvalid, "cb_safety is %#x, which is no MPI_T_CB_REQUIRE_...", level)
	}
	return i, nil
}

func TEventRegisterCallback(registered uintptr, safety int64, hints *info.Info,
	userData, function uintptr) error {
	r, err := lookupRegistration(registered)
	if err != nil {
		return err
	}
	i, err := safetyIndex(safety)
	if err != nil {
		return err
	}
	recorder := eventRecorder()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on[i] = eventCallback{function, userData}
	wanted := slices.ContainsFunc(r.on[:], func(c eventCallback) bool { return c.function != 0 })
	r.wish(recorder, wanted)
	return nil
}

// wish tells the recorder whether r wants to be told.
func (r *registration) wish(recorder *tool.Recorder, wanted bool) {
	switch {
	case wanted && !r.recorded:
		recorder.Want(r.kind, 1)
	case !wanted && r.recorded:
		recorder.Want(r.kind, -1)
	}
	r.recorded = wanted
}

func TEventSetDroppedHandler(registered, function uintptr) error {
	r, err := lookupRegistration(registered)
	if err == nil {
		r.mu.Lock()
		r.dropped = function
		r.mu.Unlock()
	}
	return err
}

// TEventHandleFree ends the registration. Callbacks are never under way in between, so that of the end
// comes at once.
func TEventHandleFree(registered, userData, function uintptr) error {
	r, err := lookupRegistration(registered)
	if err != nil {
		return err
	}
	registrations.mu.Lock()
	registrations.list = slices.DeleteFunc(registrations.list,
		func(other *registration) bool { return other == r })
	registrations.mu.Unlock()
	recorder := eventRecorder()
	r.mu.Lock()
	r.wish(recorder, false)
	r.on = [4]eventCallback{}
	r.mu.Unlock()
	host.Unref(registered)
	if function != 0 {
		host.TellFreed(function, registered, userData)
	}
	return nil
}

// No hints for events are understood, so none are given back.

func TEventHandleGetInfo(registered uintptr) (uintptr, error) {
	if _, err := lookupRegistration(registered); err != nil {
		return infoNull, err
	}
	return newInfo(new(info.Info))
}

func TEventHandleSetInfo(registered uintptr, hints *info.Info) error {
	_, err := lookupRegistration(registered)
	return err
}

func TEventCallbackGetInfo(registered uintptr, safety int64) (uintptr, error) {
	if _, err := lookupRegistration(registered); err != nil {
		return infoNull, err
	}
	if _, err := safetyIndex(safety); err != nil {
		return infoNull, err
	}
	return newInfo(new(info.Info))
}

func TEventCallbackSetInfo(registered uintptr, safety int64, hints *info.Info) error {
	if _, err := lookupRegistration(registered); err != nil {
		return err
	}
	_, err := safetyIndex(safety)
	return err
}

// lookupInstance finds an event that a callback is being told of.
func lookupInstance(h uintptr) (*tool.Occurrence, error) {
	if err := toolReady(); err != nil {
		return nil, err
	}
	if o := restored[tool.Occurrence](h); o != nil {
		return o, nil
	}
	return nil, badHandle(mpierr.TErrInvalidHandle, "event_instance", h, "an event whose callback is under way")
}

func TEventRead(instance uintptr, index int, buf uintptr) error {
	o, err := lookupInstance(instance)
	if err != nil {
		return err
	}
	e, err := listed(tool.Events()[o.Kind].Elements, index, "element of the event")
	switch {
	case err != nil:
		return err
	case buf == 0:
		return mpierr.New(mpierr.TErrInvalid, "buffer is NULL")
	}
	if e.Form == tool.Int {
		storeInt32(buf, int32(binary.NativeEndian.Uint32(o.Data[e.At:])))
	} else {
		StoreInt64(buf, int64(binary.NativeEndian.Uint64(o.Data[e.At:])))
	}
	return nil
}

func TEventCopy(instance, buf uintptr) error {
	o, err := lookupInstance(instance)
	switch {
	case err != nil:
		return err
	case buf == 0:
		return mpierr.New(mpierr.TErrInvalid, "buffer is NULL")
	}
	for i := 0; i < len(o.Data); i += 8 { // by words: the compiler of Go 1.26 fails at a copy of that length
		StoreInt64(buf+uintptr(i), int64(binary.NativeEndian.Uint64(o.Data[i:])))
	}
	return nil
}

func TEventGetTimestamp(instance uintptr) (int64, error) {
	o, err := lookupInstance(instance)
	if err != nil {
		return 0, err
	}
	return o.Stamp, nil
}

func TEventGetSource(instance uintptr) (int, error) {
	_, err := lookupInstance(instance)
	return 0, err
}
