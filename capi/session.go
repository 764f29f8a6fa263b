package main

import (
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/session"
)

// Sessions (MPI 5.0, 11.3).

var sessions = table[session.Session]{kind: kindSession}

const sessionNull = 0x120 // MPI_SESSION_NULL

func (a *args) session(name string, h uintptr) *session.Session {
	s := sessions.get(h)
	switch {
	case s != nil:
		if a.on == nil {
			a.on = &s.Base
		}
	case h == sessionNull:
		a.wrong(mpierr.ErrSession, "%s is MPI_SESSION_NULL", name)
	case a.err == nil:
		a.err = badHandle(mpierr.ErrSession, name, h, "a session")
	}
	return s
}

// sessionCell is a session that a call may take away.
type sessionCell uintptr

func putSession(addr, handle uintptr) { storeWord(addr, handle) }

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

func mpiSession_init(hints *info.Info, e *errhandler) (uintptr, error) {
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
		Job: registry().Job(), Rank: registry().Rank()})
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

// mpiSession_finalize waits for what this process has sent when it is the last to end (MPI 5.0, 11.3.1):
// others may still have to fetch it.
func mpiSession_finalize(cell sessionCell) error {
	h := loadWord(uintptr(cell))
	starting.Lock()
	defer starting.Unlock()
	s := sessions.get(h)
	if s == nil {
		a := args{}
		a.session("session", h)
		return a.err
	}
	l := library.Load()
	if l.sessions == 1 && l.world != worldOpen {
		if err := engine().Drain(); err != nil {
			return object.Locate(&s.Base, err)
		}
	}
	if err := engine().Drop(p2p.OfSession(s.ID())); err != nil {
		return object.Locate(&s.Base, err)
	}
	sessions.remove(h)
	s.Handle = 0
	storeWord(uintptr(cell), sessionNull)
	l.sessions--
	return object.Locate(&s.Base, l.leave())
}

func mpiSession_get_info(s *session.Session) (uintptr, error) { return newInfo(s.Info()) }

func mpiSession_get_num_psets(s *session.Session, _ *info.Info) (int, error) {
	return len(s.Sets()), nil
}

// mpiSession_get_nth_pset cuts the name where it does not fit and reports the room that it needs (MPI 5.0,
// 11.3.2).
func mpiSession_get_nth_pset(s *session.Session, _ *info.Info, n int, length intCell, name charArray) error {
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

func mpiSession_get_pset_info(s *session.Session, name string) (uintptr, error) {
	i, err := s.SetInfo(name)
	if err != nil {
		return infoNull, err
	}
	return newInfo(i)
}

func mpiGroup_from_session_pset(s *session.Session, name string) (uintptr, error) {
	return newGroup(s.Group(name))
}
