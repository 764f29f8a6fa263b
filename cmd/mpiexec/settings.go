package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"gompi/launch"
	"gompi/runtime/tool"
)

// What each option does to the command line.

// mostOnHost is how many ranks a segment serves on one machine, and mostRanks bounds those of a job.
const (
	mostOnHost = 4096
	mostRanks  = 1 << 20
)

func (l *commandLine) setRanks(a []string) error {
	n, err := parseRanks(a[0])
	if err == nil {
		l.current.ranks, l.current.touched = n, true
	}
	return err
}

func parseRanks(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostRanks {
		return 0, fmt.Errorf("%q is not a number of ranks from 1 to %d", text, mostRanks)
	}
	return n, nil
}

func (l *commandLine) setDir(a []string) error {
	st, err := os.Stat(a[0])
	if err != nil || !st.IsDir() {
		return fmt.Errorf("there is no directory %q", a[0])
	}
	l.current.dir, l.current.touched = a[0], true
	return nil
}

func (l *commandLine) setEnv(a []string) error       { return l.current.env.set(a) }
func (l *commandLine) listEnv(a []string) error      { return l.current.env.only(a[0]) }
func (l *commandLine) noEnv([]string) error          { return l.current.env.only("") }
func (l *commandLine) allEnv([]string) error         { return l.current.env.all() }
func (l *commandLine) setGlobalEnv(a []string) error { return l.globalEnv.set(a) }
func (l *commandLine) listGlobalEnv(a []string) error {
	return l.globalEnv.only(a[0])
}
func (l *commandLine) noGlobalEnv([]string) error  { return l.globalEnv.only("") }
func (l *commandLine) allGlobalEnv([]string) error { return l.globalEnv.all() }

func (l *commandLine) exportEnv(a []string) error {
	for _, word := range strings.Split(a[0], ",") {
		name, _, assigns := strings.Cut(word, "=")
		switch {
		case assigns:
			// A comma may belong to the value, so an assignment takes all.
			return l.globalEnv.set([]string{a[0]})
		case name == "":
			return errors.New("the name of a variable is empty")
		default:
			l.globalEnv.pass(name)
		}
	}
	return nil
}

// rankLabel is the label of -l.
const rankLabel = "[%r] "

func (l *commandLine) labelRank([]string) error { l.label, l.hasLabel = rankLabel, true; return nil }
func (l *commandLine) labelTag([]string) error  { l.label, l.hasLabel = "[%r]<%o> ", true; return nil }
func (l *commandLine) labelPattern(a []string) error {
	l.label, l.hasLabel = a[0], true
	return checkPattern(a[0])
}

func (l *commandLine) setOutFile(a []string) error { l.outFile = a[0]; return checkPattern(a[0]) }
func (l *commandLine) setErrFile(a []string) error { l.errFile = a[0]; return checkPattern(a[0]) }
func (l *commandLine) setBothFiles(a []string) error {
	l.outFile = strings.ReplaceAll(a[0], "%", "%%") + ".%r"
	l.merge = true
	return nil
}
func (l *commandLine) mergeStderr([]string) error { l.merge = true; return nil }

func (l *commandLine) setStdin(a []string) error {
	if strings.EqualFold(a[0], "none") {
		l.stdinRank = -1
		return nil
	}
	n, err := strconv.Atoi(a[0])
	if err != nil || n < 0 {
		return fmt.Errorf(`%q is neither a rank nor "none"; one rank at most can read standard input`, a[0])
	}
	l.stdinRank = n
	return nil
}

func (l *commandLine) setTimeout(a []string) error {
	seconds, err := parseSeconds(a[0])
	if err == nil {
		l.timeout = seconds
	}
	return err
}

// parseSeconds reads a time limit; 0 means none.
func parseSeconds(text string) (float64, error) {
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 || seconds > 1e9 {
		return 0, fmt.Errorf("%q is not a number of seconds", text)
	}
	return seconds, nil
}

func (l *commandLine) enableRecovery([]string) error { return l.setRecovery([]string{"ulfm"}) }

// setRecovery has the job survive deaths, by the words of Open MPI. The library finds it among its settings.
func (l *commandLine) setRecovery(a []string) error {
	value := ""
	switch strings.ToLower(a[0]) {
	case "ulfm", "mpi", "mpi-ft", "yes", "true", "1":
		l.recovery, value = true, "1"
	case "none", "no", "false", "0":
		l.recovery, value = false, "0"
	default:
		return fmt.Errorf("%q is neither \"ulfm\" nor \"none\"", a[0])
	}
	return l.globalEnv.set([]string{"GOMPI_RECOVERY", value})
}

// unlimited is the size of a universe that nobody knows.
const unlimited = -1

func (l *commandLine) setUniverse(a []string) error {
	switch strings.ToLower(a[0]) {
	case "system":
		l.universe = 0
		return nil
	case "infinite":
		l.universe = unlimited
		return nil
	}
	n, err := strconv.Atoi(a[0])
	if err != nil || n < 1 {
		return fmt.Errorf(`%q is neither a number of processes nor "system" nor "infinite"`, a[0])
	}
	l.universe = n
	return nil
}

// setErrhandler and setMemoryKinds are of the standard's portable options (MPI 5.0, 11.5); the library finds
// their values among its settings.
func (l *commandLine) setErrhandler(a []string) error {
	switch v := strings.ToLower(a[0]); v {
	case "mpi_errors_are_fatal", "mpi_errors_abort", "mpi_errors_return":
		return l.globalEnv.set([]string{"GOMPI_INITIAL_ERRHANDLER", v})
	}
	return fmt.Errorf("%q is no predefined error handler", a[0])
}

// pretendNodes has the ranks believe that they are on several machines; the library finds it among its
// settings.
func (l *commandLine) pretendNodes(a []string) error {
	if _, err := tool.ParseNodes(a[0]); err != nil {
		return err
	}
	return l.globalEnv.set([]string{"GOMPI_PRETEND_NODES", a[0]})
}

func (l *commandLine) setMemoryKinds(a []string) error {
	return l.globalEnv.set([]string{"GOMPI_MEMORY_ALLOC_KINDS", a[0]})
}

// setSoft and setPath are of the standard's portable options, too.
func (l *commandLine) setSoft(a []string) error {
	l.current.soft, l.current.touched = a[0], true
	_, err := launch.SoftRanks(a[0], mostRanks)
	return err
}

func (l *commandLine) setPath(a []string) error {
	l.current.path, l.current.touched = a[0], true
	return nil
}
