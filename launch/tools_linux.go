package launch

import (
	"os"
	"path/filepath"

	"gompi/launch/mpir"
	"gompi/launch/process"
	"gompi/launch/world"
)

// showToTools has debuggers and other tools find the ranks of the command line. They have been started on all
// hosts, and wait to be let go on: what a tool does while this process is stopped comes ahead of all that
// they do in MPI.
func (j *job) showToTools(w *world.World) {
	if w.ID != 0 || j.up != nil {
		return
	}
	own, err := os.Hostname()
	if err != nil {
		own = "localhost"
	}
	all := make([]mpir.Process, len(w.Ranks))
	for i, r := range w.Ranks {
		app := &w.Apps[r.App]
		all[i] = mpir.Process{Host: own, Executable: app.Argv[0], Pid: r.Pid}
		if r.Away() {
			all[i].Host = r.HostName()
		} else if path, err := app.Lookup(); err == nil {
			if path, err = filepath.Abs(process.Within(app.Dir, path)); err == nil {
				all[i].Executable = path
			}
		}
	}
	mpir.Show(all)
}
