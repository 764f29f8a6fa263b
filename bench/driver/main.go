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
	only    string // names of benchmarks, separated by commas
	quick   bool
	list    bool
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
	results, err := measureAll(ctx, opt, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	writeTables(stdout, results, coloured(stdout))
	if err := writeReport(reportFolder(opt), results); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	fmt.Fprintf(stdout, "report: %s\n", filepath.Join(reportFolder(opt), reportName))
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
	flags.StringVar(&opt.base, "base", "", "`folder` whose bin/ holds another state of gompi to compare with")
	flags.BoolVar(&opt.alone, "alone", os.Getenv("PEERS") == "0", "do without MPICH and Open MPI; also PEERS=0")
	flags.StringVar(&opt.out, "out", "", "`folder` for the report (default docs, or build/bench for a part)")
	flags.StringVar(&opt.only, "only", os.Getenv("ONLY"), "comma-separated `names` of benchmarks or groups, see -list; also ONLY=")
	flags.BoolVar(&opt.quick, "quick", os.Getenv("QUICK") != "", "fewer sizes and rounds; also QUICK=1")
	flags.BoolVar(&opt.list, "list", false, "list the benchmarks")
	flags.BoolVar(&opt.install, "install", true, "install missing peers through apt where that needs no password")
	flags.IntVar(&opt.rounds, "rounds", 0, "`number` of rounds, however long they take, instead of as many as fit")
	flags.DurationVar(&opt.time, "time", 0, "`time` for all (default 9m, or 75s with -quick)")
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
		opt.time = 9 * time.Minute
		if opt.quick {
			opt.time = 75 * time.Second
		}
	}
	opt.started = time.Now()
	if opt.gompi == "" {
		opt.gompi = filepath.Join(opt.root, "build")
	}
	return opt, nil
}

// reportFolder keeps the report in docs for whole runs: a part, or a quick
// look, does not overwrite it.
func reportFolder(opt options) string {
	switch {
	case opt.out != "":
		return opt.out
	case opt.quick || opt.only != "" || opt.base != "":
		return filepath.Join(opt.root, "build", "bench")
	}
	return filepath.Join(opt.root, "docs")
}

// measureAll finds the MPI libraries, builds the programs and measures.
func measureAll(ctx context.Context, opt options, progress io.Writer) (*results, error) {
	build := filepath.Join(opt.root, "build", "bench", "programs")
	benchmarks, err := chooseBenchmarks(allBenchmarks(plan{quick: opt.quick,
		file: filepath.Join(build, "io.data")}), opt.only)
	if err != nil {
		return nil, err
	}
	mpis := findMPIs(ctx, opt, progress)
	if len(mpis) == 0 {
		return nil, errors.New("there is no MPI to measure")
	}
	if mpis = buildPrograms(ctx, mpis, filepath.Join(opt.root, "bench", "c"), build, progress); len(mpis) == 0 {
		return nil, errors.New("no MPI could compile the benchmarks")
	}
	begin := time.Now()
	r := &results{
		machine: describeMachine(ctx, opt.root),
		date:    begin,
		quick:   opt.quick,
		mpis:    mpis,
	}
	m := &meter{
		mpis:     mpis,
		programs: build,
		patience: 30 * time.Second,
		limit:    time.Minute,
		progress: progress,
		spent:    map[string]time.Duration{},
		left:     map[string]bool{},
		failed:   map[string]bool{},
	}
	if opt.rounds == 0 {
		m.end = opt.started.Add(opt.time)
	}
	for _, b := range benchmarks {
		r.tables = append(r.tables, newTable(b))
	}
	measureRounds(ctx, opt, m, r)
	r.duration = time.Since(opt.started)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	return r, nil
}

// measureRounds goes through all tables again and again, until the rounds are
// done or the time is up. Whatever the machine does for a while then hits a part
// of each benchmark's samples, and no benchmark alone.
func measureRounds(ctx context.Context, opt options, m *meter, r *results) {
	raw := buildRaw(ctx, opt.root, m.progress)
	for round := 0; !m.over(ctx); round++ {
		if (opt.rounds > 0 && round == opt.rounds) || (opt.quick && opt.rounds == 0 && round == 1) ||
			round == mostRounds {
			break
		}
		fmt.Fprintf(m.progress, "round %d, %.0f s\n", round+1, time.Since(opt.started).Seconds())
		r.rounds++
		if raw != "" {
			if limits, ok := measureRaw(ctx, raw); ok {
				r.raw = append(r.raw, limits)
			}
		}
		for _, t := range r.inOrder() {
			turns := t.turns
			if opt.rounds > 0 || opt.quick {
				turns = 1
			}
			if !m.over(ctx) {
				m.round(ctx, t, round == 0, turns)
			}
		}
	}
}

// inOrder are the tables as they are measured: those with a target first, lest
// there be no time for them.
func (r *results) inOrder() []*table {
	var first, others []*table
	for _, t := range r.tables {
		if slices.ContainsFunc(targets, func(g target) bool { return g.benchmark == t.name }) {
			first = append(first, t)
		} else {
			others = append(others, t)
		}
	}
	return append(first, others...)
}

// mostRounds is enough for any quartile.
const mostRounds = 15

// chooseBenchmarks keeps those whose names or groups `only` lists; all if it is
// empty.
func chooseBenchmarks(all []benchmark, only string) ([]benchmark, error) {
	if strings.TrimSpace(only) == "" {
		return all, nil
	}
	var chosen []benchmark
	for name := range strings.SplitSeq(only, ",") {
		name = strings.TrimSpace(name)
		found := false
		for _, b := range all {
			if b.name == name || b.group == name {
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
