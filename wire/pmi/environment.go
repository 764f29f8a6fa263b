package pmi

import (
	"slices"
	"strings"
)

// Variables of the environment by which a launcher tells a rank its place. Those without prefix GOMPI_ are of
// the protocol or, the two of the node, of MPICH's launcher.
const (
	EnvFD        = "PMI_FD"          // descriptor of the socket of this protocol
	EnvRank      = "PMI_RANK"        // in the world of those that were started together
	EnvSize      = "PMI_SIZE"        // number of ranks of that world
	EnvPort      = "PMI_PORT"        // host:port instead of a descriptor
	EnvID        = "PMI_ID"          // by which a rank names itself at that port
	EnvSpawned   = "PMI_SPAWNED"     // not 0 where MPI_Comm_spawn has started the rank
	EnvJob       = "PMI_JOBID"       // name of the job
	EnvNodeSize  = "MPI_LOCALNRANKS" // number of ranks of the world on this node
	EnvNodeRank  = "MPI_LOCALRANKID" // number of the rank among them
	EnvSegment   = "GOMPI_SEGMENT_FD"
	EnvApp       = "GOMPI_APPNUM"        // MPI_APPNUM (MPI 5.0, 11.10.3)
	EnvUniverse  = "GOMPI_UNIVERSE_SIZE" // MPI_UNIVERSE_SIZE (MPI 5.0, 11.10.1)
	EnvLauncher  = "GOMPI_LAUNCHER"      // process number of gompi's launcher
	EnvCores     = "GOMPI_CORES"         // processors of a rank that is bound to them
	EnvNodeCores = "GOMPI_NODE_CORES"    // processors of the ranks of this node together
	EnvAddress   = "GOMPI_ADDRESS"       // by which the launcher reaches this machine
	EnvWorld     = "GOMPI_WORLD"         // number of a spawned world, for traces
	EnvParent    = ParentKey             // port of those who have spawned the world
)

// Environment returns the names of all of them.
func Environment() []string {
	return []string{EnvFD, EnvRank, EnvSize, EnvPort, EnvID, EnvSpawned, EnvJob, EnvNodeSize, EnvNodeRank,
		EnvSegment, EnvApp, EnvUniverse, EnvLauncher, EnvCores, EnvNodeCores, EnvAddress, EnvWorld, EnvParent}
}

// WithoutStartup returns an environment (NAME=value) without these variables, which hold for one process.
func WithoutStartup(env []string) []string {
	names := Environment()
	out := make([]string, 0, len(env))
	for _, e := range env {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains(names, name) {
			out = append(out, e)
		}
	}
	return out
}
