// Package process is what the launcher needs of the system: it finds programs and starts processes, finds out
// how they have ended and what they do. It knows neither jobs nor MPI.
package process

// App is one program of a job, with its share of the ranks.
type App struct {
	Argv  []string // program and its arguments
	Ranks int      // how many processes to start, at least 1
	Path  string   // folders where the program is looked for ahead of PATH, separated by colons
	Dir   string   // working directory; empty for the launcher's
	File  string   // to run, where it has been found already; "" to look for it
	Env   []string // environment as NAME=value; the variables of the start-up protocol are added
	Apart bool     // its ranks have process groups of their own, which keys of the terminal do not reach
}

// Exit codes that the launcher itself decides.
const (
	ExitSetup       = 1   // the job could not be set up
	ExitTimeout     = 124 // the time limit was reached
	ExitNotRunnable = 126 // the program exists but cannot be run
	ExitNotFound    = 127 // there is no such program
	ExitSignal      = 128 // plus the number of the signal
)
