package main

// #include <stdint.h>
// #include "life.h"
import "C"

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	mpi "gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// Starting and ending MPI (MPI 5.0, chapter 11).

// Thread levels with the values of the standard ABI.
const (
	threadSingle     = 0
	threadFunneled   = 1024
	threadSerialized = 2048
	threadMultiple   = 4096
)

// starting is held while MPI is initialized or finalized.
var starting sync.Mutex

func mpiInit(argc intCell, argv uintptr) error {
	_, err := start(threadSingle)
	return err
}

func mpiInit_thread(argc intCell, argv uintptr, required int) (int, error) {
	return start(required)
}

// start initializes MPI with the least thread level that is not below the required one, or the highest.
func start(required int) (level int, err error) {
	starting.Lock()
	defer starting.Unlock()
	if library.Load() != nil {
		return 0, mpierr.New(mpierr.ErrOther, "MPI has been initialized before, and can be only once")
	}
	level = threadMultiple
	for _, l := range []int{threadSerialized, threadFunneled, threadSingle} {
		if required <= l {
			level = l
		}
	}
	settings, err := tool.Read(os.Getenv)
	if err != nil {
		return 0, mpierr.New(mpierr.ErrOther, "%v", err)
	}
	job, err := boot.Join()
	if err != nil {
		return 0, mpierr.New(mpierr.ErrOther, "%v", err)
	}
	tuneRuntime(level)
	process, err := mpi.New(mpi.Config{
		Rank: job.Rank, Size: job.Size, NodeRank: job.NodeRank, Node: ranksOfNode(job),
		Segment: job.Segment, Settings: settings, Multiple: level == threadMultiple,
	})
	if err != nil {
		return 0, err
	}
	process.World.Handle, process.Self.Handle = commWorld, commSelf
	openLane(process)
	job.WatchLauncher(launcherLost)
	library.Store(&state{process: process, job: job, level: level, main: threadID()})
	C.gompi_set_world(C.int(job.Rank), C.int(job.Size))
	C.gompi_set_stage(C.GOMPI_ACTIVE)
	return level, nil
}

// ranksOfNode lists the job ranks that share this process's node.
func ranksOfNode(job *boot.Job) []int {
	var ranks []int
	for r := range job.Size {
		if job.Nodes == nil || job.Nodes[r] == job.Nodes[job.Rank] {
			ranks = append(ranks, r)
		}
	}
	return ranks
}

// launcherLost ends this process, because nobody would end it otherwise.
func launcherLost() {
	C.gompi_exit(C.int(mpierr.ErrOther))
}

// openLane lets the C stubs send and receive small messages by themselves.
func openLane(p *mpi.Process) {
	for h := range len(C.gompi_dense_size) {
		if t := datatype.ByHandle(uint32(typeNull + h)); t != nil && t.Size() == t.Extent() && t.Size() <= 0xff {
			C.gompi_dense_size[h] = C.uint8_t(t.Size())
		}
	}
	writeNamedCards()
	addRoute(p.Lane, p.World)
	C.gompi_set_lane(C.uintptr_t(p.Lane.Address()))
}

// tuneRuntime sets up Go's runtime for a library that is one guest among many on the machine: few processors, so that
// ranks do not start threads by the dozen, and a collector that runs seldom.
func tuneRuntime(level int) {
	const collectAt = 400 // percent of the heap in use
	threads := 2          // one that calls MPI and one for helpers
	if level == threadMultiple {
		threads = min(max(4, runtime.NumCPU()+1), 16)
	}
	if threads != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(threads)
	}
	debug.SetGCPercent(collectAt)
}

func mpiFinalize() error {
	starting.Lock()
	defer starting.Unlock()
	l := library.Load()
	if l == nil {
		return mpierr.New(mpierr.ErrOther, "called before MPI_Init")
	}
	if l.finalized {
		return mpierr.New(mpierr.ErrOther, "MPI has been finalized before")
	}
	// Before anything else, so that callbacks find a library that works (MPI 5.0, 11.2.4).
	if err := l.process.Self.Attributes.Clear(&l.process.Self.Base); err != nil {
		return err
	}
	if err := l.process.Finalize(); err != nil {
		return err
	}
	l.finalized = true
	C.gompi_set_stage(C.GOMPI_FINISHED)
	if err := l.job.Finalize(); err != nil {
		return mpierr.New(mpierr.ErrOther, "%v", err)
	}
	return nil
}

func mpiQuery_thread() (int, error) { return library.Load().level, nil }

func mpiIs_thread_main() (bool, error) { return library.Load().main == threadID(), nil }

// mpiAbort ends all processes of the job, whatever the communicator (MPI 5.0, 11.4).
func mpiAbort(c *comm.Comm, code int) error {
	abort(code)
	return nil
}
