package mpi

import (
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/session"
)

// Sessions (MPI 5.0, 11.3).

var sessions = table[session.Session]{kind: kindSession}

const sessionNull = 0x120 // MPI_SESSION_NULL

func (a *Args) Session(name string, h uintptr) *session.Session {
	s := sessions.get(h)
	switch {
	case s != nil:
		if a.on == nil {
			a.on = &s.Base
		}
	case h == sessionNull:
		a.wrong(mpierr.ErrSession, "%s is MPI_SESSION_NULL", name)
	case a.Err == nil:
		a.Err = badHandle(mpierr.ErrSession, name, h, "a session")
	}
	return s
}

// SessionCell is a session that a call may take away.
type SessionCell uintptr

func PutSession(addr, handle uintptr) { StoreWord(addr, handle) }

// levelNames are the thread levels as info objects name them.
var levelNames = map[int]string{threadSingle: "MPI_THREAD_SINGLE", threadFunneled: "MPI_THREAD_FUNNELED",
	threadSerialized: "MPI_THREAD_SERIALIZED", threadMultiple: "MPI_THREAD_MULTIPLE"}

// wantedLevel is the thread level that a session asks for. One that does not say gets the highest, so that
// whoever comes after it is not held down.
func wantedLevel(hints *info.Info) int {
	if hints != nil {
		if v, ok, err := hints.Get(session.LevelKey); err == nil && ok {
			for level, name := range levelNames {
				if v == name {
					return level
				}
			}
		}
	}
	return threadMultiple
}

func SessionInit(hints *info.Info, e *Errhandler) (uintptr, error) {
	if err := e.is(object.Session); err != nil {
		return sessionNull, err
	}
	starting.Lock()
	defer starting.Unlock()
	l, err := enter(wantedLevel(hints))
	if err != nil {
		return sessionNull, err
	}
	l.opened++
	s := session.New(session.Config{ID: l.opened, Level: levelNames[l.level], Hints: hints,
		Job: registry().Processes.Job(), Rank: registry().Processes.Rank()})
	s.SetErrhandler(e.handler)
	if s.Handle = sessions.put(s); s.Handle == 0 {
		err := tooMany("sessions")
		if l.idle() {
			_ = l.leave() // the first error is the one to report
		}
		return sessionNull, err
	}
	l.sessions++
	return s.Handle, nil
}

// SessionFinalize waits for what this process has sent when it is the last to end (MPI 5.0, 11.3.1):
// others may still have to fetch it.
func SessionFinalize(cell SessionCell) error {
	h := LoadWord(uintptr(cell))
	starting.Lock()
	defer starting.Unlock()
	s := sessions.get(h)
	if s == nil {
		a := Args{}
		a.Session("session", h)
		return a.Err
	}
	l := library.Load()
	if l.sessions == 1 && l.world != worldOpen {
		if err := engine().Drain(); err != nil {
			return object.Locate(&s.Base, err)
		}
	}
	if err := buffers().Drop(buffered.OfSession(s.ID())); err != nil {
		return object.Locate(&s.Base, err)
	}
	sessions.remove(h)
	s.Handle = 0
	StoreWord(uintptr(cell), sessionNull)
	l.sessions--
	return object.Locate(&s.Base, l.leave())
}

func SessionGetInfo(s *session.Session) (uintptr, error) { return newInfo(s.Info()) }

func SessionGetNumPsets(s *session.Session, _ *info.Info) (int, error) {
	return len(s.Sets()), nil
}

// SessionGetNthPset cuts the name where it does not fit and reports the room that it needs (MPI 5.0,
// 11.3.2).
func SessionGetNthPset(s *session.Session, _ *info.Info, n int, length IntCell, name CharArray) error {
	set, err := s.Set(n)
	if err != nil {
		return err
	}
	room := length.load()
	switch {
	case room < 0:
		return mpierr.New(mpierr.ErrArg, "pset_len is %d, must not be negative", room)
	case room > 0 && name == 0:
		return mpierr.New(mpierr.ErrArg, "pset_name is NULL, but pset_len is %d", room)
	}
	name.put(set, room)
	length.store(len(set) + 1)
	return nil
}

func SessionGetPsetInfo(s *session.Session, name string) (uintptr, error) {
	i, err := s.SetInfo(name)
	if err != nil {
		return infoNull, err
	}
	return newInfo(i)
}

func GroupFromSessionPset(s *session.Session, name string) (uintptr, error) {
	return newGroup(s.Group(name))
}
