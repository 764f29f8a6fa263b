package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// coloured says whether an output is a terminal whose user wants colours.
func coloured(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// paint is a text in the colour of a standing, if colours are wanted.
func paint(text string, s standing, colours bool) string {
	switch {
	case !colours:
		return text
	case s.behind():
		return "\x1b[31m" + text + "\x1b[0m"
	case s.ahead():
		return "\x1b[32m" + text + "\x1b[0m"
	}
	return text
}

// align writes rows in columns; paints may colour a row's last cell.
func align(out io.Writer, rows [][]string, paints map[int]func(string) string) {
	var widths []int
	for _, cells := range rows {
		for i, c := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for n, cells := range rows {
		var line strings.Builder
		for i, c := range cells {
			padded := c + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if i == len(cells)-1 {
				padded = c
				if p := paints[n]; p != nil {
					padded = p(c)
				}
			}
			line.WriteString("  " + padded + " ")
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
}

// writeTables writes all tables, and behind them, where a reader looks first on a
// terminal, the sums: what is behind before what is ahead.
func writeTables(out io.Writer, r *results, colours bool) {
	fmt.Fprintf(out, "\n%s\n", r.machine.kind())
	for _, t := range r.tables {
		if len(t.rows) == 0 && len(t.failures) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", t.heading())
		paints := map[int]func(string) string{}
		for _, s := range t.standings() {
			for i, at := range t.rows {
				if at == s.at {
					paints[i+1] = func(text string) string { return paint(text, s, colours) }
				}
			}
		}
		align(out, r.cells(t), paints)
		if note := t.loadNote(); note != "" {
			fmt.Fprintf(out, "  %s\n", note)
		}
		for _, f := range t.failures {
			fmt.Fprintf(out, "  %s, %d ranks: %v\n", r.label(f.mpi), f.ranks, f.err)
		}
	}
	section := func(title string, rows [][]string) {
		if len(rows) > 1 {
			fmt.Fprintf(out, "\n%s\n", title)
			align(out, rows, nil)
		}
	}
	only := []*results{r}
	if r.has("gompi") && (r.has("mpich") || r.has("openmpi")) {
		section(fmt.Sprintf("gompi is behind the better peer at %d points; the worst:", len(worstOf(only))), worstRows(only, 15))
		section("All benchmarks, the worst first", r.overviewRows())
	}
	if r.has(base) {
		section("Against the state before: its time or rate is 1, more is worse", r.baseRows())
	}
	section("Not yet in gompi", r.notYet())
	section("Targets", verdictRows(only))
	section("Machine", slices.Concat([][]string{{"", ""}}, r.loadLines(), r.rawLines()))
	fmt.Fprintln(out)
}
