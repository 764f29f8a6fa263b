package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	root    string // the top of the source tree
	gompi   string // the folder with gompi's bin/
	base    string // the same of another state of gompi, "" for none
	alone   bool   // without MPICH and Open MPI
	out     string // where the report goes, "" for the usual place
	charts  string // where all charts go, with a page of their own; "" for beside the report
	only    string // names of benchmarks, separated by commas
	quick   bool
	list    bool
	report  bool // write the report of earlier results again
	install bool
	rounds  int           // 0 for as many as the time allows
	time    time.Duration // for all, when rounds is 0
	started time.Time
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opt, err := parseOptions(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	case opt.list:
		for _, b := range allBenchmarks(plan{quick: opt.quick}) {
			fmt.Fprintf(stdout, "%-16s %-14s %s\n", b.name, b.group, b.title)
		}
		return 0
	}
	if opt.report {
		if err := writeReport(opt); err != nil {
			fmt.Fprintln(stderr, "bench:", err)
			return 2
		}
		tellPages(stdout, opt)
		return 0
	}
	measured, err := measureAll(ctx, opt, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	kept, left := measured.worthKeeping()
	for _, r := range kept {
		writeTables(stdout, r, coloured(stdout))
	}
	for _, r := range left {
		fmt.Fprintf(stdout, "not kept, because benchmarks are missing: what was measured on %s\n", r.machine.kind())
	}
	if err := saveResults(opt, kept); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	tellPages(stdout, opt)
	if measured.failed("gompi") {
		return 1
	}
	return 0
}

// tellPages says where the report has gone.
func tellPages(out io.Writer, opt options) {
	fmt.Fprintf(out, "report: %s\n", filepath.Join(opt.folder(), reportName))
	if opt.charts != "" {
		fmt.Fprintf(out, "with all charts: %s\n", filepath.Join(opt.charts, reportName))
	}
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	var opt options
	flags := flag.NewFlagSet("driver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&opt.root, "root", ".", "top `folder` of the source tree")
	flags.StringVar(&opt.gompi, "gompi", "", "`folder` whose bin/ holds gompi's mpicc and mpiexec (default build)")
	flags.StringVar(&opt.base, "base", "", "`folder` whose bin/ holds another state of gompi to compare with")
	flags.BoolVar(&opt.alone, "alone", os.Getenv("PEERS") == "0", "do without MPICH and Open MPI; also PEERS=0")
	flags.StringVar(&opt.out, "out", "", "`folder` for the report (default docs/reports/performance, or build/bench for a part)")
	flags.StringVar(&opt.charts, "charts", "", "`folder` for all charts and a page with them, out of the report's own (default build/bench/performance, or none for a part)")
	flags.StringVar(&opt.only, "only", os.Getenv("ONLY"), "comma-separated `names` of benchmarks or groups, see -list; also ONLY=")
	flags.BoolVar(&opt.quick, "quick", os.Getenv("QUICK") != "", "fewer sizes and rounds; also QUICK=1")
	flags.BoolVar(&opt.list, "list", false, "list the benchmarks")
	flags.BoolVar(&opt.report, "report", false, "measure nothing, write the report of the result files again")
	flags.BoolVar(&opt.install, "install", true, "install missing peers through apt where that needs no password")
	flags.IntVar(&opt.rounds, "rounds", 0, "`number` of rounds, however long they take, instead of as many as fit")
	flags.DurationVar(&opt.time, "time", 0, "`time` for all (default 14m, or 75s with -quick)")
	if err := flags.Parse(args); err != nil {
		return opt, err
	}
	if flags.NArg() > 0 {
		return opt, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if opt.rounds < 0 {
		return opt, fmt.Errorf("-rounds is %d, it cannot be negative", opt.rounds)
	}
	if opt.time < 0 {
		return opt, fmt.Errorf("-time is %v, it cannot be negative", opt.time)
	}
	if opt.time == 0 {
		opt.time = 14 * time.Minute
		if opt.quick {
			opt.time = 75 * time.Second
		}
	}
	opt.started = time.Now()
	if opt.gompi == "" {
		opt.gompi = filepath.Join(opt.root, "build")
	}
	if opt.charts == "" && opt.out == "" && !opt.part() {
		opt.charts = filepath.Join(opt.root, "build", "bench", "performance")
	}
	return opt, nil
}

// part says that not all was measured beside all, so that nothing in docs may be overwritten.
func (opt options) part() bool {
	return opt.quick || opt.only != "" || opt.base != "" || opt.alone
}

// folder keeps the report of whole runs in docs.
func (opt options) folder() string {
	switch {
	case opt.out != "":
		return opt.out
	case opt.part():
		return filepath.Join(opt.root, "build", "bench")
	}
	return filepath.Join(opt.root, "docs", "reports", "performance")
}

// saveResults writes the results and the report: of a whole run, and in a folder that was named, beside the
// results of other kinds of processors; of a part by itself.
func saveResults(opt options, kept []*results) error {
	var files []string
	for _, r := range kept {
		file := filepath.Join(opt.folder(), r.machine.fileName()+".json")
		if err := writeJSON(file, r); err != nil {
			return err
		}
		files = append(files, file)
	}
	if opt.part() && opt.out == "" {
		return writeReport(opt, files...)
	}
	return writeReport(opt)
}

// mostRounds is enough for any quartile.
const mostRounds = 15

// chooseBenchmarks keeps those whose names or groups `only` lists; all if it is
// empty.
func chooseBenchmarks(all []benchmark, only string) ([]benchmark, error) {
	if strings.TrimSpace(only) == "" {
		return slices.DeleteFunc(slices.Clone(all), func(b benchmark) bool { return b.apart }), nil
	}
	var chosen []benchmark
	for name := range strings.SplitSeq(only, ",") {
		name = strings.TrimSpace(name)
		found := false
		for _, b := range all {
			if b.name == name || b.group == name && !b.apart {
				chosen = append(chosen, b)
				found = true
			}
		}
		if !found {
			var names []string
			for _, b := range all {
				names = append(names, b.name)
			}
			return nil, fmt.Errorf("there is no benchmark %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	return chosen, nil
}
