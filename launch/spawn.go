package launch

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"
	"gompi/wire/pmi"
)

// Programs that running ranks start (MPI 5.0, 11.8). The answer to such a request comes when all new ranks
// have begun MPI, or when it is clear that they will not: whoever asks waits for them to connect, and must
// not wait in vain.

// spawner starts programs that ranks ask for.
type spawner struct {
	job     *job
	spawned int       // worlds that ranks have asked for
	asked   []request // to start programs, not served yet
}

// spawnLine takes one line of a spawn request; false when it does not follow the protocol.
func (s *spawner) spawnLine(r *world.Rank, line string) bool {
	c := r.Conn
	b := &c.Spawn[len(c.Spawn)-1]
	done, err := b.Add(line)
	if err != nil {
		return false
	}
	if !done {
		return true
	}
	c.Inside, c.Lines.Longest = false, 0
	if b.Index != len(c.Spawn) || b.Index > b.Total {
		return false
	}
	if b.Index == b.Total {
		s.asked = append(s.asked, request{r, c.Spawn})
		c.Spawn = nil
	}
	return true
}

// request is a complete request of a rank.
type request struct {
	from   *world.Rank
	blocks []pmi.SpawnBlock
}

// serveSpawns serves the requests that have come. They come in while other programs are being started, too.
func (s *spawner) serveSpawns() {
	for len(s.asked) > 0 {
		next := s.asked[0]
		s.asked = s.asked[1:]
		if !next.from.Exited {
			s.spawn(next.from, next.blocks)
		}
	}
}

// spawn serves a request.
func (s *spawner) spawn(r *world.Rank, blocks []pmi.SpawnBlock) {
	apps, softs, err := s.wanted(r, blocks)
	if err != nil {
		refuse(r, err.Error())
		return
	}
	for {
		w, err := s.startSpawned(r, apps, blocks[0].Preputs)
		if err == nil || err == errEnding {
			return // in the second case it has been answered
		}
		s.takeBack(w)
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
func (s *spawner) wanted(r *world.Rank, blocks []pmi.SpawnBlock) (apps []process.App,
	softs []pmi.Soft, err error) {
	if r.World.Failing {
		return nil, nil, errEnding
	}
	apps, softs = make([]process.App, len(blocks)), make([]pmi.Soft, len(blocks))
	all := 0
	for i := range blocks {
		if apps[i], softs[i], err = programOf(r.Program(), &blocks[i], r.HostName()); err != nil {
			return nil, nil, err
		}
		// Each number is bounded, so that the sum is.
		if all += apps[i].Ranks; all > shm.MaxNodeSize {
			return nil, nil, fmt.Errorf("%d ranks on one node: from 1 to %d are possible", all, shm.MaxNodeSize)
		}
	}
	return apps, softs, nil
}

// programOf makes a program of a request. What the request does not say is as for the program that asks.
// Hints that are not known have no effect.
func programOf(asker *process.App, b *pmi.SpawnBlock, own string) (process.App, pmi.Soft, error) {
	app := process.App{Argv: append([]string{b.Program}, b.Args...), Ranks: b.Ranks, Dir: asker.Dir,
		Env: asker.Env}
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
func (s *spawner) startSpawned(r *world.Rank, apps []process.App, values []pmi.Arg) (*world.World, error) {
	s.spawned++
	w := world.New(s.spawned, apps, r.World.Universe)
	// They share memory with the process that asks, so they run where it does.
	w.Host, w.Spawned = r.Node.Host, true
	w.Parent, w.Asker = r.World, r
	for _, v := range values {
		w.Values[v.Key] = v.Value
		if v.Key == pmi.ParentKey {
			w.Port = v.Value
		}
	}
	return w, s.job.startWorld(w)
}

// refuse answers a request that has failed.
func refuse(r *world.Rank, why string) {
	const most = 300 // bytes that surely fit into a line, however they are written
	if len(why) > most {
		why = why[:most] + "..."
	}
	r.Conn.Reply("spawn_result", "rc", "-1", "msg", pmi.Word(why), "text", pmi.Encode(why))
}

// arrived answers the request once all ranks of a new world have begun MPI.
func (s *spawner) arrived(w *world.World) {
	if w.Asker == nil || w.Inside < w.Size() {
		return
	}
	started := make([]string, len(w.Apps))
	for i := range w.Apps {
		started[i] = strconv.Itoa(w.Apps[i].Ranks)
	}
	w.Asker.Conn.Reply("spawn_result", "rc", "0", "jobid", w.KVSName, "started", strings.Join(started, ","))
	w.Asker = nil
}

// stillborn takes a new world back of which a rank has ended before all had begun MPI.
func (s *spawner) stillborn(r *world.Rank) {
	w, status := r.World, r.Status
	how := "without MPI_Init"
	if status.Signaled() {
		how = fmt.Sprintf("by signal %d (%s) before all had called MPI_Init%s", status.Signal(), process.SignalName(status.Signal()), s.job.memory(r))
	} else if status.ExitStatus() != 0 {
		how = fmt.Sprintf("with code %d before all had called MPI_Init", status.ExitStatus())
	}
	r.DrainOutput()
	refuse(w.Asker, fmt.Sprintf("rank %d of the new processes, program %q, ended %s", r.Number, w.Apps[r.App].Argv[0], how))
	w.Asker = nil
	s.takeBack(w)
}

// takeBack ends a world that could not be started as a whole. Nobody has met its ranks, and nobody hears of
// their end.
func (s *spawner) takeBack(w *world.World) {
	w.Parent, w.Asker = nil, nil
	s.job.Kill(w)
}

// link notes that a rank has come to be connected to a world, or is so no more. Worlds of other launchers end
// by themselves.
func (s *spawner) link(r *world.Rank, m *pmi.Message, on bool) {
	text, _ := m.Get("job")
	for _, w := range s.job.Worlds {
		if !w.Is(text) || w == r.World {
			continue
		}
		if on && w == r.World.Parent && !r.Met {
			r.Met = true
			r.World.Linked++
		}
		if r.Links == nil {
			r.Links = map[*world.World]bool{}
		}
		r.Links[w] = on
	}
}
