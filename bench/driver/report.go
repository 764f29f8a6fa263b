package main

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// writeMarkdown writes the report; charts says by kind of processor which tables have one.
func (p page) writeMarkdown(out io.Writer, all []*results, charts []map[string]bool) {
	fmt.Fprintf(out, "# gompi beside its peers\n\n")
	fmt.Fprintf(out, "Written by `make bench`; do not edit.%s\n", p.more)
	writeSums(out, all)
	writeMethod(out)
	for i, r := range all {
		p.writeKind(out, r, charts[i])
	}
}

func writeSection(out io.Writer, title, text string, rows [][]string) {
	if len(rows) > 1 {
		fmt.Fprintf(out, "\n%s\n\n%s", title, text)
		writeMarkdownTable(out, rows)
	}
}

// writeSums says where gompi stands on all kinds of processors, what is behind first.
func writeSums(out io.Writer, all []*results) {
	writeSection(out, "## Where gompi is behind",
		fmt.Sprintf("At %d points gompi is more than a tenth behind the better of its peers. The worst:\n\n",
			len(worstOf(all))), worstRows(all, 25))
	writeSection(out, "## Targets", "They hold on every kind of processor.\n\n", verdictRows(all))
}

// writeKind writes all that was measured on a kind of processor.
func (p page) writeKind(out io.Writer, r *results, charts map[string]bool) {
	fmt.Fprintf(out, "\n## %s\n\n", r.machine.kind())
	fmt.Fprintf(out, "Measured on %s, %s, in %.0f s with %d rounds: [%s.json](%s.json).\n",
		r.date.Format("2006-01-02 15:04 MST"), "commit "+r.machine.commit, r.duration.Seconds(), r.rounds,
		r.machine.fileName(), path.Join(p.results, r.machine.fileName()))
	if r.quick {
		fmt.Fprintf(out, "This was a quick run, with one round and few sizes.\n")
	}
	if missing := r.missing(); len(missing) > 0 {
		fmt.Fprintf(out, "\nThis run is older than these benchmarks: %s.\n", strings.Join(missing, "; "))
	}
	if r.has("gompi") && len(r.mpis) > 1 {
		writeSection(out, "### All benchmarks, "+r.machine.kind(),
			"The worst first. Within a tenth of the better peer counts as even.\n\n", r.overviewRows())
		if charts[overviewName] {
			fmt.Fprintf(out, "\n![All points beside the better peer](%s/%s.svg)\n", r.machine.fileName(), overviewName)
		}
	}
	writeSection(out, "### Not yet, "+r.machine.kind(),
		"gompi does not have these functions yet, so nothing could be measured.\n\n", r.notYet())
	writeConditions(out, r)
	for _, t := range r.tables {
		writeMarkdownSection(out, r, t, charts[t.name])
	}
}

// missing are the titles of benchmarks that the results of a whole run do not know.
func (r *results) missing() []string {
	var titles []string
	for _, b := range allBenchmarks(plan{}) {
		if r.table(b.name) == nil && !r.part {
			titles = append(titles, b.title)
		}
	}
	return titles
}

// foldedFrom is how many rows a table has that is folded away.
const foldedFrom = 12

func writeMarkdownSection(out io.Writer, r *results, t *table, chart bool) {
	fmt.Fprintf(out, "\n### %s\n\n%s\n", t.heading(), strings.TrimSpace(t.about))
	if len(t.rows) == 0 && len(t.failures) == 0 && len(t.unsupported) == 0 {
		fmt.Fprintf(out, "\nThere was no time for it.\n")
	}
	if note := t.loadNote(); note != "" {
		fmt.Fprintf(out, "\n%s\n", note)
	}
	if chart {
		fmt.Fprintf(out, "\n![%s](%s/%s.svg)\n", t.title, r.machine.fileName(), t.name)
	}
	if len(t.rows) > 0 {
		folded := len(t.rows) >= foldedFrom
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

// writeConditions says on what it was measured.
func writeConditions(out io.Writer, r *results) {
	m := r.machine
	rows := [][]string{
		{"", ""},
		{"processor", fmt.Sprintf("%s, %d cores", m.processor, m.cores)},
		{"memory", m.memory},
		{"system", fmt.Sprintf("%s, Linux %s", m.system, m.kernel)},
		{"load at the start", m.load},
	}
	rows = append(rows, r.loadLines()...)
	rows = append(rows, r.rawLines()...)
	fmt.Fprintf(out, "\n### Machine, %s\n\n", m.kind())
	writeMarkdownTable(out, rows)
	fmt.Fprintf(out, "\n")
	rows = [][]string{{"MPI", "version", "launched by"}}
	for _, l := range r.mpis {
		command := append([]string{filepath.Base(l.launcher[0])}, l.launcher[1:]...)
		rows = append(rows, []string{l.label, l.version, "`" + strings.Join(command, " ") + "`"})
	}
	writeMarkdownTable(out, rows)
}

// writeMethod says how it was measured.
func writeMethod(out io.Writer) {
	fmt.Fprintf(out, `
## Method

The same programs (bench/c) are compiled with -O2 by each library's own mpicc. The
libraries run in turn, and who begins changes from turn to turn. A program warms up and
finds out how many repetitions fill a batch; the median of up to five batches is a sample.
A table gives the median of the samples with the interval in which it lies at a confidence of
%.0f %%, without an assumption about the distribution. Of fewer than four samples it is their
range. A ratio is that of the two medians, with the interval of the ratios turn by turn. Beside it
stand the ratio of the best batches of the whole run and that of the means over all batches:
other programs move the means, and hardly the best batches.

Rounds go over all benchmarks until the time is up. A point is repeated until its interval is
certain: it reaches no more than %.0f %% from its median, or all of it is ahead, even or behind.
A point that is not certain when the time is up is marked: (few) stands for fewer than four
samples, (wide) for an interval that is too wide. What takes long is measured in the first round
alone: (once). A library that is so slow in a benchmark that its share of the time runs out has
fewer samples or points.

Whether the first two cores lie near to one another or far apart is measured before each turn of
a benchmark: a virtual machine may move while it runs. Each kind has its own results. What other
programs used is the busy time of /proc/stat without what the bench itself used; that something
waited for a core is said by /proc/pressure/cpu.

No launcher binds. Where there is a core for each rank, rank i pins the thread that
calls MPI to the i-th core that it may use, right after MPI_Init and in the same way
for every library; the library's own threads stay free. Where ranks share cores, or other
programs run beside them, nothing is pinned.
`, 100*confidence, 100*narrow)
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
