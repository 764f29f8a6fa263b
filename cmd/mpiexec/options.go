package main

// option is one command-line option. Any number of dashes may precede it, and "-name=value" is the same as
// "-name value". Letters of either case mean the same, unless the table has both.
type option struct {
	names []string
	args  int // how many arguments follow; pair for one or two
	apply func(l *commandLine, args []string) error
	usage string // for the manual; empty for what is not shown there
	help  string
}

// pair says that an option takes NAME=VALUE, or NAME and VALUE as two arguments.
const pair = -1

// working are the options that do something here, in the order of the manual.
func working() []option {
	return []option{
		{[]string{"n", "np", "c"}, 1, (*commandLine).setRanks, "-n N", "start N ranks of the program that follows (default: one per usable core)"},
		{[]string{"wdir", "wd", "cwd"}, 1, (*commandLine).setDir, "-wdir DIR", "run in this directory"},
		{[]string{"env"}, pair, (*commandLine).setEnv, "-env NAME VALUE", "set an environment variable for this program"},
		{[]string{"genv"}, pair, (*commandLine).setGlobalEnv, "-genv NAME VALUE", "set an environment variable for all programs"},
		{[]string{"x"}, 1, (*commandLine).exportEnv, "-x NAME[=VALUE]", "set it, or pass it on, for all programs"},
		{[]string{"envlist"}, 1, (*commandLine).listEnv, "-envlist A,B", "pass on these variables only (also -genvlist)"},
		{[]string{"envnone"}, 0, (*commandLine).noEnv, "-envnone", "pass on none (also -genvnone)"},
		{[]string{"envall"}, 0, (*commandLine).allEnv, "", ""},
		{[]string{"genvlist"}, 1, (*commandLine).listGlobalEnv, "", ""},
		{[]string{"genvnone"}, 0, (*commandLine).noGlobalEnv, "", ""},
		{[]string{"genvall"}, 0, (*commandLine).allGlobalEnv, "", ""},
		{[]string{"l", "prepend-rank"}, 0, (*commandLine).labelRank, "-l", "begin each line of output with [rank]"},
		{[]string{"tag-output"}, 0, (*commandLine).labelTag, "--tag-output", "begin it with [rank]<stdout> or [rank]<stderr>"},
		{[]string{"prepend-pattern"}, 1, (*commandLine).labelPattern, "-prepend-pattern P", "begin it with P, where %r is the rank"},
		{[]string{"outfile-pattern", "outfile"}, 1, (*commandLine).setOutFile, "-outfile-pattern P", "write standard output to files named P, %r being the rank"},
		{[]string{"errfile-pattern", "errfile"}, 1, (*commandLine).setErrFile, "-errfile-pattern P", "the same for standard error"},
		{[]string{"output-filename"}, 1, (*commandLine).setBothFiles, "--output-filename P", "write the output of rank R to P.R"},
		{[]string{"merge-stderr-to-stdout"}, 0, (*commandLine).mergeStderr, "--merge-stderr-to-stdout", "send standard error to standard output"},
		{[]string{"stdin", "s"}, 1, (*commandLine).setStdin, "--stdin R|none", "which rank reads standard input (default: rank 0)"},
		{[]string{"timeout"}, 1, (*commandLine).setTimeout, "--timeout SECONDS", "end the job after that time, with exit code 124"},
		{[]string{"configfile", "app"}, 1, (*commandLine).readConfig, "-configfile FILE", "read programs and their options from FILE, one per line"},
		{[]string{"usize"}, 1, (*commandLine).setUniverse, "-usize N", "MPI_UNIVERSE_SIZE (default: processors, or ranks if more), or \"infinite\""},
		{[]string{"pretend-nodes"}, 1, (*commandLine).pretendNodes, "--pretend-nodes P", "for tests: as if on several machines: 2x2, 3+1, 2x2:cyclic"},
		{[]string{"initial-errhandler"}, 1, (*commandLine).setErrhandler, "-initial-errhandler H", "mpi_errors_are_fatal (default), mpi_errors_abort or mpi_errors_return"},
		{[]string{"memory-alloc-kinds"}, 1, (*commandLine).setMemoryKinds, "-memory-alloc-kinds L", "kinds of memory that the programs ask for"},
		{[]string{"h", "help"}, 0, func(l *commandLine, _ []string) error { l.help = true; return nil }, "-h, --help", "show this"},
		{[]string{"version", "V", "info"}, 0, func(l *commandLine, _ []string) error { l.version = true; return nil }, "--version", "show the version"},
		{[]string{"host", "hosts", "H"}, 1, (*commandLine).setHosts, "", ""},
		{[]string{"hostfile", "machinefile", "f", "default-hostfile"}, 1, (*commandLine).setHostFile, "", ""},
		{[]string{"ppn", "perhost", "npernode", "N", "grr"}, 1, (*commandLine).setPerNode, "-ppn N", "ranks of each machine, which is all when there is no -n"},
		{[]string{"pernode", "rr"}, 0, (*commandLine).oneOnEachNode, "", ""},
		{[]string{"map-by"}, 1, (*commandLine).setMapping, "", ""},
	}
}

// harmless are options of other launchers that ask for what happens here anyway, or for what one machine has no use
// for. They are accepted with their arguments, and nothing is said.
func harmless() []option {
	return []option{
		{names: []string{
			"allow-run-as-root", "oversubscribe", "nooversubscribe", "no-oversubscribe", "overload-allowed", "use-hwthread-cpus",
			"use-hwthreads-as-cpus", "bind-to-none", "bind-to-core", "bind-to-socket", "bind-to-board", "bycore", "bynode", "byslot", "bysocket",
			"bind-to-hwthread", "report-bindings", "display-map", "display-allocation", "display-devel-map", "display-topo", "do-not-launch",
			"nolocal", "novm", "no-local", "q", "quiet", "v", "verbose", "timestamp-output", "print-all-exitcodes",
			"disable-auto-cleanup", "enable-auto-cleanup", "disable-hostname-propagation", "enable-x", "disable-x", "order-nodes-ascending",
			"skip-launch-node", "pmi-port", "xml", "enable-recovery", "disable-recovery", "abort-on-error", "report-child-jobs-separately",
			"get-stack-traces", "show-progress", "continuous", "debug-daemons", "leave-session-attached", "do-not-resolve", "tune-all",
			"mpmd", "noprefix", "report-state-on-timeout", "debugger-dont-launch", "dont-report-bindings", "iface-none", "local",
		}},
		{args: 1, names: []string{
			"npersocket", "rank-by", "bind-to", "binding", "membind", "rankmap", "order-nodes",
			"launcher", "bootstrap", "launcher-exec", "bootstrap-exec", "rmk", "iface", "nameserver", "gpus-per-proc", "gpu-subdevs-per-proc", "ckpoint-interval",
			"ckpoint-prefix", "ckpoint-num", "ckpointlib", "topolib", "demux", "prefix", "path", "cpu-set", "cpu-list", "slot-list", "cpus-per-proc", "cpus-per-rank",
			"output-from", "output", "display", "report-events", "report-pid", "report-uri", "ompi-server", "server-wait-time", "max-restarts",
			"max-vm-size", "personality", "preload-files", "rankfile", "rf", "stream-buffering", "tv", "runtime-options", "pmi-version",
			"tune", "am", "xterm", "num-proc", "control-port", "port-range", "debug-level", "soft", "arch", "file", "dvm", "dvm-uri", "hnp",
		}},
		{args: 2, names: []string{"mca", "gmca", "omca", "gomca", "pmixmca", "gpmixmca", "prtemca", "pmca", "tool-mca"}},
	}
}
