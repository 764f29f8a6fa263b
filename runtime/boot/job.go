package boot

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"gompi/shm"
	"gompi/wire/pmi"
)

// Job is this process's place among the ranks that started together.
type Job struct {
	Rank, Size         int // in the job, that is in MPI_COMM_WORLD
	NodeRank, NodeSize int // among the ranks on this node, in the order of their job ranks
	// node of each job rank, numbered in the order of their lowest ranks; nil when all share one node
	Nodes     []int
	Leaders   []int        // lowest rank of each node
	Sizes     []int        // ranks of each node
	Segment   *shm.Segment // memory shared by the ranks of this node
	Singleton bool         // started without a launcher
	AppNum    int          // MPI_APPNUM, -1 when the launcher does not say
	// processors that the ranks of this node share, 0 when the launcher has bound none
	Cores        int
	NodeCores    int  // the same by what the launcher has said to each of them, bound or not; 0 if it has not
	UniverseSize int  // MPI_UNIVERSE_SIZE, -1 when the launcher does not say
	Reports      bool // the launcher tells the user why a job ended, so the rank need not
	// a child of gompi's launcher, which ends with it and keeps its process id until no rank of the job is
	// left
	Kept       bool
	Recovers   bool   // the job survives deaths; set by the caller of Watch
	Address    string // of this machine, by which others reach it best; "" when it is not known
	ParentPort string // where the program listens that had this job started, "" when none did

	guarded  int            // the pipe to the guard of this node, 0 when there is none
	attached int            // the launcher that a singleton has started, 0 before
	starting sync.Mutex     // held while a launcher is started
	client   *client        // nil without PMI
	ours     bool           // the launcher is gompi's: it is told, not asked
	store    store          // nil where there is none; gompi's own launcher is asked for it when first needed
	pmix     PMIx           // nil without
	cards    *shm.CardTable // of other nodes' ranks, after Exchange; nil on one node
	finished atomic.Bool
}

// ErrNoLauncher is returned by operations that need a launcher when there is none.
var ErrNoLauncher = errors.New("this process has no launcher to exchange values through; start it with gompi's mpiexec")

// OnOneNode reports whether all ranks of the job share this node.
func (j *Job) OnOneNode() bool { return j.NodeSize == j.Size }

// Barrier waits until all ranks of the job have called it. The error says which rank died instead.
func (j *Job) Barrier() error {
	if j.OnOneNode() {
		return j.nodeBarrier()
	}
	return j.Fence()
}

// Fence is a barrier after which all ranks see what any rank has put before. It goes through the launcher.
func (j *Job) Fence() error {
	s, err := j.values()
	if err != nil {
		return err
	}
	return s.fence()
}

// barrierNap bounds each sleep at the barrier, as a guard against faults outside the protocol.
const barrierNap = time.Second

// nodeBarrier is a barrier of the processes that share a segment. The last to arrive opens the gate.
func (j *Job) nodeBarrier() error {
	s := j.Segment
	arrivals, gate := shm.Word32(s.Base+shm.HdrBarrier), shm.Word32(s.Base+shm.HdrGate)
	before := atomic.LoadUint32(gate)
	if atomic.AddUint32(arrivals, 1)%uint32(j.NodeSize) == 0 {
		atomic.AddUint32(gate, 1)
		shm.FutexWake(gate, math.MaxInt32)
		return nil
	}
	for atomic.LoadUint32(gate) == before {
		if shm.Epoch(s) != 0 {
			err := deadAmong(s, j.Neighbours()...)
			if atomic.LoadUint32(gate) != before {
				break // it has died since it was here
			}
			if err != nil {
				return err
			}
		}
		shm.FutexWait(gate, before, barrierNap)
	}
	return nil
}

// deadAmong is the error where one of some ranks of the job has died, or the job is being ended; nil where
// all of them live, whatever has become of others.
func deadAmong(s *shm.Segment, ranks ...int) error {
	switch dead := shm.DeadRank(s); {
	case dead >= 0:
		return fmt.Errorf("rank %d has died", dead)
	case shm.Broken(s):
		return errors.New("the job is being ended")
	}
	for _, r := range ranks {
		if shm.HasFailed(s, r) {
			return fmt.Errorf("rank %d has died before all had begun MPI", r)
		}
	}
	return nil
}

// Put publishes a value to the other ranks; they see it after the next Fence. Keys have at most
// 63 bytes, values some 900, and neither may hold blanks.
func (j *Job) Put(key, value string) error {
	s, err := j.values()
	if err != nil {
		return err
	}
	return s.put(key, value)
}

// anyRank is from whom Get gets.
const anyRank = -1

// Get returns a value that some rank has put.
func (j *Job) Get(key string) (string, error) {
	s, err := j.values()
	if err != nil {
		return "", err
	}
	return s.get(anyRank, key)
}

// values is the launcher's store.
func (j *Job) values() (store, error) {
	switch {
	case j.store != nil:
		return j.store, nil
	case j.client == nil && j.Singleton:
		return nil, ErrNoLauncher
	case j.client == nil:
		return nil, errNoStore
	}
	name, err := j.client.word(pmi.New("get_my_kvsname"), "my_kvsname", "kvsname")
	if err != nil {
		return nil, err
	}
	j.store = kvs{j.client, name}
	return j.store, nil
}

// Abort has the launcher end the whole job with this exit code, because the program called MPI_Abort, and
// lets the other ranks of this node know at once. It returns; the caller must then end this process with the
// same code. Unless j.Reports and the launcher has heard it, the caller also tells the user why.
func (j *Job) Abort(code int, why string) (heard bool) {
	var words []pmi.Arg
	if j.ours && why != "" {
		words = []pmi.Arg{{Key: "text", Value: pmi.Encode(why)}}
	}
	return j.endJob(code, words)
}

// Fail is like Abort, for a rank that ends because of an error and has told the user so itself: the launcher
// adds nothing.
func (j *Job) Fail(code int) {
	var words []pmi.Arg
	if j.ours {
		words = []pmi.Arg{{Key: "told", Value: "1"}}
	}
	j.endJob(code, words)
}

// endJob sends the launcher an abort, with words of our own for our own launcher. What the segment says tells
// it the same where the program has closed the socket.
func (j *Job) endJob(code int, words []pmi.Arg) (heard bool) {
	j.dismissGuard()
	if j.Segment != nil {
		shm.SetExitCode(j.Segment, uint8(code))
		shm.NameDead(j.Segment, j.Rank)
	}
	heard = j.askAbort(code, words)
	// Only now, so that the launcher hears of the cause before it sees the others end.
	if j.Size > 1 && j.Segment != nil {
		shm.MarkDead(j.Segment, j.Rank)
	}
	return heard
}

// abortPatience bounds how long a PMIx server may take to hear of an abort.
const abortPatience = time.Second

// askAbort asks the launcher to end the job, and reports whether it could be asked.
func (j *Job) askAbort(code int, words []pmi.Arg) bool {
	switch {
	case j.client != nil:
		m := pmi.New("abort", "exitcode", strconv.Itoa(code))
		bare := m
		m.Args = append(m.Args, words...)
		// The text may have been too long.
		return j.client.send(m) == nil || j.client.send(bare) == nil
	case j.pmix != nil:
		heard := make(chan struct{})
		go func() {
			_ = j.pmix.Abort(code, "") // an error leaves nothing to be done: this process ends
			close(heard)
		}()
		select {
		case <-heard:
		case <-time.After(abortPatience):
		}
	}
	return true
}

// Ending tells whether another process of this node has begun to end the job, and told the user why, and with
// which exit code this one ends then: that of the first failure as far as it is known, otherwise 1, which a
// launcher takes for less than any other.
func (j *Job) Ending() (code int, ending bool) {
	if j.Segment == nil || !shm.Broken(j.Segment) {
		return 0, false
	}
	if code, known := shm.ExitCode(j.Segment); known {
		return code, true
	}
	return 1, true
}

// Finalize tells the launcher that this rank has ended MPI and may exit at will. Waiting for the others,
// where MPI asks for it, is the caller's business.
func (j *Job) Finalize() error {
	j.finished.Store(true)
	shm.Leave(j.Segment, j.NodeRank)
	j.dismissGuard()
	switch {
	case j.pmix != nil:
		return j.pmix.End()
	case j.client == nil:
		return nil
	case j.ours:
		return j.client.tell(pmi.New("finalize"))
	}
	_, err := j.client.request(pmi.New("finalize"), "finalize_ack")
	return err
}

// Resume tells the launcher that this rank begins MPI again after Finalize, as one session after the other
// may. Launchers other than gompi's know no such thing: to them the rank has ended MPI for good.
func (j *Job) Resume() error {
	if !j.finished.Swap(false) {
		return nil
	}
	shm.Reenter(j.Segment, j.NodeRank)
	if !j.ours {
		return nil
	}
	return j.client.tell(initMessage())
}
