// Gompi-top shows what the ranks of a running job do: which compute and which wait, for whom and since when,
// how much they send, and what they use of processors and memory. "gompi-top -h" is its manual.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"gompi/launch/ask"
	"gompi/launch/live"
	"gompi/launch/process"

	"golang.org/x/term"
)

// version is set when the command is built.
var version = "unknown"

const manual = `usage: gompi-top [option...] [job]

Shows what the ranks of a running job do, for as long as it runs. The job is named by the process id of its
mpiexec or by a word of its command line; without a name it is the only one that you have running here.

  -d SECONDS   look that often, and tell what has been done in that time (default 1)
  --once       print one table, and end
  --json       the same in JSON, with the rates as numbers
  --lines      print the lines of code that the ranks are at, and end
  --version    print the version

Keys: h what the ranks wait for and why, l the lines of code that they are at, s sort, p pause, q quit.
`

func main() { os.Exit(run(os.Args, os.Stdout, os.Stderr)) }

// options are those of the command line.
type options struct {
	every        time.Duration
	once, inJSON bool
	lines        bool
	follows      bool // a command follows, to be run and looked at
	inline       bool // the table stands below the output of the job
}

func run(args []string, out, errs io.Writer) int {
	name := filepath.Base(args[0])
	fail := func(err error) int {
		fmt.Fprintf(errs, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var o options
	every := flags.Float64("d", 1, "")
	flags.BoolVar(&o.once, "once", false, "")
	flags.BoolVar(&o.inJSON, "json", false, "")
	flags.BoolVar(&o.lines, "lines", false, "")
	flags.BoolVar(&o.follows, "run", false, "")
	shown := flags.Bool("version", false, "")
	switch err := flags.Parse(args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(out, manual)
		return 0
	case err != nil:
		return fail(err)
	case *shown:
		fmt.Fprintf(out, "%s (gompi) %s\n", name, version)
		return 0
	case *every < leastInterval || *every > mostInterval:
		return fail(fmt.Errorf("option -d: %g is not a number of seconds from %g to %g", *every, leastInterval, mostInterval))
	}
	o.every = time.Duration(*every * float64(time.Second))
	if o.follows {
		return watch(name, flags.Args(), o)
	}
	if flags.NArg() > 1 {
		return fail(fmt.Errorf("one job at a time: %q", flags.Args()))
	}
	j, err := find(flags.Arg(0))
	if err != nil {
		return fail(err)
	}
	if o.lines {
		var text []byte
		if text, err = ask.Ask(j.pid, ask.Lines); err == nil {
			_, err = out.Write(text)
		}
	} else if o.once || o.inJSON {
		err = once(j, o, out)
	} else if f, ok := out.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		err = errors.New("standard output is no terminal; --once prints one table, --json the same for programs")
	} else {
		err = look(j, o)
	}
	if err != nil {
		return fail(err)
	}
	return 0
}

// Seconds between two looks.
const leastInterval, mostInterval = 0.1, 3600.0

// sample is what the ranks of a job do just now.
func sample(pid int) (*live.Sample, error) {
	text, err := ask.Ask(pid, ask.Sample)
	if err != nil {
		return nil, err
	}
	s := new(live.Sample)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("mpiexec (pid %d) is of another gompi: %w", pid, err)
	}
	return s, nil
}

// once prints what the ranks have done in the time of one look.
func once(j job, o options, out io.Writer) error {
	before, err := sample(j.pid)
	if err != nil {
		return err
	}
	time.Sleep(o.every)
	now, err := sample(j.pid)
	if err != nil {
		return err
	}
	t := live.Between(before, now)
	if o.inJSON {
		return json.NewEncoder(out).Encode(t)
	}
	for _, line := range t.Lines(0) {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}
