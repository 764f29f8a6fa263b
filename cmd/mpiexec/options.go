package main

// option is one command-line option. Any number of dashes may precede it, and "-name=value" is the same as
// "-name value". Letters of either case mean the same, unless the table has both.
type option struct {
	names  []string
	args   int // how many arguments follow; pair for one or two
	apply  func(l *commandLine, args []string) error
	refuse string // why it cannot be given; empty for those that can
	usage  string // for the manual; empty for what is not shown there
	help   string
}

// pair says that an option takes NAME=VALUE, or NAME and VALUE as two arguments.
const pair = -1

// op is an option that does something.
func op(names []string, args int, apply func(l *commandLine, args []string) error, usage,
	help string) option {
	return option{names: names, args: args, apply: apply, usage: usage, help: help}
}

// working are the options that do something here, in the order of the manual.
func working() []option {
	return []option{
		op([]string{"n", "np", "c"}, 1, (*commandLine).setRanks, "-n N", "start N ranks of the program that follows (default: one per usable core)"),
		op([]string{"wdir", "wd", "cwd"}, 1, (*commandLine).setDir, "-wdir DIR", "run in this directory"),
		op([]string{"env"}, pair, (*commandLine).setEnv, "-env NAME VALUE", "set an environment variable for this program"),
		op([]string{"genv"}, pair, (*commandLine).setGlobalEnv, "-genv NAME VALUE", "set an environment variable for all programs"),
		op([]string{"x"}, 1, (*commandLine).exportEnv, "-x NAME[=VALUE]", "set it, or pass it on, for all programs"),
		op([]string{"envlist"}, 1, (*commandLine).listEnv, "-envlist A,B", "pass on these variables only (also -genvlist)"),
		op([]string{"envnone"}, 0, (*commandLine).noEnv, "-envnone", "pass on none (also -genvnone)"),
		op([]string{"envall"}, 0, (*commandLine).allEnv, "", ""),
		op([]string{"genvlist"}, 1, (*commandLine).listGlobalEnv, "", ""),
		op([]string{"genvnone"}, 0, (*commandLine).noGlobalEnv, "", ""),
		op([]string{"genvall"}, 0, (*commandLine).allGlobalEnv, "", ""),
		op([]string{"l", "prepend-rank"}, 0, (*commandLine).labelRank, "-l", "begin each line of output with [rank]"),
		op([]string{"tag-output"}, 0, (*commandLine).labelTag, "--tag-output", "begin it with [rank]<stdout> or [rank]<stderr>"),
		op([]string{"prepend-pattern"}, 1, (*commandLine).labelPattern, "-prepend-pattern P", "begin it with P, where %r is the rank"),
		op([]string{"outfile-pattern", "outfile"}, 1, (*commandLine).setOutFile, "-outfile-pattern P", "write standard output to files named P, %r being the rank"),
		op([]string{"errfile-pattern", "errfile"}, 1, (*commandLine).setErrFile, "-errfile-pattern P", "the same for standard error"),
		op([]string{"output-filename"}, 1, (*commandLine).setBothFiles, "--output-filename P", "write the output of rank R to P.R"),
		op([]string{"merge-stderr-to-stdout"}, 0, (*commandLine).mergeStderr, "--merge-stderr-to-stdout", "send standard error to standard output"),
		op([]string{"stdin", "s"}, 1, (*commandLine).setStdin, "--stdin R|none", "which rank reads standard input (default: rank 0)"),
		op([]string{"timeout"}, 1, (*commandLine).setTimeout, "--timeout SECONDS", "end the job after that time, with exit code 124"),
		op([]string{"report-hang"}, 1, (*commandLine).setReportHang, "--report-hang SECONDS", "when all ranks have waited that long, say what for and why (default 10; 0: never)"),
		op([]string{"report-format"}, 1, (*commandLine).setReportFormat, "--report-format F", "in text, or in json on one line"),
		op([]string{"attach"}, 1, (*commandLine).setAttach, "--attach PID", "say what the ranks of the mpiexec with that process id wait for, and end"),
		op([]string{"gdb"}, 0, (*commandLine).setGDB, "--gdb", "run all ranks in gdb, with one prompt for all or some of them (z 0,2)"),
		op([]string{"debug"}, 1, (*commandLine).setDebug, "--debug RANKS", "run these ranks in gdb, such as 0,2-3"),
		op([]string{"watch"}, 0, func(l *commandLine, _ []string) error { l.watch = true; return nil }, "--watch", "show what the ranks do while they run, below their output (gompi-top shows jobs that run)"),
		op([]string{"trace"}, 1, (*commandLine).setTrace, "--trace FILE", "write the calls and messages of all ranks to FILE, for Perfetto and gompi-info --trace"),
		op([]string{"trace-limit"}, 1, (*commandLine).setTraceLimit, "--trace-limit MIB", "keep the latest calls of each rank in so much memory (default 32)"),
		op([]string{"configfile", "app"}, 1, (*commandLine).readConfig, "-configfile FILE", "read programs and their options from FILE, one per line"),
		op([]string{"enable-recovery", "disable-auto-cleanup"}, 0, (*commandLine).enableRecovery, "--enable-recovery", "let the other ranks go on when one dies (also --with-ft ulfm, -disable-auto-cleanup)"),
		op([]string{"survivors-decide"}, 0, func(l *commandLine,
			_ []string) error {
			l.survivorsDecide = true
			return l.enableRecovery(nil)
		}, "--survivors-decide", "the same, and the exit code is that of the ranks that live to the end"),
		op([]string{"with-ft"}, 1, (*commandLine).setRecovery, "", ""),
		op([]string{"usize"}, 1, (*commandLine).setUniverse, "-usize N", "MPI_UNIVERSE_SIZE (default: processors, or ranks if more), or \"infinite\""),
		op([]string{"pretend-nodes"}, 1, (*commandLine).pretendNodes, "--pretend-nodes P", "for tests: as if on several machines: 2x2, 3+1, 2x2:cyclic"),
		op([]string{"initial-errhandler"}, 1, (*commandLine).setErrhandler, "-initial-errhandler H", "mpi_errors_are_fatal (default), mpi_errors_abort or mpi_errors_return"),
		op([]string{"memory-alloc-kinds"}, 1, (*commandLine).setMemoryKinds, "-memory-alloc-kinds L", "kinds of memory that the programs ask for"),
		op([]string{"h", "help"}, 0, func(l *commandLine, _ []string) error { l.help = true; return nil }, "-h, --help", "show this"),
		op([]string{"version", "V", "info"}, 0, func(l *commandLine,
			_ []string) error {
			l.version = true
			return nil
		}, "--version", "show the version"),
		op([]string{"host", "hosts", "H"}, 1, (*commandLine).setHosts, "-hosts A,B:4", "run on these hosts, which are reached by ssh; a number is of slots"),
		op([]string{"hostfile", "machinefile", "f", "default-hostfile"}, 1, (*commandLine).setHostFile, "-hostfile FILE", "the same from a file: \"node7\", \"node7:4\" or \"node7 slots=4\" on each line"),
		op([]string{"rankfile", "rf"}, 1, (*commandLine).setRankFile, "--rankfile FILE", "the host of each rank: \"rank 0=node7 slot=0-3\", the slot being its processors"),
		op([]string{"bynode"}, 0, (*commandLine).setByNode, "", ""),
		op([]string{"launcher-exec", "bootstrap-exec"}, 1, (*commandLine).setStarter, "--launcher-exec CMD", "reach other hosts by CMD HOST COMMAND in place of ssh"),
		op([]string{"push"}, 0, func(l *commandLine,
			_ []string) error {
			l.push = true
			return nil
		}, "--push", "send hosts what they do not have: the program, and gompi"),
		op([]string{"ppn", "perhost", "npernode", "N", "grr"}, 1, (*commandLine).setPerNode, "-ppn N", "ranks of each host"),
		op([]string{"pernode", "rr"}, 0, (*commandLine).oneOnEachNode, "", ""),
		op([]string{"npersocket"}, 1, (*commandLine).setPerSocket, "", ""),
		op([]string{"map-by"}, 1, (*commandLine).setMapping, "--map-by KIND", "deal ranks out in turns to node, socket, numa or l3cache; or ppr:N:node and so on"),
		op([]string{"bind-to", "binding"}, 1, func(l *commandLine,
			a []string) error {
			return l.binding.bindTo(a[0])
		}, "--bind-to KIND", "bind ranks to hwthread, core, l3cache, socket, numa (default: none)"),
		op([]string{"bind-to-none"}, 0, boundTo("none"), "", ""),
		op([]string{"bind-to-core"}, 0, boundTo("core"), "", ""),
		op([]string{"bind-to-socket"}, 0, boundTo("socket"), "", ""),
		op([]string{"bind-to-board"}, 0, boundTo("board"), "", ""),
		op([]string{"bind-to-hwthread"}, 0, boundTo("hwthread"), "", ""),
		op([]string{"bysocket"}, 0, func(l *commandLine,
			_ []string) error {
			return l.setMapping([]string{"socket"})
		}, "", ""),
		op([]string{"cpus-per-rank", "cpus-per-proc"}, 1, func(l *commandLine,
			a []string) error {
			return l.binding.perRank(a[0])
		}, "--cpus-per-rank N", "bind each rank to N cores"),
		op([]string{"cpu-list", "cpu-set", "slot-list"}, 1, func(l *commandLine,
			a []string) error {
			return l.binding.list(a[0])
		}, "--cpu-list L", "use these processors only, such as 0,2-3"),
		op([]string{"nooversubscribe", "no-oversubscribe"}, 0,
			func(l *commandLine, _ []string) error { l.strict = true; return nil }, "--nooversubscribe", "refuse more ranks than there are slots, or usable cores"),
		op([]string{"report-bindings"}, 0, func(l *commandLine,
			_ []string) error {
			l.showBindings = true
			return nil
		}, "--report-bindings", "show what each rank is bound to"),
		op([]string{"display-map", "display-devel-map"}, 0, func(l *commandLine,
			_ []string) error {
			l.showMap = true
			return nil
		}, "--display-map", "show which ranks there are (also --display map)"),
		op([]string{"display-allocation"}, 0, func(l *commandLine,
			_ []string) error {
			l.showAllocation = true
			return nil
		}, "", ""),
		op([]string{"display"}, 1, (*commandLine).setDisplay, "", ""),
		op([]string{"do-not-launch"}, 0, func(l *commandLine, _ []string) error { l.dryRun = true; return nil }, "--do-not-launch", "find the programs, show what is to be shown, and start nothing"),
		op([]string{"timestamp-output"}, 0, func(l *commandLine,
			_ []string) error {
			l.timestamps = true
			return nil
		}, "--timestamp-output", "begin each line of output with the time"),
		op([]string{"output"}, 1, (*commandLine).setOutput, "", ""),
		op([]string{"print-all-exitcodes"}, 0, func(l *commandLine,
			_ []string) error {
			l.exitCodes = true
			return nil
		}, "-print-all-exitcodes", "show the exit codes of all ranks at the end"),
		op([]string{"report-child-jobs-separately"}, 0, func(l *commandLine,
			_ []string) error {
			l.primaryOnly = true
			return nil
		}, "", ""),
		op([]string{"report-pid"}, 1, (*commandLine).setReportPid, "", ""),
		op([]string{"runtime-options", "rtos"}, 1, (*commandLine).setRuntime, "", ""),
		op([]string{"soft"}, 1, (*commandLine).setSoft, "-soft LIST", "start as many ranks as the list allows, at most N of -n: 1:8:2"),
		op([]string{"path"}, 1, (*commandLine).setPath, "-path DIRS", "look for the program there first"),
		op([]string{"arch"}, 1, (*commandLine).setArchitecture, "", ""),
	}
}

// harmless are options of other launchers that ask for what happens here anyway, or for what one machine has
// no use for. They are accepted with their arguments, and nothing is said.
func harmless() []option {
	return []option{
		{names: []string{
			"allow-run-as-root", "oversubscribe", "overload-allowed", "use-hwthread-cpus", "use-hwthreads-as-cpus", "bycore", "byslot",
			"novm", "q", "quiet", "v", "verbose", "enable-auto-cleanup", "disable-hostname-propagation", "enable-x", "disable-x",
			"order-nodes-ascending", "pmi-port", "disable-recovery", "show-progress", "debug-daemons", "leave-session-attached",
			"do-not-resolve", "noprefix",
		}},
		{args: 1, names: []string{
			"rank-by", "rankmap", "order-nodes", "launcher", "bootstrap", "rmk", "iface", "nameserver",
			"topolib", "demux", "prefix", "output-from", "ompi-server", "server-wait-time", "max-vm-size", "personality", "preload-files",
			"stream-buffering", "pmi-version", "tune", "am", "control-port", "port-range", "debug-level", "dvm", "dvm-uri", "hnp",
		}},
		{args: 2, names: []string{"mca", "gmca", "omca", "gomca", "pmixmca", "gpmixmca", "prtemca", "pmca", "tool-mca"}},
	}
}

// boundTo is the older form of --bind-to.
func boundTo(kind string) func(*commandLine, []string) error {
	return func(l *commandLine, _ []string) error { return l.binding.bindTo(kind) }
}
