// Command mpiexec starts the ranks of an MPI job, here and on other hosts, connects them, and ends when they
// have. It is also installed as mpirun. "mpiexec -h" is its manual.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gompi/launch"
	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/runtime/tool"
)

// version is the version of gompi; the build may set it with -ldflags "-X main.version=...".
var version = "0.1.0"

// The ranks live as long as the thread that started them, so main stays on the process's first thread.
func init() { runtime.LockOSThread() }

func main() { os.Exit(run(os.Args)) }

func run(args []string) int {
	name := filepath.Base(args[0])
	if len(args) > 1 && args[1] == attachWord {
		return attach(name, len(args) > 2)
	}
	if len(args) > 1 && args[1] == host.ProxyWord {
		folder := ""
		if len(args) > 2 {
			folder = args[2]
		}
		return launch.Proxy(name, version, folder, bindHere)
	}
	watched := len(args) > 1 && args[1] == watchedWord
	if watched {
		args = args[1:]
	}
	line, err := parse(args[1:])
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	case line.help:
		var manual strings.Builder
		printHelp(&manual, name)
		return tell(name, manual.String())
	case line.watch && !watched:
		return becomeTop(name, args[1:])
	case line.hang.attach != 0:
		return line.hang.ask(name)
	case line.version:
		return tell(name, fmt.Sprintf("%s (gompi) %s\n", name, version))
	}
	spec, err := line.spec(name)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	for i := range spec.Apps {
		if wrong, meant := tool.Misspelt(spec.Apps[i].Env); wrong != "" {
			fmt.Fprintf(os.Stderr, "%s: environment variable %s means nothing; did you mean %s?\n", name, wrong, meant)
			break
		}
	}
	if err := line.show(spec); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	if err := line.trace.possible(spec, line); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	if line.dryRun {
		return launch.Check(spec)
	}
	if argv := line.bySrun(spec); argv != nil {
		err := becomeSrun(argv, spec.Apps[0].Env)
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	if line.trace.file != "" {
		return line.trace.run(spec)
	}
	return launch.Run(spec)
}

// tell writes what the user has asked for.
func tell(name, text string) int {
	if _, err := os.Stdout.WriteString(text); err != nil {
		fmt.Fprintf(os.Stderr, "%s: standard output: %v\n", name, errors.Unwrap(err))
		return process.ExitSetup
	}
	return 0
}

// attachWord is the argument by which a process that runs already asks for a launcher, see boot.AttachWord.
const attachWord = "--gompi-attach"

// attach serves such a process.
func attach(name string, detached bool) int {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	return launch.Attach(&launch.Spec{
		Name: name, StdinRank: -1, UniverseSize: process.UsableCores(),
		Apps: []process.App{{Ranks: 1, Dir: dir, Env: os.Environ()}},
	}, detached)
}
