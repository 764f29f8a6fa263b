// Package session is the session (MPI 5.0, 11.3): a way into MPI that needs no MPI_Init, from which groups of
// processes are had by name. It knows groups; how communicators are made of them is above, and so is when the
// library starts.
package session

import (
	"strconv"
	"strings"

	"gompi/runtime/group"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
)

// Names of the process sets that every session has (MPI 5.0, 11.3.2).
const (
	World = "mpi://WORLD" // all ranks of the job
	Self  = "mpi://SELF"  // this process
)

// Session is one session of this process.
type Session struct {
	object.Base

	level string // thread level that it was granted
	kinds string // kinds of memory that it was granted
	job   *group.Group
	rank  int
	id    uint32
}

// Config says what a session is opened with.
type Config struct {
	Level string // thread level granted, "MPI_THREAD_SINGLE" or another one
	Hints *info.Info
	Job   *group.Group // all ranks of the job
	Rank  int          // job rank
	ID    uint32       // number of the session in this process, from 1 on
}

// New opens a session (MPI_Session_init).
func New(c Config) *Session {
	s := &Session{level: c.Level, job: c.Job, rank: c.Rank, id: c.ID, kinds: Kinds("")}
	s.Kind, s.Origin = object.Session, "MPI_Session_init"
	if c.Hints != nil {
		if v, ok, err := c.Hints.Get(KindsKey); err == nil && ok {
			s.kinds = Kinds(v)
		}
	}
	return s
}

// Keys of info objects of sessions and process sets (MPI 5.0, 11.3.1, 11.3.2 and 11.4.3).
const (
	LevelKey = "thread_level"
	KindsKey = "mpi_memory_alloc_kinds"
	sizeKey  = "mpi_size"
)

// Info lists what the session was granted (MPI_Session_get_info).
func (s *Session) Info() *info.Info {
	i := new(info.Info)
	set(i, LevelKey, s.level)
	set(i, KindsKey, s.kinds)
	return i
}

// set adds a pair that is known to be within the limits.
func set(i *info.Info, key, value string) { _ = i.Set(key, value) }

// ID is the number of the session in this process.
func (s *Session) ID() uint32 { return s.id }

// Sets are the names of the process sets (MPI_Session_get_num_psets, MPI_Session_get_nth_pset).
func (s *Session) Sets() []string { return []string{World, Self} }

// Set is the name of the n-th process set.
func (s *Session) Set(n int) (string, error) {
	names := s.Sets()
	if n < 0 || n >= len(names) {
		return "", mpierr.New(mpierr.ErrArg, "n is %d, must be from 0 to %d: the session has %d process sets", n, len(names)-1, len(names))
	}
	return names[n], nil
}

// Group is the processes of a set (MPI_Group_from_session_pset). The standard's names may be written in any
// case, as those of URIs.
func (s *Session) Group(set string) (*group.Group, error) {
	switch {
	case strings.EqualFold(set, World):
		return s.job.From(s.id), nil
	case strings.EqualFold(set, Self):
		return group.Range(s.rank, 1, 1).From(s.id), nil
	}
	return nil, mpierr.New(mpierr.ErrArg, "pset_name: there is no process set %q; there are %s", set, strings.Join(s.Sets(), " and "))
}

// SetInfo says how many processes are in a set (MPI_Session_get_pset_info).
func (s *Session) SetInfo(name string) (*info.Info, error) {
	g, err := s.Group(name)
	if err != nil {
		return nil, err
	}
	i := new(info.Info)
	set(i, sizeKey, strconv.Itoa(g.Size()))
	return i, nil
}
