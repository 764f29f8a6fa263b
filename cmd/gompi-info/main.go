// Gompi-info shows which gompi this is, what can be set and what can be watched. It reads nothing but the
// environment.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// version is set when the command is built.
var version = "unknown"

const usage = `usage: gompi-info [option...] [name...]

Shows the version, the settings with their values here, and the variables and events of MPI_T.
With names, all that is known of those settings, variables and events.

  --version    the version alone
  --settings   the settings alone
  --counters   the performance variables alone
  --events     the events alone
  --measure    how quickly messages go between two processes here, by each way
  --collectives [RANKS]
               the algorithms of collective operations here, by operation, place and size; for as many ranks on
               a node as there are cores unless a number is given
  --choices    what the library decides by itself, what it goes by, and what pins it
  --fabric     the networks that are here, and which one ranks of different nodes use
  --fabric A B tests two hosts against each other: each byte of messages between them, and how long they take
  --job PID    what the ranks of the mpiexec with that process id wait for
  --trace FILE what mpiexec --trace FILE has recorded: time in MPI, who waited for whom, sizes of messages
  --html OUT   with --trace, the same with charts, in a page that goes to the file OUT
  --json       the same in JSON, but for --measure, --collectives, --fabric and --trace
  --help       this text
`

func main() {
	if len(os.Args) > 1 && os.Args[1] == rankArgument {
		if err := measureRank(os.Stdout, os.Args[2:]...); err != nil {
			fmt.Fprintf(os.Stderr, "gompi-info: %v\n", err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) > 3 && os.Args[1] == betweenArgument {
		if err := betweenRank(os.Args[2:], os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "gompi-info: %v\n", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}

// run is the command; its result is the exit code.
func run(args []string, out, problems io.Writer, getenv func(string) string) int {
	flags := flag.NewFlagSet("gompi-info", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	measured := flags.Bool("measure", false, "")
	chosen := flags.Bool("collectives", false, "")
	decided := flags.Bool("choices", false, "")
	networked := flags.Bool("fabric", false, "")
	job := flags.Int("job", 0, "")
	traced := flags.String("trace", "", "")
	html := flags.String("html", "", "")
	justVersion := flags.Bool("version", false, "")
	inJSON := flags.Bool("json", false, "")
	var only parts
	flags.BoolVar(&only.settings, "settings", false, "")
	flags.BoolVar(&only.counters, "counters", false, "")
	flags.BoolVar(&only.events, "events", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		_, _ = io.WriteString(out, usage)
		return 0
	case err != nil:
		fmt.Fprintf(problems, "gompi-info: %v\n%s", err, usage)
		return 2
	}
	var err error
	switch {
	case *measured:
		err = measure(out, problems)
	case *chosen:
		err = algorithms(flags.Args(), out, problems, getenv)
	case *networked && flags.NArg() > 0:
		err = between(flags.Args(), out, problems)
	case *networked:
		err = networks(out, getenv)
	case *traced != "" || *html != "":
		err = picture(*traced, *html, out)
	case *job != 0:
		err = waits(*job, *inJSON, out)
	case *decided && *inJSON:
		err = encode(choices(getenv), out)
	case *decided:
		err = writeChoices(choices(getenv), out)
	default:
		all, wrong := gather(getenv)
		if *justVersion {
			_, err = fmt.Fprintln(out, all.Version)
		} else {
			err = show(all, only, flags.Args(), *inJSON, out)
		}
		err = errors.Join(err, wrong)
	}
	if err != nil {
		fmt.Fprintf(problems, "gompi-info: %v\n", err)
		return 1
	}
	return 0
}

// show writes what there is: the parts that are asked for, or what has one of the names.
func show(all *inventory, only parts, names []string, inJSON bool, out io.Writer) error {
	shown := all.pick(only)
	if len(names) > 0 {
		var err error
		if shown, err = all.named(names); err != nil {
			return err
		}
	}
	switch {
	case inJSON:
		return encode(shown, out)
	case len(names) > 0:
		return shown.details(out)
	}
	return shown.page(out, only == parts{})
}

// encode writes JSON.
func encode(what any, out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(what)
}
