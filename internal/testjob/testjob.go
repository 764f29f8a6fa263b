// Package testjob runs the ranks of a job as goroutines of one test over a real shared segment.
package testjob

import (
	"fmt"
	"math/rand/v2"
	gort "runtime"
	"testing"
	"time"

	"gompi/fabric"
	"gompi/internal/testjob/mock"
	"gompi/runtime"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Limit is how long one job may take before the test fails. It is generous: it is there for hangs.
const Limit = 5 * time.Minute

// Rounds is how often a test repeats what it does by chance: n times, in short mode a tenth of that.
func Rounds(n int) int {
	if testing.Short() {
		return max(n/10, 1)
	}
	return n
}

// Options says how a job differs from the usual.
type Options struct {
	Settings tool.Settings
	Each     func(rank int, s *tool.Settings) // changes those of a rank; nil for none
	Multiple bool
	Abandon  bool // ranks end without Finalize, as in a job that fails
	Cores    int  // 0: fewer than ranks, so that everybody yields early
	Uneven   bool // the ranks but the first are bound to one core each
	// what the network of a job of several nodes is like, which is one in memory; nil for sockets
	Network *mock.Behaviour
}

// Run runs body once per rank and fails the test with the first error. A job in which a rank fails is not
// waited for: its other ranks may wait for the one that failed.
func Run(t testing.TB, n int, o Options, body func(p *runtime.Process) error) {
	t.Helper()
	RunJobs(t, []int{n}, o, func(_ int, p *runtime.Process) error { return body(p) })
}

// result is how a rank of a job has ended.
type result struct {
	job, rank int
	err       error
}

// RunJobs is Run for several jobs at once, of the given numbers of ranks.
func RunJobs(t testing.TB, sizes []int, o Options, body func(job int, p *runtime.Process) error) {
	t.Helper()
	all := 0
	for _, n := range sizes {
		all += n
	}
	old := gort.GOMAXPROCS(0)
	gort.GOMAXPROCS(max(old, all+2)) // a rank that spins must not keep another from running
	defer gort.GOMAXPROCS(old)
	results := make(chan result, all)
	for job, n := range sizes {
		seg, err := shm.CreateJob(n)
		if err != nil {
			t.Fatal(err)
		}
		defer keepOnFailure(t, seg)
		var network fabric.Opener
		if o.Network != nil {
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			network = mock.Opener(*o.Network, seed)
		}
		begin(results, job, seg, n, o, network, body)
	}
	limit := time.After(Limit)
	for range all {
		select {
		case res := <-results:
			if res.err != nil {
				t.Fatalf("rank %d of %d of job %d: %v", res.rank, sizes[res.job], res.job, res.err)
			}
		case <-limit:
			buf := make([]byte, 256<<10)
			t.Fatalf("jobs of %d ranks hang\n%s", sizes, buf[:gort.Stack(buf, true)])
		}
	}
}

// begin starts the ranks of a job.
func begin(results chan<- result, job int, seg *shm.Segment, n int, o Options,
	network fabric.Opener, body func(job int, p *runtime.Process) error) {
	node := make([]int, n)
	for r := range node {
		node[r] = r
	}
	for r := range n {
		go func() {
			gort.LockOSThread() // as a thread that calls in from C
			defer gort.UnlockOSThread()
			defer func() {
				if v := recover(); v != nil {
					buf := make([]byte, 16<<10)
					results <- result{job, r, fmt.Errorf("panic: %v\n%s", v, buf[:gort.Stack(buf, false)])}
				}
			}()
			cores := o.Cores
			if cores == 0 || o.Uneven && r > 0 {
				cores = 1
			}
			settings := o.Settings
			if o.Each != nil {
				o.Each(r, &settings)
			}
			p, err := runtime.New(runtime.Config{
				Rank: r, Size: n, NodeRank: r, Node: node, Segment: seg, Cores: cores, Settings: settings,
				Multiple: o.Multiple, Fabric: network,
			})
			if err == nil {
				err = body(job, p)
			}
			if err == nil && !o.Abandon {
				if err = p.Finalize(); err == nil {
					p.CloseFastPath()
					p.Close()
				}
			}
			results <- result{job, r, err}
		}()
	}
}

// keepOnFailure closes the segment of a job unless ranks may still be at work in it.
func keepOnFailure(t testing.TB, seg *shm.Segment) {
	if !t.Failed() {
		seg.Close()
	}
}
