package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// Starting and ending MPI (MPI 5.0, chapter 11).

// Thread levels with the values of the standard ABI.
const (
	threadSingle     = 0
	threadFunneled   = 1024
	threadSerialized = 2048
	threadMultiple   = 4096
)

func Init(argc IntCell, argv uintptr) error {
	_, err := start(threadSingle)
	return err
}

func InitThread(argc IntCell, argv uintptr, required int) (int, error) {
	return start(required)
}

// start initializes MPI with the least thread level that is not below the required one, or the highest. When
// sessions were faster it is theirs.
func start(required int) (level int, err error) {
	starting.Lock()
	defer starting.Unlock()
	if l := library.Load(); l != nil && l.world != worldBefore {
		return 0, mpierr.New(mpierr.ErrOther, "MPI has been initialized before, and can be only once")
	}
	l, err := enter(levelFor(required))
	if err != nil {
		return 0, err
	}
	p := l.process
	p.World.SetErrhandler(initial().Errhandler())
	p.Self.SetErrhandler(initial().Errhandler())
	for _, c := range []*comm.Comm{p.World, p.Self} {
		if err := addRecord(p, c); err != nil {
			return 0, err
		}
	}
	l.world = worldOpen
	l.open.Store(true)
	host.SetWorld(StageActive)
	return l.level, meetParent(l)
}

// levelFor is the least thread level that is not below the required one, or the highest.
func levelFor(required int) int {
	level := threadMultiple
	for _, l := range []int{threadSerialized, threadFunneled, threadSingle} {
		if required <= l {
			level = l
		}
	}
	return level
}

func Finalize() error {
	starting.Lock()
	defer starting.Unlock()
	l := library.Load()
	if l == nil || l.world == worldBefore {
		return mpierr.New(mpierr.ErrOther, "called before MPI_Init")
	}
	if l.world == worldFinished {
		return mpierr.New(mpierr.ErrOther, "MPI has been finalized before")
	}
	// Before anything else, so that callbacks find a library that works (MPI 5.0, 11.2.4).
	if err := l.process.Self.Attributes.Clear(&l.process.Self.Base); err != nil {
		return err
	}
	if err := l.process.Finalize(); err != nil {
		return err
	}
	l.world = worldFinished
	l.open.Store(false)
	dropRecord(l.process.Endpoint, l.process.World)
	dropRecord(l.process.Endpoint, l.process.Self)
	host.SetWorld(StageFinished)
	return l.leave()
}

func QueryThread() (int, error) { return library.Load().level, nil }

func IsThreadMain() (bool, error) { return library.Load().main == threadID(), nil }

// Abort ends all processes of the job, whatever the communicator (MPI 5.0, 11.4).
func Abort(c *comm.Comm, code int) error {
	abort(code)
	return nil
}
