package launch

import (
	"fmt"
	"os"
	"strconv"

	"gompi/launch/host"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// node is a set of ranks of one world that share a memory segment: those on one host.
type node struct {
	host    *host.Host
	segment *shm.Segment // nil on another host
	id      string       // of the segment, in hexadecimal digits, on another host
	ready   bool         // all its ranks have been started
	size    int
}

// link is the way to the proxy that serves the node; nil for a node of this process.
func (n *node) link() *host.Link {
	if n == nil || n.host == nil {
		return nil
	}
	return n.host.Link
}

// rank is one process of the job.
type rank struct {
	number   int // in its world
	app      int // MPI_APPNUM
	world    *world
	node     *node
	nodeRank int
	conn     *conn
	out, err *output.Stream // nil where the process has the launcher's own descriptor
	pid      int
	pidfd    int
	// a process below the rank that speaks for it, behind a wrapper script; 0 when there is none
	inner     int
	innerfd   int    // its pidfd
	begun     bool   // has begun MPI
	polls     bool   // has asked for something in vain between the last looks at its sleep
	asks      uint32 // how often by the last one
	quiet     int    // for how many looks it has not
	finalized bool   // has ended MPI since
	guest     bool   // started itself, and the launcher after it: no child of ours
	met       bool   // of a spawned world: has connected to those who asked for it
	links     map[*world]bool
	exited    bool
	aborting  bool // has asked for the end of the job
	rests     bool // is at the end of MPI and has not used the network
	failed    bool // it has failed, and its world goes on
	bound     bool // to processors of its own
	stdin     bool // it reads the launcher's standard input
	// files for its standard output and error, "" where they are relayed
	files  [2]string
	cpus   []int  // that it is bound to, nil where the binding of the job says it
	memory string // of a rank on another host: what explains the signal that has ended it
	kept   bool   // it has ended and is not reaped yet, so that no other process gets its number
	status unix.WaitStatus
}

// alive reports whether the process has not been waited for yet.
func (r *rank) alive() bool { return r.pid > 0 && !r.exited }

// child reports whether the process is a living child of this one.
func (r *rank) child() bool { return r.alive() && !r.guest && !r.away() }

// away reports whether the rank is on another host.
func (r *rank) away() bool { return r.node.link() != nil }

// where is what messages call its process.
func (r *rank) where() string {
	if r.hostName() != "" {
		return fmt.Sprintf("pid %d on %s", r.pid, r.node.host.Name)
	}
	return fmt.Sprintf("pid %d", r.pid)
}

// String is what messages call the rank.
func (r *rank) String() string {
	if r.world.id > 0 {
		return fmt.Sprintf("rank %d of spawned job %d", r.number, r.world.id)
	}
	return fmt.Sprintf("rank %d", r.number)
}

// label is what labels of output and names of files call it.
func (r *rank) label() string {
	if r.world.id > 0 {
		return fmt.Sprintf("%d.%d", r.world.id, r.number)
	}
	return strconv.Itoa(r.number)
}

// hold has an output of a rank on another host be read no more, or again.
func (r *rank) hold(isErr, on bool) {
	kind := host.FrameResume
	if on {
		kind = host.FrameHold
	}
	r.node.link().Send(r.outputFrame(kind, isErr, nil))
}

// streams are its relayed outputs.
func (r *rank) streams(yield func(*output.Stream) bool) {
	for _, s := range [...]*output.Stream{r.out, r.err} {
		if s != nil && !yield(s) {
			return
		}
	}
}

// inMPI reports whether the rank has begun MPI and not ended it.
func (r *rank) inMPI() bool { return r.begun && !r.finalized }

// Descriptors as the ranks see them.
const (
	rankPMI     = 3
	rankSegment = 4
)

// environment is a rank's environment: the program's own plus what the start-up protocol needs.
func (r *rank) environment(base []string) []string {
	number := strconv.Itoa
	own := []string{
		pmi.EnvFD + "=" + number(rankPMI),
		pmi.EnvRank + "=" + number(r.number),
		pmi.EnvSize + "=" + number(r.world.size()),
		pmi.EnvNodeSize + "=" + number(r.node.size),
		pmi.EnvNodeRank + "=" + number(r.nodeRank),
		pmi.EnvLauncher + "=" + number(os.Getpid()),
		pmi.EnvSegment + "=" + number(rankSegment),
		pmi.EnvApp + "=" + number(r.app),
		pmi.EnvUniverse + "=" + number(r.world.universe),
		pmi.EnvNodeCores + "=" + number(r.nodeCores()),
	}
	if r.bound {
		own = append(own, pmi.EnvCores+"="+number(r.conn.job.spec.Cores))
	}
	if r.world.spawned {
		own = append(own, pmi.EnvSpawned+"=1", pmi.EnvWorld+"="+number(r.world.id)) // for traces
	}
	if h := r.node.host; h != nil && h.Address != "" {
		own = append(own, pmi.EnvAddress+"="+h.Address)
	}
	if r.world.port != "" {
		own = append(own, pmi.EnvParent+"="+r.world.port)
	}
	return append(append(make([]string, 0, len(base)+len(own)), base...), own...)
}

// nodeCores is how many processors the ranks of the node share, as far as the launcher knows: the same for
// all of them, whatever a wrapper does to one.
func (r *rank) nodeCores() int {
	if s := r.conn.job.spec; s.Binding != nil {
		return s.Cores
	}
	return process.UsableCores()
}

// exitWatch hears when a rank's process has ended.
type exitWatch struct {
	job *job
	r   *rank
}

func (w exitWatch) Ready(uint32) { w.job.reap(w.r) }

// innerWatch hears when the process that speaks for a rank, below a wrapper script, has ended.
type innerWatch struct {
	job *job
	r   *rank
}

func (w innerWatch) Ready(uint32) { w.job.innerEnded(w.r) }

// frame is a frame that concerns the rank.
func (r *rank) frame(kind host.FrameKind, body []byte) *host.Frame {
	return &host.Frame{Kind: kind, World: r.world.id, Rank: r.number, Body: body}
}

// outputFrame is a frame that concerns an output of the rank.
func (r *rank) outputFrame(kind host.FrameKind, isErr bool, body []byte) *host.Frame {
	f := r.frame(kind, body)
	f.Flag = isErr
	return f
}
