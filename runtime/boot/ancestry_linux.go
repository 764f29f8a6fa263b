package boot

import (
	"bytes"
	"os"
	"strconv"
)

// mostAncestors bounds how far up ancestors are looked at.
const mostAncestors = 16

// ancestors calls visit for the processes that have started this one, the nearest first, until it returns
// false or one cannot be looked at.
func ancestors(visit func(proc string) bool) {
	pid := os.Getppid()
	for i := 0; i < mostAncestors && pid > 1; i++ {
		proc := "/proc/" + strconv.Itoa(pid)
		if !visit(proc) {
			return
		}
		stat, err := os.ReadFile(proc + "/stat")
		if err != nil {
			return
		}
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			return
		}
		if pid, err = strconv.Atoi(string(fields[1])); err != nil {
			return
		}
	}
}

// startedByRank reports whether an ancestor of this process is itself a rank that has joined a job, by the
// launcher that sets the given variable: its programs inherit the launcher's words, and are no ranks.
func startedByRank(variable string) (started bool) {
	ancestors(func(proc string) bool {
		maps, err := os.ReadFile(proc + "/maps")
		if err != nil || !bytes.Contains(maps, []byte("/memfd:gompi")) {
			return true
		}
		// The launcher maps the segment too, but was not itself started with a rank's words.
		words, err := os.ReadFile(proc + "/environ")
		started = err == nil && hasVariable(words, variable)
		return false
	})
	return started
}

// hasVariable looks for a variable in an environment as /proc shows it.
func hasVariable(environ []byte, name string) bool {
	for _, v := range bytes.Split(environ, []byte{0}) {
		if bytes.HasPrefix(v, []byte(name+"=")) {
			return true
		}
	}
	return false
}

// loadedByAncestors lists the files whose names begin with the given one and which a process has loaded that
// has started this one, as far as that can be seen.
func loadedByAncestors(name string) (files []string) {
	ancestors(func(proc string) bool {
		maps, err := os.ReadFile(proc + "/maps")
		if err != nil {
			return true // another user's
		}
		if file := mappedFile(maps, name); file != "" {
			files = append(files, file)
		}
		return true
	})
	return files
}

// mappedFile finds a file whose name begins with the given one in a list of mappings; "" when there is none.
func mappedFile(maps []byte, name string) string {
	for _, line := range bytes.Split(maps, []byte{'\n'}) {
		slash := bytes.IndexByte(line, '/')
		if slash < 0 {
			continue
		}
		file := line[slash:]
		if bytes.HasPrefix(file[bytes.LastIndexByte(file, '/')+1:], []byte(name)) {
			return string(file)
		}
	}
	return ""
}
