package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// writeReport writes README.md and the charts into a folder. Charts of an
// earlier report that are not drawn again are removed.
func writeReport(folder string, r *results) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*.svg"))
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
		drawn, err := writeChart(filepath.Join(folder, t.name+".svg"), r, t)
		if err != nil {
			return fmt.Errorf("chart of %s: %w", t.name, err)
		}
		charts[t.name] = drawn
	}
	var text bytes.Buffer
	writeMarkdown(&text, r, charts)
	return os.WriteFile(filepath.Join(folder, "README.md"), text.Bytes(), 0o644)
}

// writeMarkdown writes the report; charts says which tables have one.
func writeMarkdown(out io.Writer, r *results, charts map[string]bool) {
	fmt.Fprintf(out, "# gompi beside its peers\n\n")
	fmt.Fprintf(out, "Written by `make bench` on %s; do not edit.\n", r.date.Format("2006-01-02 15:04 MST"))
	if r.quick {
		fmt.Fprintf(out, "This was a quick run, with few rounds and sizes.\n")
	}
	writeVerdicts(out, r)
	writeConditions(out, r)
	for _, t := range r.tables {
		fmt.Fprintf(out, "\n## %s\n\n%s\n", t.heading(), t.about)
		if len(t.rows) > 0 {
			fmt.Fprintln(out)
			writeMarkdownTable(out, r.cells(t))
		}
		if charts[t.name] {
			fmt.Fprintf(out, "\n![%s](%s.svg)\n", t.title, t.name)
		}
		for _, f := range t.failures {
			fmt.Fprintf(out, "\n%s failed on %d ranks: %s\n", r.label(f.mpi), f.ranks, escape(f.err.Error()))
		}
	}
}

func writeVerdicts(out io.Writer, r *results) {
	verdicts := r.judge()
	if len(verdicts) == 0 {
		return
	}
	fmt.Fprintf(out, "\n## Targets\n\n")
	rows := [][]string{{"figure", "target", "measured", "", "compared with"}}
	for _, v := range verdicts {
		rows = append(rows, []string{v.title, v.target, v.measured, v.state, v.against})
	}
	writeMarkdownTable(out, rows)
}

// writeConditions says on what and how it was measured.
func writeConditions(out io.Writer, r *results) {
	m := r.machine
	fmt.Fprintf(out, "\n## Machine and method\n\n")
	writeMarkdownTable(out, [][]string{
		{"", ""},
		{"processor", fmt.Sprintf("%s, %d cores", m.processor, m.cores)},
		{"memory", m.memory},
		{"system", fmt.Sprintf("%s, Linux %s", m.system, m.kernel)},
		{"load at the start", m.load},
		{"commit", m.commit},
	})
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
finds out how many repetitions fill a batch and prints the median of five batches;
a table gives the median over the rounds with the quartiles behind it. A ratio is that of
the two medians, with the quartiles of the ratios round by round behind it.
A library that is so slow in a benchmark that its share of the time runs out has
fewer rounds.

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
