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
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	root    string // the top of the source tree
	gompi   string // the folder with gompi's bin/
	out     string // where the report goes, "" for the usual place
	only    string // names of benchmarks, separated by commas
	quick   bool
	list    bool
	install bool
	rounds  int // 0 for each benchmark's own
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
		for _, b := range allBenchmarks(opt.quick) {
			fmt.Fprintf(stdout, "%-10s %s\n", b.name, b.title)
		}
		return 0
	}
	results, err := measureAll(ctx, opt, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	writeTables(stdout, results)
	if err := writeReport(reportFolder(opt), results); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	fmt.Fprintf(stdout, "report: %s\n", filepath.Join(reportFolder(opt), "README.md"))
	if results.failed("gompi") {
		return 1
	}
	return 0
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	var opt options
	flags := flag.NewFlagSet("driver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&opt.root, "root", ".", "top `folder` of the source tree")
	flags.StringVar(&opt.gompi, "gompi", "", "`folder` whose bin/ holds gompi's mpicc and mpiexec (default build)")
	flags.StringVar(&opt.out, "out", "", "`folder` for the report (default docs/bench, or build/bench for a part)")
	flags.StringVar(&opt.only, "only", os.Getenv("ONLY"), "comma-separated `names` of benchmarks, see -list; also ONLY=")
	flags.BoolVar(&opt.quick, "quick", os.Getenv("QUICK") != "", "fewer sizes and rounds; also QUICK=1")
	flags.BoolVar(&opt.list, "list", false, "list the benchmarks")
	flags.BoolVar(&opt.install, "install", true, "install missing peers through apt where that needs no password")
	flags.IntVar(&opt.rounds, "rounds", 0, "`number` of rounds instead of each benchmark's own")
	if err := flags.Parse(args); err != nil {
		return opt, err
	}
	if flags.NArg() > 0 {
		return opt, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if opt.rounds < 0 {
		return opt, fmt.Errorf("-rounds is %d, it cannot be negative", opt.rounds)
	}
	if opt.gompi == "" {
		opt.gompi = filepath.Join(opt.root, "build")
	}
	return opt, nil
}

// reportFolder keeps the report in docs/bench for whole runs: a part, or a quick
// look, does not overwrite it.
func reportFolder(opt options) string {
	switch {
	case opt.out != "":
		return opt.out
	case opt.quick || opt.only != "":
		return filepath.Join(opt.root, "build", "bench")
	}
	return filepath.Join(opt.root, "docs", "bench")
}

// measureAll finds the MPI libraries, builds the programs and measures.
func measureAll(ctx context.Context, opt options, progress io.Writer) (*results, error) {
	benchmarks, err := chooseBenchmarks(allBenchmarks(opt.quick), opt.only)
	if err != nil {
		return nil, err
	}
	mpis := findMPIs(ctx, opt, progress)
	if len(mpis) == 0 {
		return nil, errors.New("there is no MPI to measure")
	}
	build := filepath.Join(opt.root, "build", "bench", "programs")
	if mpis = buildPrograms(ctx, mpis, filepath.Join(opt.root, "bench", "c"), build, progress); len(mpis) == 0 {
		return nil, errors.New("no MPI could compile the benchmarks")
	}
	results := &results{
		machine: describeMachine(ctx, opt.root),
		date:    time.Now(),
		quick:   opt.quick,
		mpis:    mpis,
	}
	m := meter{
		mpis:     mpis,
		programs: build,
		rounds:   opt.rounds,
		patience: time.Minute,
		limit:    3 * time.Minute,
		progress: progress,
	}
	if opt.quick {
		m.patience, m.limit = 15*time.Second, time.Minute
	}
	for _, b := range benchmarks {
		results.tables = append(results.tables, m.measure(ctx, b))
		if ctx.Err() != nil {
			return nil, errors.New("interrupted")
		}
	}
	return results, nil
}

// chooseBenchmarks keeps those whose names `only` lists; all if it is empty.
func chooseBenchmarks(all []benchmark, only string) ([]benchmark, error) {
	if strings.TrimSpace(only) == "" {
		return all, nil
	}
	var chosen []benchmark
	for name := range strings.SplitSeq(only, ",") {
		name = strings.TrimSpace(name)
		found := false
		for _, b := range all {
			if b.name == name {
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
