package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"gompi/fabric"
	"gompi/fabric/libfabric"
	core "gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Two hosts of the user's are tested against each other: messages of all sizes go to and fro and in rows,
// each byte is checked, and how long they take is told.

// betweenArgument is the argument with which this command starts itself as one of the two ranks.
const betweenArgument = "between-hosts-as-a-rank"

// between has the launcher beside this command run a rank of it on each of two hosts.
func between(hosts []string, out, problems io.Writer) error {
	if len(hosts) != 2 {
		return fmt.Errorf("--fabric takes no host or two, and not %d", len(hosts))
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	mpiexec := filepath.Join(filepath.Dir(self), "mpiexec")
	if _, err := os.Stat(mpiexec); err != nil {
		return fmt.Errorf("the launcher is not beside gompi-info: %w", err)
	}
	c := exec.Command(mpiexec, "--push", "-n", "2", "-ppn", "1", "-hosts", hosts[0]+","+hosts[1], "--timeout", "60",
		self, betweenArgument, hosts[0], hosts[1])
	c.Stdout, c.Stderr = out, problems
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", mpiexec, err)
	}
	return nil
}

// Sizes of messages, in bytes, and how many small ones go in a row.
var betweenSizes = []int{1, 8, 64, 1 << 10, 8 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}

const (
	inRow    = 4000
	largest  = 4 << 20
	rowBytes = 200 // of the longest of a row
)

// betweenRank is the process that the launcher starts.
func betweenRank(hosts []string, out io.Writer) error {
	runtime.LockOSThread()
	settings, err := tool.Read(os.Getenv)
	if err != nil {
		return err
	}
	job, err := boot.Join(boot.Config{})
	if err != nil {
		return err
	}
	if job.Size != 2 || job.OnOneNode() {
		return errors.New("the two names are of one machine")
	}
	libfabric.Prepare()
	var network fabric.Opened
	process, err := core.New(core.Config{Rank: job.Rank, Size: job.Size, NodeRank: job.NodeRank,
		Node: []int{job.Rank}, Segment: job.Segment, Tracer: job.Tracer(), Kept: job.Kept, Cores: job.Cores,
		Settings: settings, Machines: job.Nodes, Cards: job, Address: job.Address,
		Fabric: func(o fabric.Opening) (_ fabric.Opened, err error) {
			network, err = libfabric.Connect(o)
			return network, err
		},
		Fatal: func(err error) {
			fmt.Fprintf(os.Stderr, "gompi-info: %v\n", err)
			os.Exit(1)
		}})
	if err != nil {
		return err
	}
	// libfabric gets no memory of Go's.
	memory, err := syscall.Mmap(-1, 0, largest, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return err
	}
	if job.Rank != 0 {
		out = io.Discard
	}
	fmt.Fprintf(out, "%s and %s, by %s %s:\n", hosts[0], hosts[1], network.Provider, network.Version)
	p := &pair{Process: process, buf: memory}
	if err := p.test(out); err != nil {
		return err
	}
	if err := process.Finalize(); err != nil {
		return err
	}
	process.CloseFastPath()
	process.Close()
	return job.Finalize()
}

// test sends messages of all sizes both ways.
func (p *pair) test(out io.Writer) error {
	for _, n := range betweenSizes {
		for from := range 2 {
			if err := p.checked(n, from, n+from); err != nil {
				return err
			}
		}
		t, err := p.oneWay(n, 0)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%12d bytes  %10.2f us one way  %8.1f MB/s\n", n, t*1e6, float64(n)/t/1e6)
	}
	for from := range 2 {
		begin := time.Now()
		for i := range inRow {
			if err := p.checked(1+i%rowBytes, from, i); err != nil {
				return err
			}
		}
		if err := p.checked(1, 1-from, 0); err != nil {
			return err
		}
		each := time.Since(begin).Seconds() / inRow
		fmt.Fprintf(out, "%d messages in a row from the %s: %.2f million/s\n", inRow,
			[]string{"first", "second"}[from], 1e-6/each)
	}
	fmt.Fprintln(out, "Each byte was right.")
	return nil
}

// checked sends a message whose bytes follow from a seed.
func (p *pair) checked(n, from, seed int) error {
	value := func(i int) byte { return byte(i*7 + i>>8 + seed) }
	if p.Rank == from {
		for i := range n {
			p.buf[i] = value(i)
		}
	}
	b := datatype.Raw(shm.Address(p.buf), int64(n))
	if p.Rank == from {
		return p.Engine.Send(&p.World.P2P, b, 1-from, 0)
	}
	if err := p.Engine.Recv(&p.World.P2P, b, from, 0, nil); err != nil {
		return err
	}
	for i := range n {
		if p.buf[i] != value(i) {
			return fmt.Errorf("byte %d of %d that rank %d has sent is %d, want %d", i, n, from, p.buf[i], value(i))
		}
	}
	return nil
}
