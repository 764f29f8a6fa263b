package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The report is a page, with a folder beside it for the charts and the samples.
const (
	reportName   = "performance.md"
	reportFigure = "performance"
)

// writeReport writes the page, the charts and the JSON file into a folder. Charts
// of an earlier report that are not drawn again are removed.
func writeReport(folder string, r *results) error {
	figures := filepath.Join(folder, reportFigure)
	if err := os.MkdirAll(figures, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(figures, "*.svg"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	charts := map[string]bool{}
	for _, t := range r.tables {
		drawn, err := writeChart(filepath.Join(figures, t.name+".svg"), r, t)
		if err != nil {
			return fmt.Errorf("chart of %s: %w", t.name, err)
		}
		charts[t.name] = drawn
	}
	if charts[overviewName], err = writeOverview(filepath.Join(figures, overviewName+".svg"), r); err != nil {
		return fmt.Errorf("chart of all: %w", err)
	}
	if err := writeJSON(filepath.Join(figures, "results.json"), r); err != nil {
		return err
	}
	var text bytes.Buffer
	writeMarkdown(&text, r, charts)
	return os.WriteFile(filepath.Join(folder, reportName), text.Bytes(), 0o644)
}

// writeMarkdown writes the report; charts says which tables have one.
func writeMarkdown(out io.Writer, r *results, charts map[string]bool) {
	fmt.Fprintf(out, "# gompi beside its peers\n\n")
	fmt.Fprintf(out, "Written by `make bench` on %s, %s, in %.0f s with %d rounds; do not edit.\n",
		r.date.Format("2006-01-02 15:04 MST"), "commit "+r.machine.commit, r.duration.Seconds(), r.rounds)
	if r.quick {
		fmt.Fprintf(out, "This was a quick run, with one round and few sizes.\n")
	}
	writeSums(out, r, charts)
	writeConditions(out, r)
	for _, t := range r.tables {
		writeMarkdownSection(out, r, t, charts[t.name])
	}
}

// writeSums says where gompi stands, what is behind first.
func writeSums(out io.Writer, r *results, charts map[string]bool) {
	section := func(title, text string, rows [][]string) {
		if len(rows) > 1 {
			fmt.Fprintf(out, "\n## %s\n\n%s", title, text)
			writeMarkdownTable(out, rows)
		}
	}
	if r.has("gompi") && len(r.mpis) > 1 {
		section("Where gompi is behind", fmt.Sprintf("At %d points gompi is more than a tenth behind the better of its peers. The worst:\n\n", len(r.worst())), r.worstRows(25))
		section("All benchmarks", "The worst first. Within a tenth of the better peer counts as even.\n\n", r.overviewRows())
		if charts[overviewName] {
			fmt.Fprintf(out, "\n![All points beside the better peer](%s/%s.svg)\n", reportFigure, overviewName)
		}
	}
	section("Not yet", "gompi does not have these functions yet, so nothing could be measured.\n\n", r.notYet())
	section("Targets", "", r.verdictRows())
}

// foldedFrom is how many rows a table has that is folded away behind its chart.
const foldedFrom = 12

func writeMarkdownSection(out io.Writer, r *results, t *table, chart bool) {
	fmt.Fprintf(out, "\n## %s\n\n%s\n", t.heading(), strings.TrimSpace(t.about))
	if len(t.rows) == 0 && len(t.failures) == 0 && len(t.unsupported) == 0 {
		fmt.Fprintf(out, "\nThere was no time for it.\n")
	}
	if chart {
		fmt.Fprintf(out, "\n![%s](%s/%s.svg)\n", t.title, reportFigure, t.name)
	}
	if len(t.rows) > 0 {
		folded := len(t.rows) >= foldedFrom && chart
		if folded {
			fmt.Fprintf(out, "\n<details><summary>%d points</summary>\n", len(t.rows))
		}
		fmt.Fprintln(out)
		writeMarkdownTable(out, r.cells(t))
		if folded {
			fmt.Fprintf(out, "\n</details>\n")
		}
	}
	for _, f := range t.failures {
		fmt.Fprintf(out, "\n%s failed on %d ranks: %s\n", r.label(f.mpi), f.ranks, escape(f.err.Error()))
	}
}

// writeConditions says on what and how it was measured.
func writeConditions(out io.Writer, r *results) {
	m := r.machine
	fmt.Fprintf(out, "\n## Machine and method\n\n")
	writeMarkdownTable(out, append([][]string{
		{"", ""},
		{"processor", fmt.Sprintf("%s, %d cores", m.processor, m.cores)},
		{"memory", m.memory},
		{"system", fmt.Sprintf("%s, Linux %s", m.system, m.kernel)},
		{"load at the start", m.load},
	}, r.rawLines()...))
	fmt.Fprintf(out, "\n")
	rows := [][]string{{"MPI", "version", "launched by"}}
	for _, l := range r.mpis {
		command := append([]string{filepath.Base(l.launcher[0])}, l.launcher[1:]...)
		rows = append(rows, []string{l.label, l.version, "`" + strings.Join(command, " ") + "`"})
	}
	writeMarkdownTable(out, rows)
	fmt.Fprintf(out, `
The same programs (bench/c) are compiled with -O2 by each library's own mpicc. The
libraries run in turn, and who begins changes from round to round. A program
finds out how many repetitions fill a batch and prints the median of up to five batches;
a table gives the median over the rounds with the quartiles behind it. A ratio is that of
the two medians, with the quartiles of the ratios round by round behind it.
A library that is so slow in a benchmark that its share of the time runs out has
fewer rounds or points. Rounds go over all benchmarks until the time is up.

No launcher binds. Where there is a core for each rank, rank i pins the thread that
calls MPI to the i-th core that it may use, right after MPI_Init and in the same way
for every library; the library's own threads stay free. Where ranks share cores, nothing
is pinned.
`)
}

func writeMarkdownTable(out io.Writer, rows [][]string) {
	for i, cells := range rows {
		escaped := make([]string, len(cells))
		for k, c := range cells {
			escaped[k] = escape(c)
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(escaped, " | "))
		if i == 0 {
			fmt.Fprintf(out, "|%s\n", strings.Repeat(" --- |", len(cells)))
		}
	}
}

// escape keeps a text within its table cell.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
