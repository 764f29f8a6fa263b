package main

import (
	_ "embed"
	"fmt"
	"html"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
)

//go:embed report.tmpl
var reportText string

// report has the page and its charts. Tables have the heads of their columns first.
var report = template.Must(template.New("").Funcs(template.FuncMap{
	"cell":       escape,
	"html":       html.EscapeString,
	"pt":         func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
	"row":        func(i int, more float64) float64 { return 8 + 12*float64(i) + more },
	"add":        func(a, b float64) float64 { return a + b },
	"behind":     func(all []*results) int { return len(worstOf(all)) },
	"worst":      func(all []*results) [][]string { return worstRows(all, 25) },
	"verdicts":   verdictRows,
	"kind":       func(v reportView, r *results, i int) kindView { return kindView{r, v.results, v.charts[i]} },
	"name":       func(t *table) string { return t.name },
	"title":      func(t *table) string { return t.title },
	"about":      func(t *table) string { return strings.TrimSpace(t.about) },
	"heading":    (*table).heading,
	"note":       (*table).loadNote,
	"unmeasured": func(t *table) bool { return len(t.rows)+len(t.failures)+len(t.unsupported) == 0 },
	// Tables without rows are left out, long ones folded away.
	"filled": func(rows [][]string) [][]string { return rows[:len(rows)*min(1, len(rows)/2)] },
	"folded": func(rows [][]string) bool { return len(rows) > 12 },
}).Parse(reportText))

// reportView is what the page is about.
type reportView struct {
	page
	All                []*results
	charts             []map[string]bool // by kind of processor, which tables have one
	Confidence, Narrow float64           // in percent
}

func (v reportView) More() string { return v.more }

// kindView is what was measured on a kind of processor.
type kindView struct {
	*results
	folder string // of the file of results
	charts map[string]bool
}

func (v kindView) Name() string              { return v.machine.kind() }
func (v kindView) Date() string              { return v.date.Format("2006-01-02 15:04 MST") }
func (v kindView) Commit() string            { return v.machine.commit }
func (v kindView) Seconds() string           { return fmt.Sprintf("%.0f", v.duration.Seconds()) }
func (v kindView) Rounds() int               { return v.rounds }
func (v kindView) Quick() bool               { return v.quick }
func (v kindView) File() string              { return v.machine.fileName() }
func (v kindView) Results() string           { return path.Join(v.folder, v.File()) }
func (v kindView) Missing() string           { return strings.Join(v.missing(), "; ") }
func (v kindView) Drawn(name string) bool    { return v.charts[name] }
func (v kindView) NotYet() [][]string        { return v.notYet() }
func (v kindView) Tables() []*table          { return v.tables }
func (v kindView) Cells(t *table) [][]string { return v.cells(t) }

func (v kindView) Overview() [][]string {
	if !v.has("gompi") || len(v.mpis) < 2 {
		return nil
	}
	return v.overviewRows()
}

func (v kindView) MPIs() [][]string {
	rows := [][]string{{"MPI", "version", "launched by"}}
	for _, l := range v.mpis {
		command := append([]string{filepath.Base(l.launcher[0])}, l.launcher[1:]...)
		rows = append(rows, []string{l.label, l.version, "`" + strings.Join(command, " ") + "`"})
	}
	return rows
}

func (v kindView) Failures(t *table) (lines []string) {
	for _, f := range t.failures {
		lines = append(lines, fmt.Sprintf("%s failed on %d ranks: %s", v.label(f.mpi), f.ranks, escape(f.err.Error())))
	}
	return lines
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

// Conditions say on what it was measured.
func (v kindView) Conditions() [][]string {
	m := v.machine
	rows := [][]string{
		{"", ""},
		{"processor", fmt.Sprintf("%s, %d cores", m.processor, m.cores)},
		{"memory", m.memory},
		{"system", fmt.Sprintf("%s, Linux %s", m.system, m.kernel)},
		{"load at the start", m.load},
	}
	return append(append(rows, v.loadLines()...), v.rawLines()...)
}

// escape keeps a text within its table cell.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
