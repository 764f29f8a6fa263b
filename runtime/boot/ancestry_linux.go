package boot

import (
	"bytes"
	"os"
	"strconv"
)

// ancestors bounds how far up startedByRank looks.
const ancestors = 16

// startedByRank reports whether an ancestor of this process is itself a rank that has joined a job: its
// programs inherit the launcher's words but not its socket, and are no ranks.
func startedByRank() bool {
	pid := os.Getppid()
	for i := 0; i < ancestors && pid > 1; i++ {
		proc := "/proc/" + strconv.Itoa(pid)
		if maps, err := os.ReadFile(proc + "/maps"); err == nil && bytes.Contains(maps, []byte("/memfd:gompi")) {
			// The launcher maps the segment too, but was not itself started with a rank's words.
			words, err := os.ReadFile(proc + "/environ")
			return err == nil && hasVariable(words, "PMI_FD")
		}
		stat, err := os.ReadFile(proc + "/stat")
		if err != nil {
			return false
		}
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			return false
		}
		if pid, err = strconv.Atoi(string(fields[1])); err != nil {
			return false
		}
	}
	return false
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
