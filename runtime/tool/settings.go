// Package tool is what a user can set and see of the library: its settings, each with one environment
// variable, and (MPI_T, MPI 5.0, chapter 15) its counters. It knows their names and meaning, not what they
// act on.
package tool

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Settings are the values in force for one process. The zero value means the default everywhere.
type Settings struct {
	Eager         int    // GOMPI_EAGER
	CopyTimeout   int    // GOMPI_COPY_TIMEOUT, in microseconds
	CopyChunk     int    // GOMPI_COPY_CHUNK
	SendArea      int    // GOMPI_SEND_AREA, 0 for what suits the caches, -1 for none
	Rendezvous    int    // GOMPI_RENDEZVOUS: one of the protocols below, 0 for the quickest here
	Spin          int    // GOMPI_SPIN
	NoSingleCopy  bool   // GOMPI_SINGLE_COPY=0
	NoSharedColl  bool   // GOMPI_SHARED_COLLECTIVES=0
	CollCopy      int    // GOMPI_COLLECTIVE_COPY: one of the ways below, 0 for the quickest here
	Collectives   Pins   // GOMPI_COLLECTIVES
	NoFastPath    bool   // GOMPI_FAST_PATH=0
	FastPathSeed  uint32 // GOMPI_FAST_PATH=random:SEED, 0 for none
	Assisted      bool   // GOMPI_PROGRESS_THREAD=1
	Connect       int    // GOMPI_CONNECT_TIMEOUT, in seconds
	Check         Check  // GOMPI_CHECK
	TracePath     bool   // GOMPI_TRACE=path
	Fabric        string // GOMPI_FABRIC
	FabricAddress string // GOMPI_FABRIC_ADDRESS
	Libfabric     string // GOMPI_LIBFABRIC
	PretendNodes  string // GOMPI_PRETEND_NODES, as ParseNodes reads it
	Errhandler    string // GOMPI_INITIAL_ERRHANDLER, one of the names below or ""
	MemoryKinds   string // GOMPI_MEMORY_ALLOC_KINDS
	LibPMIx       string // GOMPI_LIBPMIX
	Recovery      bool   // GOMPI_RECOVERY=1
	Heartbeat     int    // GOMPI_HEARTBEAT_TIMEOUT, in seconds; of the launcher
	Fanout        int    // GOMPI_LAUNCH_FANOUT; of the launcher
}

// Names of error handlers, as MPI 5.0, 11.5 has them.
const (
	ErrorsAreFatal = "mpi_errors_are_fatal"
	ErrorsAbort    = "mpi_errors_abort"
	ErrorsReturn   = "mpi_errors_return"
)

// DefaultEager is the size in bytes up to which a message travels with its header, at most the largest
// payload of one packet.
const DefaultEager = 64 << 10

// How a receiver takes part in the copy of a large message when the sender's pieces do not come: after how
// many microseconds, and how many bytes at a time. Where ranks share processors the sender often has none,
// and CrowdedCopyTimeout is the default.
const (
	DefaultCopyTimeout = 20
	CrowdedCopyTimeout = 5
	DefaultCopyChunk   = 64 << 10
)

// Protocols of long messages, which are announced first.
const (
	RendezvousRead     = iota + 1 // the receiver copies all by the kernel
	RendezvousPipeline            // pieces go through shared memory
	RendezvousBoth                // sender and receiver copy parts by the kernel
	RendezvousNetwork             // pieces go in packets; the only one between nodes, and no setting
)

var protocols = []string{"auto", "read", "pipeline", "both"}

// Ways in which long data of blocking collective operations goes within a node.
const (
	CollCopyShared = iota + 1 // through shared memory, copied in and out
	CollCopySingle            // read out of its owner's memory by the kernel
)

var wayNames = []string{"auto", "shared", "single"}

// oneOf is the number of a value among names.
func oneOf(v string, names []string) (int, error) {
	i := slices.Index(names, strings.ToLower(v))
	if i < 0 {
		return 0, fmt.Errorf("one of %s is wanted", strings.Join(names, ", "))
	}
	return i, nil
}

// DefaultConnect is for how many seconds MPI_Comm_connect waits for the other side.
const DefaultConnect = 180

// DefaultHeartbeat is for how many seconds launcher and hosts may hear nothing of each other.
const DefaultHeartbeat = 10

// DefaultFanout is how many hosts the launcher reaches itself, and each host behind it.
const DefaultFanout = 32

// Setting describes one of them.
type Setting struct {
	Env     string // name of the environment variable
	Default string
	Unit    string
	Help    string // at most 25 words; docs/tuning.md says more
	set     func(s *Settings, value string) error
	Alias   string // an older name of the variable, which holds where the other is not set; or ""
}

// Value is the text of the setting in an environment, given as a function like os.Getenv; "" when it is not
// set. name is the variable that it stands in.
func (d *Setting) Value(getenv func(string) string) (name, value string) {
	if value = getenv(d.Env); value == "" && d.Alias != "" {
		return d.Alias, getenv(d.Alias)
	}
	return d.Env, value
}

// Named reports whether name is that of the setting, the older one or not.
func (d *Setting) Named(name string) bool {
	return name == d.Env || d.Alias != "" && name == d.Alias
}

// All lists the settings.
func All() []Setting {
	return []Setting{
		{"GOMPI_EAGER", strconv.Itoa(DefaultEager), "bytes", "largest message that is sent together with its header; larger ones are announced, and fetched by the receiver",
			func(s *Settings, v string) (err error) { s.Eager, err = number(v, 1<<30); return }, ""},
		{"GOMPI_COPY_TIMEOUT", "by cores", "microseconds", "how long the receiver of a large message waits for the sender's part of the copy before it copies some itself",
			func(s *Settings, v string) (err error) { s.CopyTimeout, err = number(v, 1<<20); return }, "GOMPI_COPY_PATIENCE"},
		{"GOMPI_COPY_CHUNK", strconv.Itoa(DefaultCopyChunk), "bytes", "how much the receiver copies at a time then",
			func(s *Settings, v string) (err error) { s.CopyChunk, err = number(v, 1<<30); return }, "GOMPI_COPY_BITE"},
		{"GOMPI_SEND_AREA", "by caches", "bytes", "how much shared memory long messages go through, for all peers together, up to 4194304; 0 for none",
			func(s *Settings, v string) (err error) { return s.sendArea(v) }, ""},
		{"GOMPI_RENDEZVOUS", "auto", "auto, read, pipeline or both", "how a message that was announced is copied: by the receiver alone, through shared memory, or by both sides; auto measures",
			func(s *Settings, v string) (err error) { s.Rendezvous, err = oneOf(v, protocols); return }, ""},
		{"GOMPI_SPIN", "by cores", "polls", "how often a waiting rank looks for messages before it lets others run or sleeps",
			func(s *Settings, v string) (err error) { s.Spin, err = number(v, 1<<30); return }, ""},
		{"GOMPI_SINGLE_COPY", "1", "0 or 1", "copy large messages straight from the sender's memory where the kernel allows it",
			func(s *Settings, v string) (err error) { s.NoSingleCopy, err = off(v); return }, ""},
		{"GOMPI_SHARED_COLLECTIVES", "1", "0 or 1", "do small collectives through shared memory instead of messages",
			func(s *Settings, v string) (err error) { s.NoSharedColl, err = off(v); return }, ""},
		{"GOMPI_COLLECTIVE_COPY", "auto", "auto, shared or single", "how long blocks go in blocking collective operations within a node: through shared memory, or by one copy of the kernel; auto measures",
			func(s *Settings, v string) (err error) { s.CollCopy, err = oneOf(v, wayNames); return }, ""},
		{"GOMPI_COLLECTIVES", "auto", "list", "algorithms of collective operations, the same on all ranks, such as allreduce=halving,bcast=steps; gompi-info --collectives lists them",
			func(s *Settings, v string) (err error) { s.Collectives, err = readPins(v); return }, ""},
		{"GOMPI_FAST_PATH", "1", "0, 1 or random:SEED", "carry out what is small and frequent without a call into Go; random:SEED does so for some calls, for testing",
			func(s *Settings, v string) error { return s.fastPath(v) }, ""},
		{"GOMPI_PROGRESS_THREAD", "0", "0 or 1", "carry on nonblocking operations while the program computes, on a thread that sleeps when there are none",
			func(s *Settings, v string) error {
				no, err := off(v)
				s.Assisted = !no && err == nil
				return err
			}, ""},
		{"GOMPI_CONNECT_TIMEOUT", strconv.Itoa(DefaultConnect), "seconds", "how long MPI_Comm_connect waits for the other side if the hint timeout does not say it",
			func(s *Settings, v string) (err error) { s.Connect, err = number(v, 1<<30); return }, ""},
		{"GOMPI_CHECK", "none", strings.Join(checkNames(), ", "), "defects of the program to look for, separated by commas",
			func(s *Settings, v string) (err error) { s.Check, err = readChecks(v); return }, ""},
		{"GOMPI_TRACE", "none", "path", "what to print when MPI ends: path counts the calls that the fast path has not carried out, by reason",
			func(s *Settings, v string) (err error) { s.TracePath, err = traced(v); return }, ""},
		{"GOMPI_FABRIC", "best", "name", "provider of libfabric by which ranks of different nodes talk, or builtin for TCP without libfabric; gompi-info --fabric lists them",
			func(s *Settings, v string) error { s.Fabric = v; return nil }, ""},
		{"GOMPI_FABRIC_ADDRESS", "by launcher", "address", "address of the interface that ranks use on this node; by default the one by which the launcher has reached it",
			func(s *Settings, v string) error { s.FabricAddress = v; return nil }, ""},
		{"GOMPI_LIBFABRIC", "libfabric.so.1", "file", "the libfabric that is opened",
			func(s *Settings, v string) error { s.Libfabric = v; return nil }, ""},
		{"GOMPI_PRETEND_NODES", "none", "pattern", "for testing: ranks share memory only with those of their pretended node; 2x2 stands for two nodes of two ranks",
			func(s *Settings, v string) error {
				s.PretendNodes = v
				_, err := ParseNodes(v)
				return err
			}, ""},
		{"GOMPI_INITIAL_ERRHANDLER", ErrorsAreFatal, "name", "error handler in force before MPI_Init and, at first, of MPI_COMM_WORLD and MPI_COMM_SELF",
			func(s *Settings, v string) (err error) { s.Errhandler, err = errhandler(v); return }, ""},
		{"GOMPI_MEMORY_ALLOC_KINDS", "none", "list", "kinds of memory that the program asks for, such as mpi:alloc_mem; MPI_Comm_get_info tells those that it gets",
			func(s *Settings, v string) error { s.MemoryKinds = v; return nil }, ""},
		{"GOMPI_HEARTBEAT_TIMEOUT", strconv.Itoa(DefaultHeartbeat), "seconds", "how long mpiexec and another host of its job may hear nothing of each other before the job is ended",
			func(s *Settings, v string) (err error) { s.Heartbeat, err = number(v, 1<<20); return }, ""},
		{"GOMPI_LAUNCH_FANOUT", strconv.Itoa(DefaultFanout), "hosts", "how many hosts mpiexec reaches itself; those beyond are reached by way of these, with as many behind each",
			func(s *Settings, v string) (err error) { s.Fanout, err = number(v, 1<<20); return }, ""},
		{"GOMPI_RECOVERY", "0", "0 or 1", "let the other ranks go on when one dies, as mpiexec --enable-recovery does, under launchers that do not end the job",
			func(s *Settings, v string) error {
				no, err := off(v)
				s.Recovery = !no && err == nil
				return err
			}, ""},
		{"GOMPI_LIBPMIX", "libpmix.so.2", "file", "library of PMIx by which programs join a job that srun --mpi=pmix or Open MPI's mpiexec has started",
			func(s *Settings, v string) error { s.LibPMIx = v; return nil }, ""},
	}
}

// Read takes the settings from an environment, given as a function like os.Getenv. An error names the
// variable, its value and what would have been right.
func Read(getenv func(string) string) (Settings, error) {
	var s Settings
	for _, d := range All() {
		name, v := d.Value(getenv)
		if v == "" {
			continue
		}
		if err := d.set(&s, v); err != nil {
			return s, fmt.Errorf("%s=%q: %w", name, v, err)
		}
	}
	return s, nil
}

func number(v string, most int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("a number from 1 to %d is wanted", most)
	}
	return n, nil
}

func off(v string) (bool, error) {
	switch strings.ToLower(v) {
	case "0", "no", "off", "false":
		return true, nil
	case "1", "yes", "on", "true":
		return false, nil
	}
	return false, fmt.Errorf("0 or 1 is wanted")
}

// sendArea reads how large areas are.
func (s *Settings) sendArea(v string) (err error) {
	if s.SendArea = -1; v != "0" {
		s.SendArea, err = number(v, 4<<20)
	}
	return err
}

// fastPath reads which calls may take the fast path.
func (s *Settings) fastPath(v string) (err error) {
	seed, random := strings.CutPrefix(v, "random:")
	if !random {
		s.NoFastPath, err = off(v)
		return err
	}
	n, err := strconv.ParseUint(seed, 10, 32)
	if err != nil || n == 0 {
		return fmt.Errorf("random: is followed by a number from 1 to %d", uint32(1<<32-1))
	}
	s.FastPathSeed = uint32(n)
	return nil
}

func traced(v string) (bool, error) {
	switch v {
	case "path":
		return true, nil
	case "none", "0":
		return false, nil
	}
	return false, fmt.Errorf("path or none is wanted")
}

func errhandler(v string) (string, error) {
	v = strings.ToLower(v)
	switch v {
	case ErrorsAreFatal, ErrorsAbort, ErrorsReturn:
		return v, nil
	}
	return "", fmt.Errorf("%s, %s or %s is wanted", ErrorsAreFatal, ErrorsAbort, ErrorsReturn)
}
