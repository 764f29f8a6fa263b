package world

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"gompi/launch/host"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// Node is a set of ranks of one world that share a memory segment: those on one host.
type Node struct {
	Host    *host.Host
	Segment *shm.Segment // nil on another host
	ID      string       // of the segment, in hexadecimal digits, on another host
	Ready   bool         // all its ranks have been started
	Size    int
}

// Link is the way to the proxy that serves the node; nil for a node of this process.
func (n *Node) Link() *host.Link {
	if n == nil || n.Host == nil {
		return nil
	}
	return n.Host.Link
}

// Rank is one process of the job.
type Rank struct {
	Number   int // in its world
	App      int // MPI_APPNUM
	World    *World
	Node     *Node
	NodeRank int
	Conn     *conn
	Out, Err *output.Stream // nil where the process has the launcher's own descriptor
	Pid      int
	Pidfd    int
	// a process below the rank that speaks for it, behind a wrapper script; 0 when there is none
	Inner     int
	Innerfd   int    // its pidfd
	Begun     bool   // has begun MPI
	Polls     bool   // has asked for something in vain between the last looks at its sleep
	Asks      uint32 // how often by the last one
	Quiet     int    // for how many looks it has not
	Finalized bool   // has ended MPI since
	Guest     bool   // started itself, and the launcher after it: no child of ours
	Met       bool   // of a spawned world: has connected to those who asked for it
	Links     map[*World]bool
	Exited    bool
	Aborting  bool      // has asked for the end of the job
	Rests     bool      // is at the end of MPI and has not used the network
	Failed    bool      // it has failed, and its world goes on
	Bound     bool      // to processors of its own
	Stdin     bool      // it reads the launcher's standard input
	Debug     bool      // it runs in a debugger
	commands  *commands // for that; nil when it is on another host, or there is none
	// Files for its standard output and error, "" where they are relayed
	Files  [2]string
	Cpus   []int  // that it is bound to, nil where the binding of the job says it
	Memory string // of a rank on another host: what explains the signal that has ended it
	Kept   bool   // it has ended and is not reaped yet, so that no other process gets its number
	Status unix.WaitStatus
}

// Alive reports whether the process has not been waited for yet.
func (r *Rank) Alive() bool { return r.Pid > 0 && !r.Exited }

// Child reports whether the process is a living child of this one.
func (r *Rank) Child() bool { return r.Alive() && !r.Guest && !r.Away() }

// Away reports whether the rank is on another host.
func (r *Rank) Away() bool { return r.Node.Link() != nil }

// Where is what messages call its process.
func (r *Rank) Where() string {
	if r.HostName() != "" {
		return fmt.Sprintf("pid %d on %s", r.Pid, r.Node.Host.Name)
	}
	return fmt.Sprintf("pid %d", r.Pid)
}

// String is what messages call the rank.
func (r *Rank) String() string {
	if r.World.ID > 0 {
		return fmt.Sprintf("rank %d of spawned job %d", r.Number, r.World.ID)
	}
	return fmt.Sprintf("rank %d", r.Number)
}

// Label is what labels of output and names of files call it.
func (r *Rank) Label() string {
	if r.World.ID > 0 {
		return fmt.Sprintf("%d.%d", r.World.ID, r.Number)
	}
	return strconv.Itoa(r.Number)
}

// Hold has an output of a rank on another host be read no more, or again.
func (r *Rank) Hold(isErr, on bool) {
	kind := host.FrameResume
	if on {
		kind = host.FrameHold
	}
	r.Node.Link().Send(r.OutputFrame(kind, isErr, nil))
}

// streams are its relayed outputs.
func (r *Rank) streams(yield func(*output.Stream) bool) {
	for _, s := range [...]*output.Stream{r.Out, r.Err} {
		if s != nil && !yield(s) {
			return
		}
	}
}

// InMPI reports whether the rank has begun MPI and not ended it.
func (r *Rank) InMPI() bool { return r.Begun && !r.Finalized }

// Descriptors as the ranks see them.
const (
	RankPMI     = 3
	RankSegment = 4
)

// Environment is a rank's environment: the program's own plus what the start-up protocol needs.
// cores is how many processors the ranks share that are bound, nodeCores how many those of the node share.
func (r *Rank) Environment(base []string, cores, nodeCores int) []string {
	number := strconv.Itoa
	own := []string{
		pmi.EnvFD + "=" + number(RankPMI),
		pmi.EnvRank + "=" + number(r.Number),
		pmi.EnvSize + "=" + number(r.World.Size()),
		pmi.EnvNodeSize + "=" + number(r.Node.Size),
		pmi.EnvNodeRank + "=" + number(r.NodeRank),
		pmi.EnvLauncher + "=" + number(os.Getpid()),
		pmi.EnvSegment + "=" + number(RankSegment),
		pmi.EnvApp + "=" + number(r.App),
		pmi.EnvUniverse + "=" + number(r.World.Universe),
		pmi.EnvNodeCores + "=" + number(nodeCores),
	}
	if r.Bound {
		own = append(own, pmi.EnvCores+"="+number(cores))
	}
	if r.World.Spawned {
		own = append(own, pmi.EnvSpawned+"=1", pmi.EnvWorld+"="+number(r.World.ID)) // for traces
	}
	if h := r.Node.Host; h != nil && h.Address != "" {
		own = append(own, pmi.EnvAddress+"="+h.Address)
	}
	if r.World.Port != "" {
		own = append(own, pmi.EnvParent+"="+r.World.Port)
	}
	return append(append(make([]string, 0, len(base)+len(own)), base...), own...)
}

// Frame is a frame that concerns the rank.
func (r *Rank) Frame(kind host.FrameKind, body []byte) *host.Frame {
	return &host.Frame{Kind: kind, World: r.World.ID, Rank: r.Number, Body: body}
}

// OutputFrame is a frame that concerns an output of the rank.
func (r *Rank) OutputFrame(kind host.FrameKind, isErr bool, body []byte) *host.Frame {
	f := r.Frame(kind, body)
	f.Flag = isErr
	return f
}

// NewRank makes a rank of a node, without a process.
func (w *World) NewRank(u *Server, here *Node, number, app int) *Rank {
	r := &Rank{Number: number, App: app, World: w, Node: here, NodeRank: here.Size, Pidfd: -1, Innerfd: -1}
	here.Size++
	r.Conn = &conn{user: u, rank: r, Fd: -1} // as long as it has no socket
	w.Ranks = append(w.Ranks, r)
	return r
}

// HostName is the name of a rank's host; "" for a job on this machine.
func (r *Rank) HostName() string {
	if r.Node.Host == nil {
		return ""
	}
	return r.Node.Host.Name
}

// DrainOutput passes on what a rank has written so far, so that it stands ahead of the line about its end.
func (r *Rank) DrainOutput() {
	for s := range r.streams {
		s.Drain()
		s.ShowPartial()
	}
}

// Bury gives up the process id of a rank that has ended.
func (r *Rank) Bury() {
	r.Kept = false
	if !r.Guest && !r.Away() {
		process.Reap(r.Pid)
	}
}

// BuryAll does so for all ranks of a world of which none lives.
func (w *World) BuryAll() {
	for _, r := range w.Ranks {
		if r.Kept {
			r.Bury()
		}
	}
}

// HowEnded says in few words how a rank has ended.
func (r *Rank) HowEnded() string {
	switch {
	case r.Status.Signaled():
		return "(" + process.SignalName(r.Status.Signal()) + ")"
	case r.Exited:
		return fmt.Sprintf("(exit code %d)", r.Status.ExitStatus())
	}
	return "(its program has ended)"
}

// Program is the program that a rank runs.
func (r *Rank) Program() *process.App { return &r.World.Apps[r.App] }

// Awake reports whether a rank of this host has not ended MPI, and neither sleeps in it nor polls.
func (r *Rank) Awake() bool {
	return !r.Exited && !r.Finalized && !(r.Begun && (r.Polls || r.asleep()))
}

// asleep reports whether a rank sleeps in MPI. One that has slept for long looks around now and then, so it
// is looked at again.
func (r *Rank) asleep() bool {
	const tries, between = 3, 300 * time.Microsecond
	for range tries {
		if r.Node.Segment == nil {
			return false
		}
		if shm.Asleep(r.Node.Segment, r.NodeRank) {
			return true
		}
		time.Sleep(between)
	}
	return false
}

// Process is the process that does MPI for a rank.
func (r *Rank) Process() int {
	if r.Inner != 0 {
		return r.Inner
	}
	return r.Pid
}
