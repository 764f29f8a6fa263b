package boot

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// foreignTimeout is how long programs that another launcher has started may take to connect: it may never
// tell that it could not start them.
const foreignTimeout = time.Minute

// SpawnTimeout is how long to wait for programs that Spawn has had started; 0 for as long as it takes,
// because the launcher tells what becomes of them.
func (j *Job) SpawnTimeout() time.Duration {
	if j.ours || j.client == nil {
		return 0
	}
	return foreignTimeout
}

// findable tells why a launcher of another make, on this machine, would not find a program; nil when it
// would. dir is where this process is, search the folders where programs are.
func (p *Program) findable(dir, search string) error {
	for _, h := range p.Hints {
		switch h.Key {
		case "wdir":
			if dir = h.Value; unix.Access(dir, unix.X_OK) != nil {
				return fmt.Errorf("working directory %q cannot be entered", dir)
			}
		case "path":
			search = h.Value + string(filepath.ListSeparator) + search
		case "host", "hosts", "hostfile", "machinefile":
			return nil // perhaps another machine
		}
	}
	folders := filepath.SplitList(search)
	if strings.Contains(p.Name, "/") {
		folders = []string{""}
	}
	for _, folder := range append(folders, dir) {
		file := filepath.Join(folder, p.Name)
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		var st unix.Stat_t
		if unix.Stat(file, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG &&
			unix.Access(file, unix.X_OK) == nil {
			return nil
		}
	}
	return fmt.Errorf("program %q cannot be run: it is not there, or not executable", p.Name)
}
