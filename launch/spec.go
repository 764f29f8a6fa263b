package launch

import (
	"time"

	"gompi/launch/host"
	"gompi/launch/process"
)

// Spec says what to run and how. The zero value of every field but Apps is usable. Output is labelled by
// rank: "3" is a rank of the job's own programs, "2.3" one of the second world that its ranks have spawned.
type Spec struct {
	Name string        // what messages to the user begin with
	Apps []process.App // programs, in rank order
	// the rank that reads the launcher's standard input, -1 for none
	StdinRank int
	// text ahead of each line of output of a rank on a host; nil for none
	Label func(rank, host string, stderr bool) string
	// file for a rank's output, "" to relay it; nil for none
	OutputFile  func(rank, host string, stderr bool) string
	MergeStderr bool          // standard error of the ranks goes to standard output
	Timeout     time.Duration // the job may last this long; 0 for ever
	// for how long all ranks have to wait before the user is told what for; 0 for never
	ReportHang time.Duration
	ReportJSON bool // the user is a program
	// each line of output begins with the time, as ctime(3) writes it, ahead of the label
	Timestamps bool
	// processors of the n-th process that the job starts here; nil when they go where the kernel wants
	Binding func(n int) []int
	Cores   int // processors that the ranks share, if they are bound
	// processors of a rank, ahead of Binding; nil for none
	Processors func(rank int) []int
	// hosts by their names; none when all ranks are started here. A name of this machine stands for it, and
	// all others are reached by Remote.
	Hosts []string
	Place []int // index in Hosts for each rank
	host.Remote
	// which ranks run in debuggers, to which standard input and output lead; nil for none
	Debug    func(rank int) bool
	Recovery bool // the job goes on when a rank dies
	// where it does, ranks that have died do not matter for the exit code as long as one lives to the end
	SurvivorsDecide bool
	// a line at the end tells the exit codes of the job's own ranks
	ExitCodes bool
	// failures of spawned programs do not matter for the exit code
	PrimaryOnly bool
	// MPI_UNIVERSE_SIZE; 0 for the number of ranks, -1 for none
	UniverseSize int
}

// Size is the number of ranks of the job.
func (s *Spec) Size() int {
	n := 0
	for i := range s.Apps {
		n += s.Apps[i].Ranks
	}
	return n
}
