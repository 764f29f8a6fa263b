package mpi

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/session"
)

// The info object (MPI 5.0, chapter 10).

const MaxInfoKey = info.MaxKey

// present refuses MPI_INFO_NULL.
func present(i *info.Info) error {
	if i == nil {
		return mpierr.New(mpierr.ErrInfo, "info is MPI_INFO_NULL")
	}
	return nil
}

func InfoCreate() (uintptr, error) {
	return newInfo(new(info.Info))
}

func InfoDup(i *info.Info) (uintptr, error) {
	if err := present(i); err != nil {
		return infoNull, err
	}
	return newInfo(i.Dup())
}

func InfoFree(cell InfoCell) error {
	h := LoadWord(uintptr(cell))
	switch {
	case h == infoNull:
		return present(nil)
	case h == infoEnv:
		return mpierr.New(mpierr.ErrInfo, "info is MPI_INFO_ENV, which is predefined and cannot be freed")
	case infos.get(h) == nil:
		return badHandle(mpierr.ErrInfo, "info", h, "an info object")
	}
	if e := records.Load(); e != nil {
		e.DropInfo(h)
	}
	infos.remove(h)
	StoreWord(uintptr(cell), infoNull)
	return nil
}

func InfoSet(i *info.Info, key, value string) error {
	if err := present(i); err != nil {
		return err
	}
	return i.Set(key, value)
}

func InfoDelete(i *info.Info, key string) error {
	if err := present(i); err != nil {
		return err
	}
	return i.Delete(key)
}

func InfoGetNkeys(i *info.Info) (int, error) {
	if err := present(i); err != nil {
		return 0, err
	}
	return i.Len(), nil
}

func InfoGetNthkey(i *info.Info, n int) (string, error) {
	if err := present(i); err != nil {
		return "", err
	}
	return i.Key(n)
}

func get(i *info.Info, key string) (string, bool, error) {
	if err := present(i); err != nil {
		return "", false, err
	}
	return i.Get(key)
}

// InfoGetString cuts the value where it does not fit and reports the room that it needs (MPI 5.0,
// chapter 10).
func InfoGetString(i *info.Info, key string, buflen IntCell, value CharArray) (bool, error) {
	v, ok, err := get(i, key)
	if err != nil || !ok {
		return false, err
	}
	room := buflen.load()
	if room < 0 {
		return false, mpierr.New(mpierr.ErrArg, "buflen is %d, must not be negative", room)
	}
	if room > 0 && value == 0 {
		return false, mpierr.New(mpierr.ErrArg, "value is NULL, but buflen is %d", room)
	}
	value.put(v, room)
	buflen.store(len(v) + 1)
	return true, nil
}

// InfoGet counts in valuelen the characters without the final zero (MPI 4.0, 10).
func InfoGet(i *info.Info, key string, valuelen int, value CharArray) (bool, error) {
	v, ok, err := get(i, key)
	switch {
	case err != nil || !ok:
		return false, err
	case valuelen < 0:
		return false, mpierr.New(mpierr.ErrArg, "valuelen is %d, must not be negative", valuelen)
	case value == 0:
		return false, mpierr.New(mpierr.ErrArg, "value is NULL")
	}
	value.put(v, valuelen+1)
	return true, nil
}

func InfoGetValuelen(i *info.Info, key string) (length int, ok bool, err error) {
	v, ok, err := get(i, key)
	return len(v), ok, err
}

// environment is what MPI_INFO_ENV holds, as far as it is known (MPI 5.0, 11.2.1).
func environment() *info.Info {
	i := environmentOf(os.Args)
	if l := library.Load(); l != nil {
		setShort(i, "maxprocs", strconv.Itoa(l.job.Size))
		setShort(i, "thread_level", levelNames[l.level])
		setShort(i, "mpi_initial_errhandler", l.settings.Errhandler)
		if l.settings.MemoryKinds != "" {
			setShort(i, session.KindsKey, session.Kinds(l.settings.MemoryKinds))
		}
	}
	return i
}

// setShort sets a key, unless there is no value or it is too long for an info object.
func setShort(i *info.Info, key, value string) {
	if value != "" && len(value) < info.MaxValue {
		_ = i.Set(key, value) // the keys are short enough
	}
}

// environmentOf is what is known of the environment at any time, the same before MPI_Init and after
// MPI_Finalize.
func environmentOf(command []string) *info.Info {
	i := new(info.Info)
	if len(command) > 0 {
		setShort(i, "command", command[0])
		setShort(i, "argv", strings.Join(command[1:], " "))
	}
	setShort(i, "arch", runtime.GOARCH)
	if host, err := os.Hostname(); err == nil {
		setShort(i, "host", host)
	}
	if dir, err := os.Getwd(); err == nil {
		setShort(i, "wdir", dir)
	}
	return i
}

// InfoCreateEnv makes an info object with what MPI_INFO_ENV says about the process itself, for the given
// command line.
func InfoCreateEnv(argc int, argv uintptr) (uintptr, error) {
	command := os.Args
	if argc > 0 && argv != 0 {
		command = nil
		for i := range argc {
			if s := LoadWord(argv + uintptr(i)*handleSize); s != 0 {
				command = append(command, cString(s))
			}
		}
	}
	return newInfo(environmentOf(command))
}
