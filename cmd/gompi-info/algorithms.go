package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	core "gompi/runtime"
	"gompi/runtime/coll"
	"gompi/runtime/tool"
)

// collectivesAlone has the two ranks measure collective operations alone.
const collectivesAlone = "collectives"

// algorithms writes the algorithms of collective operations, and what of that is measured here.
func algorithms(args []string, out, problems io.Writer, getenv func(string) string) error {
	settings, err := tool.Read(getenv)
	if err != nil {
		return err
	}
	h := coll.Host{Cores: core.Cores(), Pins: settings.Collectives}
	h.Ranks = h.Cores
	if len(args) > 0 {
		if h.Ranks, err = strconv.Atoi(args[0]); err != nil || h.Ranks < 2 {
			return fmt.Errorf("%q is no number of ranks from 2 on", args[0])
		}
	}
	h.Ranks = max(h.Ranks, 2)
	fmt.Fprintf(out, "Collective operations of %d ranks, with %d cores on each node:\n\n", h.Ranks, h.Cores)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "operation\tplace\tbytes\talgorithm\twhy")
	for _, r := range coll.Table(h) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Operation, r.Place, span(r.From, r.To), r.Algorithm, r.Why)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprint(out, `
bytes are those of a broadcast, of one rank's block, or of its contribution to a reduction.
node: the ranks share memory. nodes: two nodes with half of the ranks each; what is within a node or
between leaders goes as the other lines say. messages: without shared memory, or of more than 64 ranks.
groups: of an intercommunicator. GOMPI_COLLECTIVES=OPERATION=ALGORITHM,... chooses; the v and w forms go
with the operation, and so do those that do not block. The algorithms of each:

`)
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for o := range tool.Operations {
		fmt.Fprintf(w, "%s\t", o)
		for i, a := range o.Pinnable() {
			if i > 0 {
				fmt.Fprint(w, ", ")
			}
			fmt.Fprint(w, a)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := measure(out, problems, collectivesAlone); err != nil {
		fmt.Fprintf(out, "\nNothing has been measured: %v\n", err)
	}
	return nil
}

// span is a range of sizes in bytes.
func span(from, to int64) string {
	switch {
	case to == math.MaxInt64 && from == 0:
		return "any"
	case to == math.MaxInt64:
		return fmt.Sprintf("from %d", from)
	case from == 0:
		return fmt.Sprintf("up to %d", to)
	}
	return fmt.Sprintf("%d to %d", from, to)
}
