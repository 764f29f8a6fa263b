package mpi

import (
	"os"
	"sync"

	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// The tool interface (MPI 5.0, 15.3): what all of its calls share, and its control variables.

// tools is what belongs to the tool interface as a whole. It lives before MPI_Init and after MPI_Finalize.
var tools struct {
	mu       sync.Mutex
	users    int            // calls of MPI_T_init_thread without their MPI_T_finalize
	early    map[string]int // control variables written before MPI_Init
	recorder *tool.Recorder // nil until somebody wants events
}

// The variables, which tools ask for by their indices.
var (
	controlVariables     = sync.OnceValue(tool.Controls)
	performanceVariables = sync.OnceValue(tool.Performances)
)

// toolReady refuses calls before MPI_T_init_thread.
func toolReady() error {
	tools.mu.Lock()
	defer tools.mu.Unlock()
	if tools.users == 0 {
		return mpierr.New(mpierr.TErrNotInitialized, "MPI_T_init_thread has not been called, or as often as MPI_T_finalize")
	}
	return nil
}

func TInitThread(required int) (int, error) {
	tools.mu.Lock()
	defer tools.mu.Unlock()
	tools.users++
	return threadMultiple, nil
}

func TFinalize() error {
	if err := toolReady(); err != nil {
		return err
	}
	tools.mu.Lock()
	defer tools.mu.Unlock()
	tools.users--
	return nil
}

// AddressCell is a handle of the tool interface that a call takes away.
type AddressCell uintptr

// restored is the value of type T that a handle stands for, nil when it stands for none.
func restored[T any](h uintptr) *T {
	if h <= maxPredefined {
		return nil
	}
	v, _ := host.Restore(h).(*T)
	return v
}

// listed is the one with that index in a list of variables, categories or such.
func listed[T any](list []T, index int, what string) (*T, error) {
	if err := toolReady(); err != nil {
		return nil, err
	}
	if index < 0 || index >= len(list) {
		return nil, mpierr.New(mpierr.TErrInvalidIndex, "there is no %s %d; there are %d", what, index, len(list))
	}
	return &list[index], nil
}

// indexOf finds the first element that fits.
func indexOf[T any](list []T, name, what string, fits func(*T) bool) (int, error) {
	if err := toolReady(); err != nil {
		return 0, err
	}
	for i := range list {
		if fits(&list[i]) {
			return i, nil
		}
	}
	return 0, mpierr.New(mpierr.TErrInvalidName, "there is no %s %q", what, name)
}

// putString writes a string as the tool interface does: as much as fits, and in length what there is room for
// at first and what it takes in the end, the final zero included (MPI 5.0, 15.3.3).
func putString(to CharArray, length IntCell, s string) {
	if length == 0 {
		return
	}
	if to != 0 {
		to.put(s, length.load())
	}
	length.store(len(s) + 1)
}

// Datatypes of variables.
const (
	typeChar             = 0x243
	typeInt              = 0x209
	typeUnsignedLongLong = 0x20f
	typeDouble           = 0x214
)

func formType(f tool.Form) uintptr {
	return map[tool.Form]uintptr{tool.Int: typeInt, tool.Unsigned: typeUnsignedLongLong,
		tool.Seconds: typeDouble}[f]
}

const (
	verbosityUserBasic  = 0x9
	verbosityTunerBasic = 0x11
	bindNoObject        = 1
)

func TCvarGetNum() (int, error) { return len(controlVariables()), toolReady() }

func TCvarGetIndex(name string) (int, error) {
	return indexOf(controlVariables(), name, "control variable",
		func(c *tool.Control) bool { return c.Named(name) })
}

func TCvarGetInfo(index int, name CharArray, nameLen IntCell, desc CharArray,
	descLen IntCell) (verbosity int, datatype, enum uintptr, bind, scope int, err error) {
	c, err := listed(controlVariables(), index, "control variable")
	if err != nil {
		return 0, 0, 0, 0, 0, err
	}
	putString(name, nameLen, c.Env)
	putString(desc, descLen, c.Help+" ("+c.Unit+"; default: "+c.Default+")")
	datatype = typeInt
	if c.Text {
		datatype = typeChar
	}
	return verbosityTunerBasic, datatype, enumHandle(c.Enum), bindNoObject, int(c.Scope), nil
}

// control is a handle of a control variable.
type control struct{ tool.Control }

func TCvarHandleAlloc(index int, object uintptr) (handle uintptr, count int, err error) {
	c, err := listed(controlVariables(), index, "control variable")
	if err != nil {
		return 0, 0, err
	}
	h := &control{*c}
	count = 1
	if c.Text {
		count = len(h.text()) + 1
	}
	return host.Save(h), count, nil
}

func lookupControl(h uintptr) (*control, error) {
	if err := toolReady(); err != nil {
		return nil, err
	}
	if c := restored[control](h); c != nil {
		return c, nil
	}
	return nil, badHandle(mpierr.TErrInvalidHandle, "handle", h, "a handle of a control variable")
}

func TCvarHandleFree(cell AddressCell) error {
	h := LoadWord(uintptr(cell))
	if _, err := lookupControl(h); err != nil {
		return err
	}
	host.Unref(h)
	StoreWord(uintptr(cell), 0)
	return nil
}

// text is the value of a variable that has no number.
func (c *control) text() string {
	if _, v := c.Value(os.Getenv); v != "" {
		return v
	}
	return c.Default
}

func TCvarRead(h, buf uintptr) error {
	c, err := lookupControl(h)
	switch {
	case err != nil:
		return err
	case buf == 0:
		return mpierr.New(mpierr.TErrInvalid, "buf is NULL")
	case c.Text:
		PutText(buf, len(c.text())+1, 0, c.text())
		return nil
	}
	s, err := settingsInForce()
	if err != nil {
		return err
	}
	storeInt32(buf, int32(c.Read(&s)))
	return nil
}

func TCvarWrite(h, buf uintptr) error {
	c, err := lookupControl(h)
	switch {
	case err != nil:
		return err
	case buf == 0:
		return mpierr.New(mpierr.TErrInvalid, "buf is NULL")
	case c.Scope == tool.ReadOnly:
		return mpierr.New(mpierr.TErrCvarSetNever, "%s is set by the environment alone, before the program starts", c.Env)
	}
	return writeSetting(&c.Control, int(loadInt32(buf)))
}

// settingsInForce are the settings that this process has, or would start with now.
func settingsInForce() (tool.Settings, error) {
	if l := library.Load(); l != nil {
		return l.process.CurrentSettings(), nil
	}
	return settingsAtStart()
}

// settingsAtStart are those of the environment, with what was written by the tool interface before.
func settingsAtStart() (tool.Settings, error) {
	s, err := tool.Read(os.Getenv)
	if err != nil {
		return s, mpierr.New(mpierr.ErrOther, "%v", err)
	}
	tools.mu.Lock()
	defer tools.mu.Unlock()
	for _, c := range controlVariables() {
		if v, ok := tools.early[c.Env]; ok {
			if err := c.Write(&s, v); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// writeSetting changes a setting of the process, or one that it will start with.
func writeSetting(c *tool.Control, v int) error {
	starting.Lock()
	defer starting.Unlock()
	if l := library.Load(); l != nil {
		s := l.process.CurrentSettings()
		if err := c.Write(&s, v); err != nil {
			return err
		}
		l.process.Apply(s)
		return nil
	}
	var probe tool.Settings
	if err := c.Write(&probe, v); err != nil {
		return err
	}
	tools.mu.Lock()
	defer tools.mu.Unlock()
	if tools.early == nil {
		tools.early = map[string]int{}
	}
	tools.early[c.Env] = v
	return nil
}
