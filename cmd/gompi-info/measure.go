package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	core "gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/datatype"
	"gompi/runtime/hardware"
	"gompi/runtime/tool"
	"gompi/shm"
)

// What the library would find out about this machine on live traffic, measured between two processes.

// rankArgument is the argument with which this command starts itself as one of the two ranks.
const rankArgument = "measure-as-a-rank"

// measure has the launcher beside this command run two ranks of it, which write the report, or the part of it
// that is named.
func measure(out, problems io.Writer, part ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	mpiexec := filepath.Join(filepath.Dir(self), "mpiexec")
	if _, err := os.Stat(mpiexec); err != nil {
		return fmt.Errorf("the launcher is not beside gompi-info: %w", err)
	}
	c := exec.Command(mpiexec, "-n", "2", "--timeout", "60", self, rankArgument)
	c.Args = append(c.Args, part...)
	c.Stdout, c.Stderr = out, problems
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", mpiexec, err)
	}
	return nil
}

// pair is one of the two ranks.
type pair struct {
	*core.Process
	buf  []byte
	root int // of the last broadcast
}

// sizes are those of the messages, in bytes.
var sizes = []int{4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20}

// batch is for how long messages go to and fro at a time; the best of several batches counts.
const (
	batch   = 3 * time.Millisecond
	batches = 5
)

// measureRank is the process that the launcher starts.
func measureRank(out io.Writer, part ...string) error {
	runtime.LockOSThread()
	settings, err := tool.Read(os.Getenv)
	if err != nil {
		return err
	}
	job, err := boot.Join(boot.Config{})
	if err != nil {
		return err
	}
	if job.NodeSize != 2 {
		return fmt.Errorf("%d ranks share memory, 2 are wanted", job.NodeSize)
	}
	process, err := core.New(core.Config{Rank: job.Rank, Size: job.Size, NodeRank: job.NodeRank,
		Node: []int{0, 1}, Segment: job.Segment, Tracer: job.Tracer(), Kept: job.Kept, Cores: job.Cores,
		Settings: settings})
	if err != nil {
		return err
	}
	process.Spread()
	p := &pair{Process: process, buf: make([]byte, sizes[len(sizes)-1])}
	if job.Rank != 0 {
		out = io.Discard
	}
	report := p.report
	if slices.Contains(part, collectivesAlone) {
		report = p.reportCollectives
	}
	if err := report(out); err != nil {
		return err
	}
	if err := process.Finalize(); err != nil {
		return err
	}
	process.CloseFastPath()
	process.Close()
	return job.Finalize()
}

// column is a way that a message can go, as the report names it.
type column struct {
	name     string
	protocol int // of long messages; 0 for those with their header
}

var columns = []column{{"eager", 0}, {"read", tool.RendezvousRead}, {"pipeline", tool.RendezvousPipeline},
	{"both", tool.RendezvousBoth}}

func (p *pair) report(out io.Writer) error {
	eager := p.Engine.EagerLimit()
	latency, err := p.oneWay(8, 0)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Between two processes on %s: 8 bytes take %.2f us one way.\n\n", place(), latency*1e6)
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "GB/s\t")
	for _, c := range columns {
		fmt.Fprintf(w, "%s\t", c.name)
	}
	fmt.Fprintln(w, "  the quickest")
	for _, n := range sizes {
		fmt.Fprintf(w, "%s\t", bytes(n))
		best, second, name := 0.0, 0.0, ""
		for _, c := range columns {
			if c.protocol == 0 && n > eager {
				fmt.Fprint(w, "-\t")
				continue
			}
			t, err := p.oneWay(n, c.protocol)
			if err != nil {
				return err
			}
			rate := float64(n) / t / 1e9
			fmt.Fprintf(w, "%.1f\t", rate)
			if rate > best {
				best, second, name = rate, best, c.name
			} else {
				second = max(second, rate)
			}
		}
		fmt.Fprintf(w, "  %s, %.1f x the next\n", name, best/second)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\neager: with the header, up to %s (GOMPI_EAGER). read, pipeline, both: see GOMPI_RENDEZVOUS;\n"+
		"each process finds out which is the quickest for its own messages, unless that is set.\n", bytes(eager))
	if p.Rank == 0 {
		if err := reportCopies(out); err != nil {
			return err
		}
	}
	return p.reportCollectives(out)
}

// oneWay is how many seconds a message of n bytes takes, by a protocol of long messages or, with 0, with its
// header.
func (p *pair) oneWay(n, protocol int) (float64, error) {
	limit := p.Engine.EagerLimit()
	if protocol != 0 {
		p.Engine.SetEagerLimit(1)
		p.Engine.SetRendezvous(protocol)
		defer p.Engine.SetEagerLimit(limit)
	}
	if _, err := p.roundTrips(n, 1); err != nil {
		return 0, err
	}
	best := 0.0
	trips := 1
	for k := 0; k < batches; {
		took, err := p.roundTrips(n, trips)
		if err != nil {
			return 0, err
		}
		if took < batch.Seconds()/2 {
			trips *= 2
			continue
		}
		if each := took / float64(trips) / 2; k == 0 || each < best {
			best = each
		}
		k++
	}
	return best, nil
}

// roundTrips sends messages to and fro, and returns what rank 0 has measured, in seconds.
func (p *pair) roundTrips(n, trips int) (float64, error) {
	begin := time.Now()
	for range trips {
		for from := range 2 {
			if err := p.message(n, from); err != nil {
				return 0, err
			}
		}
	}
	took := new([1]uint64)
	took[0] = uint64(time.Since(begin))
	b := datatype.Raw(shm.AddressOf(&took[0]), 8)
	var err error
	if p.Rank == 0 {
		err = p.Engine.Send(&p.World.P2P, b, 1, 1)
	} else {
		err = p.Engine.Recv(&p.World.P2P, b, 0, 1, nil)
	}
	return time.Duration(took[0]).Seconds(), err
}

func (p *pair) message(n, from int) error {
	b := datatype.Raw(shm.Address(p.buf), int64(n))
	if p.Rank == from {
		return p.Engine.Send(&p.World.P2P, b, 1-from, 0)
	}
	return p.Engine.Recv(&p.World.P2P, b, from, 0, nil)
}

// place says on which processors the two processes may run, and the smallest part of the machine that they
// all belong to.
func place() string {
	smallest := ""
	for _, r := range hardware.Here() {
		if r.Instance >= 0 {
			smallest = " of one " + strings.TrimPrefix(r.Name, hardware.Scheme)
		}
	}
	return fmt.Sprintf("%d processors%s", len(hardware.Allowed()), smallest)
}

func bytes(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
