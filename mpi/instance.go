package mpi

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"gompi/runtime/coll/node"

	core "gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/tool"
	"gompi/shm"
)

// The machinery below MPI_COMM_WORLD and all sessions. The first of them that begins sets it up; when the
// last one has ended, the launcher is told that this process may exit. One that begins later finds it as it
// was.

// starting is held while MPI_COMM_WORLD or a session begins or ends.
var starting sync.Mutex

// enter makes sure that the machinery is there for one more user. Once it is, its thread level does not
// change. starting is held.
func enter(level int) (l *state, err error) {
	if l = library.Load(); l == nil {
		if l, err = setUp(level); err != nil {
			return nil, err
		}
		library.Store(l)
		observeFromStart(l.process)
	} else if l.idle() {
		if err := l.job.Resume(); err != nil {
			return nil, mpierr.New(mpierr.ErrOther, "%v", err)
		}
		l.process.OpenFastPath()
	}
	host.SetStage(StageActive)
	return l, nil
}

// setUp joins the job and makes the process.
func setUp(level int) (*state, error) {
	settings, err := settingsAtStart()
	if err != nil {
		return nil, err
	}
	if err := shm.OpenPoller(); err != nil {
		return nil, mpierr.New(mpierr.ErrOther, "%v", err)
	}
	job, err := boot.Join(boot.Config{OpenPMIx: host.OpenPMIx, LibPMIx: settings.LibPMIx, Fail: endUnjoined})
	if err != nil {
		return nil, mpierr.New(mpierr.ErrOther, "%v", err)
	}
	movePollerUp(job)
	if job.Recovers = settings.Recovery; job.Recovers && !job.Reports {
		host.OutliveDeaths()
	}
	job.Watch(func() { launcherLost(job) }, func(rank int) { rankDied(job, rank) })
	if !job.Reports && job.Rank == 0 {
		warnOfNames()
	}
	tuneRuntime(level)
	openChecks(settings.Check)
	var launcher core.Launcher
	if job.Late() {
		launcher = job
	}
	process, err := core.New(core.Config{
		Rank: job.Rank, Size: job.Size, NodeRank: job.NodeRank, Node: job.Neighbours(),
		Segment: job.Segment, Tracer: job.Tracer(), Kept: job.Kept, Cores: job.Cores,
		NodeCores: job.NodeCores, Settings: settings,
		Multiple: level == threadMultiple, Fatal: unreportable, Fabric: host.OpenFabric,
		Launcher: launcher, PrepareFabric: host.PrepareFabric,
		CalledFrom: host.CalledFrom, Machines: job.Nodes, Cards: job, Address: job.Address,
		// a launcher that is gone needs no telling
		Linked: func(other shm.JobID, on bool) { _ = job.Linked(other, on) },
		Broken: teller(settings),
		Check:  messageChecks(),
	})
	if err != nil {
		return nil, err
	}
	addNamedTypes(process.Endpoint)
	process.Engine.TypeOf = lookupType
	process.Engine.OpOf = lookupOp
	process.Engine.ByHandle = true
	node.OpenReductions(process.Endpoint)
	if err := tellFacts(process.Endpoint, level); err != nil {
		return nil, err
	}
	process.World.Handle, process.Self.Handle = commWorld, commSelf
	host.SetEndpoint(process.Endpoint.Address())
	records.Store(process.Endpoint)
	process.Spread()
	return &state{process: process, job: job, level: level, main: threadID(), settings: settings}, nil
}

// tellFacts lets the C stubs tell of what is there from the start. The calling thread is the main thread.
func tellFacts(endpoint *fast.Endpoint, level int) error {
	name, _ := GetProcessorName() // without one, the call comes to Go
	texts := map[int32]string{}
	for class := range mpierr.Class(fast.MostClasses) {
		if class.Predefined() {
			texts[int32(class)] = textOfCode(int(class))
		}
	}
	if err := endpoint.SetFacts(int32(level), uintptr(threadID()), name, texts); err != nil {
		return mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	if checking.Load() != nil {
		return nil
	}
	errorCodes.Tell(func(code int, class mpierr.Class) { endpoint.SetClass(int32(code), int32(class)) })
	err := endpoint.AddGroup(groupEmpty, fast.Group{Rank: fast.Undefined}, nil)
	if err == nil {
		err = endpoint.AddFile(fast.File{Handle: fileNull, Object: noFile.Shared().Address()})
	}
	for _, o := range op.All() {
		if err == nil {
			err = addOp(endpoint, uintptr(o.Handle()), o.Commutative(), 0, false)
		}
	}
	if err != nil {
		return mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	return nil
}

// idle reports whether neither MPI_COMM_WORLD nor a session is there. starting is held.
func (l *state) idle() bool { return l.world != worldOpen && l.sessions == 0 }

// leave follows the end of MPI_COMM_WORLD or of a session. starting is held.
func (l *state) leave() error {
	if !l.idle() {
		return nil
	}
	if k := checking.Load(); k != nil && k.kinds.Has(tool.CheckMessages) {
		k.reportUnreceived()
	}
	l.process.CloseFastPath()
	if l.settings.TracePath {
		refused := counters().Refused
		host.Say(refused.Report("gompi: " + whoami() + ": "))
	}
	if l.settings.Check.Has(tool.CheckLeaks) {
		reportLeaks()
	}
	if l.world == worldFinished {
		host.SetStage(StageFinished)
	} else {
		host.SetStage(StageBefore)
	}
	if err := l.job.Finalize(); err != nil {
		return mpierr.New(mpierr.ErrOther, "%v", err)
	}
	return nil
}

// warnOfNames points out a setting whose name is misspelt; under gompi's own launcher that one does it.
func warnOfNames() {
	if name, meant := tool.Misspelt(os.Environ()); name != "" {
		fmt.Fprintf(os.Stderr, "gompi: environment variable %s means nothing; did you mean %s?\n", name, meant)
	}
}

// launcherLost ends this process, because nobody would end it otherwise.
func launcherLost(job *boot.Job) {
	if code, ending := job.Ending(); ending {
		host.Exit(code)
	}
	host.Exit(int(mpierr.ErrOther))
}

// endUnjoined ends this process, which waits for ranks that will never come.
func endUnjoined(why string, end func()) {
	if why != "" {
		host.Say("gompi: " + why + "\n")
	}
	end()
	host.Exit(1)
}

// rankDied tells the user of a death that the launcher may keep to itself.
func rankDied(job *boot.Job, rank int) {
	machine, _ := os.Hostname()
	then := "is ended"
	if job.Recovers {
		then = "goes on without it"
	}
	host.Say(fmt.Sprintf("gompi: rank %d of %d on %s has ended without MPI_Finalize; the job %s\n", rank, job.Size, machine, then))
}

// movePollerUp keeps what the Go runtime waits by from programs that close descriptors blindly.
func movePollerUp(job *boot.Job) {
	line := fmt.Sprintf("gompi: rank %d of %d (pid %d): the program has closed descriptors of the MPI library (EBADF)\n",
		job.Rank, job.Size, os.Getpid())
	shm.MovePollerUp(line, uint8(mpierr.ErrOther), job.Segment, job.Rank)
}

// tuneRuntime sets up Go's runtime for a library that is one guest among many on the machine: few processors,
// so that ranks do not start threads by the dozen, and a collector that runs seldom. A thread keeps its
// processor of Go's while it is in C, until the monitor takes it, which may be a while (capi/thread.c). So
// there are enough for all threads that are likely to call.
func tuneRuntime(level int) {
	const collectAt = 400 // percent of the heap in use
	threads := 4          // one that calls MPI, and helpers
	if level == threadMultiple {
		threads = max(32, runtime.NumCPU()+1)
	}
	if threads != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(threads)
	}
	debug.SetGCPercent(collectAt)
}
