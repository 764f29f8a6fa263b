package mpi

import (
	"os"
	"path/filepath"
	"slices"

	"gompi/runtime/boot"
	"gompi/runtime/comm"
	"gompi/runtime/info"
	"gompi/runtime/jobs"
	"gompi/runtime/mpierr"
)

// Starting processes (MPI 5.0, 11.8). Everything but the communicator and the root is the root's to give;
// what is wrong with it all ranks hear.

func CommSpawn(command RootText, argv uintptr, maxprocs int, hints RootInfo, root int, c *comm.Comm,
	codes IntArray) (uintptr, error) {
	var o jobs.Order
	if c.Rank() == root {
		var p boot.Program
		name, err := command.get()
		i, bad := hints.get()
		if err == nil {
			err = bad
		}
		if err == nil {
			p, err = program(name, argv, maxprocs, "maxprocs", i)
		}
		o = order([]boot.Program{p}, "maxprocs", err)
	}
	return startPrograms(c, root, &o, codes)
}

func CommSpawnMultiple(count int, commands, argvs uintptr, maxprocs IntArray, hints InfoArray, root int,
	c *comm.Comm, codes IntArray) (uintptr, error) {
	var o jobs.Order
	if c.Rank() == root {
		all, err := programs(count, commands, argvs, maxprocs, hints)
		o = order(all, "array_of_maxprocs", err)
	}
	return startPrograms(c, root, &o, codes)
}

// programs reads the arguments of MPI_Comm_spawn_multiple.
func programs(count int, commands, argvs uintptr, maxprocs IntArray,
	hints InfoArray) (all []boot.Program, err error) {
	if count < 1 {
		return nil, mpierr.New(mpierr.ErrArg, "count is %d, must be 1 at least", count)
	}
	a := Args{Later: []Argument{{"array_of_argv", argvs, mpierr.ErrArg}}}
	defer a.guard(&err)
	a.Array("array_of_commands", commands, int64(count), handleSize)
	a.Array("array_of_maxprocs", maxprocs.Addr, int64(count), IntSize(false))
	a.Array("array_of_info", uintptr(hints), int64(count), handleSize)
	if a.Err != nil {
		return nil, a.Err
	}
	all = make([]boot.Program, count)
	for i := range all {
		if a.Err != nil {
			return nil, a.Err
		}
		name := a.Text("array_of_commands", LoadWord(commands+uintptr(i)*handleSize))
		var argv uintptr
		if argvs != 0 {
			argv = LoadWord(argvs + uintptr(i)*handleSize)
		}
		own := a.Info("array_of_info", hints.at(i))
		if a.Err == nil {
			all[i], a.Err = program(name, argv, int(maxprocs.at(i)), "array_of_maxprocs", own)
		}
	}
	return all, a.Err
}

// program is one program to start; argument is the name of the argument that says how many times.
func program(name string, argv uintptr, n int, argument string,
	hints *info.Info) (p boot.Program, err error) {
	defer guard(mpierr.ErrArg, "argv", &err)
	p = boot.Program{Name: name, Ranks: n}
	switch {
	case name == "":
		return p, mpierr.New(mpierr.ErrArg, "command is empty")
	case n < 1:
		return p, mpierr.New(mpierr.ErrArg, "%s is %d, must be 1 at least", argument, n)
	}
	for ; argv != 0 && LoadWord(argv) != 0; argv += handleSize {
		p.Args = append(p.Args, cString(LoadWord(argv)))
	}
	if hints == nil {
		return p, nil
	}
	for i := range hints.Len() {
		key, err := hints.Key(i)
		if err != nil {
			return p, err
		}
		if value, ok, err := hints.Get(key); err == nil && ok {
			p.Hints = append(p.Hints, boot.Hint{Key: key, Value: value})
		}
	}
	return p, nil
}

// order is the root's order, or what is wrong with it. argument is the name of the argument that says how
// many processes.
func order(all []boot.Program, argument string, err error) jobs.Order {
	l := library.Load()
	if n := least(all); err == nil && n > jobs.MostStarted {
		err = mpierr.New(mpierr.ErrSpawn, "%s asks for %d processes: one call can start %d at most", argument, n, jobs.MostStarted)
	}
	if err == nil {
		if bad := l.needLauncher(); bad != nil {
			err = mpierr.New(mpierr.ErrSpawn, "%v", bad)
		}
	}
	return jobs.Order{Programs: all, Launcher: l.job, Timeout: l.job.SpawnTimeout(), Refused: err}
}

// least is how many processes an order takes at least. With the hint soft that may be one, as the launcher
// will say.
func least(all []boot.Program) int {
	n := 0
	for i := range all {
		soft := func(h boot.Hint) bool { return h.Key == "soft" || h.Key == "file" }
		if slices.ContainsFunc(all[i].Hints, soft) {
			n++
		} else {
			n += all[i].Ranks
		}
	}
	return n
}

// needLauncher makes sure that there is a launcher: a process that was started without one starts its own.
func (l *state) needLauncher() error {
	if !l.job.Singleton {
		return nil
	}
	began, err := l.job.StartLauncher(launchers())
	if began {
		l.job.Watch(func() { launcherLost(l.job) }, nil)
		l.process.AllowReaders(l.job.Tracer())
	}
	return err
}

// launchers are the paths where gompi's mpiexec may be: beside the library, and where the user's path says.
func launchers() []string {
	var paths []string
	if own := host.LibraryFile(); own != "" {
		for _, file := range []string{own, real(own)} {
			paths = append(paths, filepath.Join(filepath.Dir(filepath.Dir(file)), "bin", "mpiexec"))
		}
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		paths = append(paths, filepath.Join(folder, "mpiexec"))
	}
	return slices.Compact(paths)
}

// real is the file behind symbolic links.
func real(file string) string {
	if to, err := filepath.EvalSymlinks(file); err == nil {
		return to
	}
	return file
}

// startPrograms carries an order out, and tells for each process whether it was started (MPI_SUCCESS or
// MPI_ERR_SPAWN).
func startPrograms(c *comm.Comm, root int, o *jobs.Order, codes IntArray) (uintptr, error) {
	p := library.Load().process
	inter, outcome, err := p.Ports.Start(registry(), c, root, o)
	if codes.Addr != 0 {
		tellCodes(codes, outcome, err != nil)
	}
	return newComm(inter, err)
}

// tellCodes writes a code for each process that was asked for.
func tellCodes(codes IntArray, outcome jobs.Outcome, failed bool) {
	index := 0
	for i, wanted := range outcome.Wanted {
		for k := range wanted {
			code := int64(0)
			if k >= outcome.Started[i] || failed {
				code = int64(mpierr.ErrSpawn)
			}
			codes.set(index, code)
			index++
		}
	}
}

// meetParent connects with the program that had this job started, if one did. starting is held.
func meetParent(l *state) error {
	port := l.job.ParentPort
	if port == "" {
		return nil
	}
	c, err := l.process.Connect(l.process.World, 0, port, jobs.Wait{})
	if mpierr.CodeOf(err) == int(mpierr.ErrPort) {
		err = mpierr.New(mpierr.ErrProcAborted, "the processes that had this one started have died, or have given up: %v", err)
	}
	if err != nil && l.settings.Recovery {
		leaveUnmet(l)
	}
	if err != nil {
		return err
	}
	c.SetName("MPI_COMM_PARENT")
	c.SetErrhandler(initial().Errhandler())
	if l.parent, err = newComm(c, nil); err == nil {
		l.process.Endpoint.Parent = l.parent
	}
	return err
}

// leaveUnmet ends this process, which was started by processes that have died or given up before they had met
// it. Where deaths are survived that is no failure: the program has not begun, and nobody knows of it.
func leaveUnmet(l *state) {
	_ = l.job.Finalize() // a launcher that is gone needs no telling
	host.Exit(0)
}

// CommGetParent finds nothing any more once the communicator has been freed (MPI 5.0, 11.8.3).
func CommGetParent() (uintptr, error) {
	if h := library.Load().parent; h != 0 && comms.get(h) != nil {
		return h, nil
	}
	return commNull, nil
}

// InfoArray is an array of info handles.
type InfoArray uintptr

func (a InfoArray) at(i int) uintptr { return LoadWord(uintptr(a) + uintptr(i)*handleSize) }
