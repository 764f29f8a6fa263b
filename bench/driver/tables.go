package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// number writes a value with three significant digits, large ones in full.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case v == 0:
		return "0"
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// bytesName writes a size in the unit that leaves no fraction.
func bytesName(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

func (t *table) rowName(row int) string {
	if t.axis == byBytes {
		return bytesName(row)
	}
	return strconv.Itoa(row)
}

// heading is the title with the unit and the direction.
func (t *table) heading() string {
	direction := "less is better"
	if t.more {
		direction = "more is better"
	}
	return fmt.Sprintf("%s (%s, %s)", t.title, t.unit, direction)
}

// cells are the rows of a table as text, the heads of the columns first. Each
// MPI has its median with the quartiles behind it, and each peer its ratio.
func (r *results) cells(t *table) [][]string {
	head := []string{string(t.axis)}
	for _, m := range r.mpis {
		head = append(head, m.label)
	}
	for _, m := range r.mpis {
		if m.name != "gompi" && r.has("gompi") {
			head = append(head, "gompi / "+m.label)
		}
	}
	rows := [][]string{head}
	for _, row := range t.rows {
		cells := []string{t.rowName(row)}
		for _, m := range r.mpis {
			s := t.samples[m.name][row]
			switch len(s) {
			case 0:
				cells = append(cells, "-")
			case 1:
				cells = append(cells, number(s[0]))
			default:
				cells = append(cells, fmt.Sprintf("%s (%s to %s)", number(median(s)), number(quantile(s, 0.25)), number(quantile(s, 0.75))))
			}
		}
		for _, m := range r.mpis {
			if m.name == "gompi" || !r.has("gompi") {
				continue
			}
			c, ok := compare(t.samples["gompi"][row], t.samples[m.name][row])
			if !ok {
				cells = append(cells, "-")
				continue
			}
			cells = append(cells, fmt.Sprintf("%.2f (%.2f to %.2f)", c.ratio, c.low, c.high))
		}
		rows = append(rows, cells)
	}
	return rows
}

func (r *results) has(name string) bool {
	for _, m := range r.mpis {
		if m.name == name {
			return true
		}
	}
	return false
}

// writeTables writes all tables as plain text.
func writeTables(out io.Writer, r *results) {
	for _, t := range r.tables {
		fmt.Fprintf(out, "\n%s\n", t.heading())
		columns := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
		for _, cells := range r.cells(t) {
			fmt.Fprintln(columns, "  "+strings.Join(cells, "\t"))
		}
		columns.Flush()
		for _, f := range t.failures {
			fmt.Fprintf(out, "  %s, %d ranks: %v\n", r.label(f.mpi), f.ranks, f.err)
		}
	}
	if verdicts := r.judge(); len(verdicts) > 0 {
		fmt.Fprintf(out, "\nTargets\n")
		columns := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
		for _, v := range verdicts {
			fmt.Fprintf(columns, "  %s\t%s\t%s\t%s\t%s\n", v.title, v.target, v.measured, v.state, v.against)
		}
		columns.Flush()
	}
	fmt.Fprintln(out)
}
