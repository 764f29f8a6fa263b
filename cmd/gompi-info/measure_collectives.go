package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"gompi/runtime/coll"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/shm"
)

// collective is an operation of the two ranks in which each has n bytes for the other one.
type collective struct {
	name string
	run  func(p *pair, in, out datatype.Buffer) error
}

var collectives = []collective{
	{"bcast", func(p *pair, in, out datatype.Buffer) error {
		p.root = 1 - p.root // so that no rank runs ahead of the other
		return coll.Bcast(p.World, in, p.root)
	}},
	{"allgather", func(p *pair, in, out datatype.Buffer) error { return coll.Allgather(p.World, in, out) }},
	{"alltoall", func(p *pair, in, out datatype.Buffer) error { return coll.Alltoall(p.World, in, out) }},
}

// blockSizes are those of what a rank has for the other one, in bytes.
var blockSizes = []int{64 << 10, 256 << 10, 1 << 20, 4 << 20}

// copyRoutes are the routes of the data of blocking collective operations, as GOMPI_COLLECTIVE_COPY names
// them.
var copyRoutes = []struct {
	name  string
	route collseg.Route
}{{"shared", collseg.Shared}, {"single", collseg.Single}}

// reportCollectives writes how long collective operations take by each route.
func (p *pair) reportCollectives(out io.Writer) error {
	// By then it is known whether the ranks can read each other's memory.
	if err := coll.Barrier(p.World); err != nil {
		return err
	}
	a := p.World.Segment()
	if a == nil || !a.Chooses() {
		fmt.Fprintln(out, "\nLong data of blocking collective operations goes through shared memory.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\nus\t\t")
	for _, c := range copyRoutes {
		fmt.Fprintf(w, "%s\t", c.name)
	}
	fmt.Fprintln(w, "  the quicker")
	for _, c := range collectives {
		for _, n := range blockSizes {
			fmt.Fprintf(w, "%s\t%s\t", c.name, bytes(n))
			var took [2]float64
			for i, route := range copyRoutes {
				a.PinRoute(route.route, true)
				var err error
				if took[i], err = p.timeOf(c, n); err != nil {
					return err
				}
				fmt.Fprintf(w, "%.1f\t", took[i]*1e6)
			}
			best := 0
			if took[1] < took[0] {
				best = 1
			}
			fmt.Fprintf(w, "  %s, %.1f x\n", copyRoutes[best].name, took[1-best]/took[best])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nshared, single: see GOMPI_COLLECTIVE_COPY; each communicator finds out which is the quicker\n"+
		"for its own blocking operations on blocks of more than %s, unless that is set.\n",
		bytes(collseg.LeastSingle))
	return nil
}

// timeOf is how many seconds an operation on n bytes takes at the best of some batches.
func (p *pair) timeOf(c collective, n int) (float64, error) {
	in := datatype.Raw(shm.Address(p.buf), int64(n))
	out := datatype.Raw(shm.Address(p.buf[n:]), int64(n))
	best := 0.0
	for range batches {
		const times = 16
		begin := time.Now()
		for range times {
			if err := c.run(p, in, out); err != nil {
				return 0, err
			}
		}
		if each := time.Since(begin).Seconds() / times; best == 0 || each < best {
			best = each
		}
	}
	return best, nil
}
