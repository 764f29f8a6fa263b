package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"gompi/shm"
)

// copySizes are those of the copies that are measured, in bytes: both buffers stay in the nearest cache.
var copySizes = []int64{4 << 10, 8 << 10, 16 << 10}

// reportCopies tells how quick the ways of copying are within one process, and which the library takes.
func reportCopies(out io.Writer) error {
	fmt.Fprint(out, "\nCopies within a cache, of addresses that are close modulo 4096 and of others:\n\n")
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "GB/s\tloop\tloop, close\tstring move\tstring move, close\t")
	for _, n := range copySizes {
		m := shm.MeasureCopy(n)
		fmt.Fprintf(w, "%s copied\t", bytes(int(n)))
		for _, t := range []float64{m.PlainApart, m.PlainClose, m.StringApart, m.StringClose} {
			if t == 0 {
				fmt.Fprint(w, "-\t")
			} else {
				fmt.Fprintf(w, "%.1f\t", float64(n)/t)
			}
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if shm.TakesLines() {
		fmt.Fprintf(out, "\nData for another process is copied by string moves from %s on, unless the addresses are close.\n",
			bytes(int(shm.LeastMove())))
	} else {
		fmt.Fprint(out, "\nString moves are not used.\n")
	}
	return nil
}
