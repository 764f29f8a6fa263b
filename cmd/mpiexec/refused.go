package main

import (
	"fmt"
	"os"
	"strings"

	"gompi/launch/process"
)

// refused are options of other launchers that promise something that does not happen here. Whoever gives
// one is told so: a job that runs without it is not what was asked for.
func refused() []option {
	var all []option
	for _, r := range []struct {
		why   string
		names []string
	}{
		{"start the debugger itself, which finds the ranks: totalview mpiexec -a -n 4 ./prog, ddt mpiexec -n 4 ./prog",
			[]string{"tv", "debugger", "ddt"}},
		{"no terminals are opened; --gdb debugs all ranks in this one, and mpiexec -n 4 xterm -e gdb ./prog each in its own",
			[]string{"xterm"}},
		{"hosts are chosen by -hosts and -hostfile", []string{"nolocal", "no-local", "skip-launch-node"}},
		{"a rank that has died is not started again", []string{"max-restarts"}},
		{"there is no output in XML", []string{"xml", "xml-file"}},
		{"stacks are not shown; --timeout alone works", []string{"get-stack-traces", "report-state-on-timeout"}},
		{"the parts of the machine are not shown; lstopo of the hwloc package does that", []string{"display-topo"}},
		{"memory is not bound; numactl does that", []string{"membind"}},
		{"GPUs are not dealt out to ranks", []string{"gpus-per-proc", "gpu-subdevs-per-proc"}},
		{"there are no checkpoints", []string{"ckpoint-interval", "ckpoint-prefix", "ckpoint-num", "ckpointlib"}},
		{"there is no server to talk to: the job is its own", []string{"report-uri", "report-events"}},
		{"programs are described by -configfile", []string{"file"}},
	} {
		all = append(all, option{names: r.names, refuse: r.why})
	}
	return all
}

// setArchitecture accepts the name of this machine's.
func (l *commandLine) setArchitecture(a []string) error {
	if own := process.Architecture(); !strings.EqualFold(a[0], own) {
		return fmt.Errorf("%q is not this machine's, which is %q", a[0], own)
	}
	return nil
}

// setReportPid writes the process id of the launcher to standard output (-), standard error (+) or a file.
func (l *commandLine) setReportPid(a []string) error {
	text := fmt.Sprintln(os.Getpid())
	switch a[0] {
	case "-":
		_, err := os.Stdout.WriteString(text)
		return err
	case "+":
		_, err := os.Stderr.WriteString(text)
		return err
	}
	return os.WriteFile(a[0], []byte(text), 0o644)
}

// setOutput reads Open MPI 5's words on output: "tag,timestamp,merge,file=NAME".
func (l *commandLine) setOutput(a []string) error {
	for _, word := range strings.Split(a[0], ",") {
		name, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(name) {
		case "tag", "tag-detailed", "tag-fullname":
			_ = l.labelTag(nil)
		case "rank":
			_ = l.labelRank(nil)
		case "timestamp":
			l.timestamps = true
		case "merge", "merge-stderr-to-stdout":
			l.merge = true
		case "file":
			file, _, _ := strings.Cut(value, ":")
			if err := l.setBothFiles([]string{file}); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%q is none of tag, rank, timestamp, merge, file=NAME", word)
		}
	}
	return nil
}

// setDisplay reads Open MPI 5's words on what to show: "map,bind,allocation".
func (l *commandLine) setDisplay(a []string) error {
	for _, word := range strings.Split(a[0], ",") {
		name, _, _ := strings.Cut(word, ":")
		switch strings.ToLower(name) {
		case "map", "map-devel":
			l.showMap = true
		case "bind", "bindings":
			l.showBindings = true
		case "allocation", "alloc":
			l.showAllocation = true
		default:
			return fmt.Errorf("%q is none of map, bind, allocation", word)
		}
	}
	return nil
}

// setRuntime reads Open MPI 5's words on how the job runs.
func (l *commandLine) setRuntime(a []string) error {
	for _, word := range strings.Split(a[0], ",") {
		name, value, _ := strings.Cut(strings.ToLower(word), "=")
		switch {
		case name == "donotlaunch" || name == "do-not-launch":
			l.dryRun = true
		case name == "recoverable" || name == "continuous":
			if value != "false" && value != "0" {
				if err := l.setRecovery([]string{"ulfm"}); err != nil {
					return err
				}
			}
		case name == "max-restarts":
			if value != "0" {
				return fmt.Errorf("%q: a rank that has died is not started again", word)
			}
		case name == "report-child-jobs-separately":
			l.primaryOnly = value != "false"
		case name == "abort-nonzero-exit" || name == "error-nonzero-status":
			if value == "false" || value == "0" {
				return fmt.Errorf("%q: a rank that fails ends the job", word)
			}
		default:
			return fmt.Errorf("%q is not known", word)
		}
	}
	return nil
}
