package launch

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/pmi"
)

// Programs that running ranks start (MPI 5.0, 11.8). The answer to such a request comes when all new ranks
// have begun MPI, or when it is clear that they will not: whoever asks waits for them to connect, and must
// not wait in vain.

// spawnLine takes one line of a spawn request; false when it does not follow the protocol.
func (j *job) spawnLine(r *rank, line string) bool {
	c := r.conn
	b := &c.spawn[len(c.spawn)-1]
	done, err := b.Add(line)
	if err != nil {
		return false
	}
	if !done {
		return true
	}
	c.inside, c.lines.Longest = false, 0
	if b.Index != len(c.spawn) || b.Index > b.Total {
		return false
	}
	if b.Index == b.Total {
		j.asked = append(j.asked, request{r, c.spawn})
		c.spawn = nil
	}
	return true
}

// request is a complete request of a rank.
type request struct {
	from   *rank
	blocks []pmi.SpawnBlock
}

// serveSpawns serves the requests that have come. They come in while other programs are being started, too.
func (j *job) serveSpawns() {
	for len(j.asked) > 0 {
		next := j.asked[0]
		j.asked = j.asked[1:]
		if !next.from.exited {
			j.spawn(next.from, next.blocks)
		}
	}
}

// spawn serves a request.
func (j *job) spawn(r *rank, blocks []pmi.SpawnBlock) {
	apps, softs, err := j.wanted(r, blocks)
	if err != nil {
		refuse(r, err.Error())
		return
	}
	for {
		w, err := j.startSpawned(r, apps, blocks[0].Preputs)
		if err == nil || err == errEnding {
			return // in the second case it has been answered
		}
		j.takeBack(w)
		var short *rankError
		var never *process.StartError
		if !errors.As(err, &short) || errors.As(err, &never) {
			refuse(r, err.Error())
			return
		}
		// Perhaps fewer will do.
		n, ok := softs[short.program].Largest(short.started)
		if apps[short.program].Ranks = n; !ok || n == 0 {
			refuse(r, err.Error())
			return
		}
	}
}

// wanted is what a request asks for: programs, and with how many processes of each it is content.
func (j *job) wanted(r *rank, blocks []pmi.SpawnBlock) (apps []process.App, softs []pmi.Soft, err error) {
	if r.world.failing {
		return nil, nil, errEnding
	}
	apps, softs = make([]process.App, len(blocks)), make([]pmi.Soft, len(blocks))
	all := 0
	for i := range blocks {
		if apps[i], softs[i], err = programOf(r.app0(), &blocks[i], r.hostName()); err != nil {
			return nil, nil, err
		}
		// Each number is bounded, so that the sum is.
		if all += apps[i].Ranks; all > shm.MaxNodeSize {
			return nil, nil, fmt.Errorf("%d ranks on one node: from 1 to %d are possible", all, shm.MaxNodeSize)
		}
	}
	return apps, softs, nil
}

// app0 is the program that a rank runs.
func (r *rank) app0() *process.App { return &r.world.apps[r.app] }

// programOf makes a program of a request. What the request does not say is as for the program that asks.
// Hints that are not known have no effect.
func programOf(asker *process.App, b *pmi.SpawnBlock, own string) (process.App, pmi.Soft, error) {
	app := process.App{Argv: append([]string{b.Program}, b.Args...), Ranks: b.Ranks, Dir: asker.Dir, Env: asker.Env}
	if dir, ok := b.Hint(pmi.DirKey); ok {
		app.Dir = dir
	}
	base := app.Dir
	for _, key := range []string{"host", "hosts"} {
		if hosts, ok := b.Hint(key); ok {
			if err := process.CheckHosts(hosts, own); err != nil {
				return app, nil, err
			}
		}
	}
	if dir, ok := b.Hint("wdir"); ok {
		if app.Dir = dir; !filepath.IsAbs(dir) {
			app.Dir = filepath.Join(base, dir)
		}
	}
	if path, ok := b.Hint("path"); ok {
		// Folders of the caller's, ahead of those where programs are looked for otherwise.
		folders := filepath.SplitList(path)
		for i, f := range folders {
			if !filepath.IsAbs(f) {
				folders[i] = filepath.Join(base, f)
			}
		}
		if !strings.Contains(b.Program, "/") {
			if file := process.FindIn(folders, b.Program); file != "" {
				app.Argv[0] = file
			}
		}
	}
	var soft pmi.Soft
	if text, ok := b.Hint("soft"); ok {
		n, err := SoftRanks(text, b.Ranks)
		if err != nil {
			return app, nil, fmt.Errorf("info key soft: %w", err)
		}
		soft, _ = pmi.ParseSoft(text)
		app.Ranks = n
	}
	if app.Ranks < 1 || app.Ranks > math.MaxInt32 {
		return app, nil, fmt.Errorf("%d processes of program %q", b.Ranks, b.Program)
	}
	for _, h := range b.Info {
		if h.Key != "env" {
			continue
		}
		name, value, found := strings.Cut(h.Value, "=")
		if !found || name == "" {
			return app, nil, fmt.Errorf("info key env: %q is not of the form NAME=value", h.Value)
		}
		app.Env = process.SetVariable(app.Env, name, value)
	}
	for _, v := range [...][2]string{
		{"mpi_initial_errhandler", "GOMPI_INITIAL_ERRHANDLER"}, {"mpi_memory_alloc_kinds", "GOMPI_MEMORY_ALLOC_KINDS"},
	} {
		if value, ok := b.Hint(v[0]); ok {
			app.Env = process.SetVariable(app.Env, v[1], value)
		}
	}
	return app, soft, nil
}

// SoftRanks is the largest number of processes up to most that a list allows, as the info key "soft" has it
// (MPI 5.0, 11.8.4).
func SoftRanks(list string, most int) (int, error) {
	soft, err := pmi.ParseSoft(list)
	if err != nil {
		return 0, err
	}
	n, ok := soft.Largest(most)
	if !ok || n == 0 {
		return 0, fmt.Errorf("%q has no number of processes from 1 to %d", list, most)
	}
	return n, nil
}

// startSpawned starts the programs of a request. The world comes back even with an error.
func (j *job) startSpawned(r *rank, apps []process.App, values []pmi.Arg) (*world, error) {
	j.spawned++
	w := newWorld(j.spawned, apps, r.world.universe)
	// They share memory with the process that asks, so they run where it does.
	w.host, w.spawned = r.node.host, true
	w.parent, w.asker = r.world, r
	for _, v := range values {
		w.kvs[v.Key] = v.Value
		if v.Key == pmi.ParentKey {
			w.port = v.Value
		}
	}
	return w, j.startWorld(w)
}

// refuse answers a request that has failed.
func refuse(r *rank, why string) {
	const most = 300 // bytes that surely fit into a line, however they are written
	if len(why) > most {
		why = why[:most] + "..."
	}
	r.conn.reply("spawn_result", "rc", "-1", "msg", pmi.Word(why), "text", pmi.Encode(why))
}

// arrived answers the request once all ranks of a new world have begun MPI.
func (j *job) arrived(w *world) {
	if w.asker == nil || w.inside < w.size() {
		return
	}
	started := make([]string, len(w.apps))
	for i := range w.apps {
		started[i] = strconv.Itoa(w.apps[i].Ranks)
	}
	w.asker.conn.reply("spawn_result", "rc", "0", "jobid", w.kvsName, "started", strings.Join(started, ","))
	w.asker = nil
}

// stillborn takes a new world back of which a rank has ended before all had begun MPI.
func (j *job) stillborn(r *rank) {
	w, status := r.world, r.status
	how := "without MPI_Init"
	if status.Signaled() {
		how = fmt.Sprintf("by signal %d (%s) before all had called MPI_Init%s", status.Signal(), process.SignalName(status.Signal()), j.memory(r))
	} else if status.ExitStatus() != 0 {
		how = fmt.Sprintf("with code %d before all had called MPI_Init", status.ExitStatus())
	}
	r.drainOutput()
	refuse(w.asker, fmt.Sprintf("rank %d of the new processes, program %q, ended %s", r.number, w.apps[r.app].Argv[0], how))
	w.asker = nil
	j.takeBack(w)
}

// takeBack ends a world that could not be started as a whole. Nobody has met its ranks, and nobody hears of
// their end.
func (j *job) takeBack(w *world) {
	w.parent, w.asker = nil, nil
	j.Kill(w)
}

// link notes that a rank has come to be connected to a world, or is so no more. Worlds of other launchers end
// by themselves.
func (j *job) link(r *rank, m *pmi.Message, on bool) {
	text, _ := m.Get("job")
	for _, w := range j.worlds {
		if !w.is(text) || w == r.world {
			continue
		}
		if on && w == r.world.parent && !r.met {
			r.met = true
			r.world.linked++
		}
		if r.links == nil {
			r.links = map[*world]bool{}
		}
		r.links[w] = on
	}
}
