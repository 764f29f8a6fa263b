package state

// Gauges of a rank, by their index in its list of them (shm.ShowGauges). Some things are counted in two
// places: by the fast engine and by package p2p.
const (
	Operations     = iota // calls that do more than to ask in vain, and what has come for them
	FastMessages          // messages sent by the fast engine
	FastBytes             // their bytes
	EagerMessages         // messages that package p2p has sent with their header
	EagerBytes            // their bytes
	LongMessages          // messages that were announced
	LongBytes             // their bytes
	FastWaited            // ns that calls have waited in the fast engine
	Waited                // ns that they have waited in package p2p
	FastSleeps            // how often they have slept there
	Sleeps                // how often they have slept here
	NumberOfGauges        // how many there are
)

// Counts is what a rank has done since it began MPI.
type Counts struct {
	Operations uint64 // calls that do more than to ask in vain, and what has come for them
	Messages   uint64 // sent by calls of point-to-point, and by the library for others
	Bytes      uint64 // of these
	Waited     uint64 // ns in calls that waited for others, but for the sleep that goes on
	Sleeps     uint64 // how often a wait has gone to sleep
}

// CountsOf puts the gauges together.
func CountsOf(g []uint64) Counts {
	if len(g) < NumberOfGauges {
		return Counts{}
	}
	return Counts{
		Operations: g[Operations],
		Messages:   g[FastMessages] + g[EagerMessages] + g[LongMessages],
		Bytes:      g[FastBytes] + g[EagerBytes] + g[LongBytes],
		Waited:     g[FastWaited] + g[Waited],
		Sleeps:     g[FastSleeps] + g[Sleeps],
	}
}
