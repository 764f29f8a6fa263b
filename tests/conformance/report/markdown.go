package report

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// detailLength is how many characters of a failure's detail a page shows.
const detailLength = 160

// pageHead begins the page.
const pageHead = `# Conformance

<!-- Written by make conformance; changes by hand are lost. -->

What MPICH's own test suite says. The suite is asked for what the standard defines, no more
(` + "`USE_STRICT_MPI`" + `). Each part is what the last run of all its tests came to.

` + "`make conformance-check`" + ` runs what has to pass of it, the whole or a quarter by turns
([internals/testing.md](internals/testing.md)).
`

// nodesHead begins the page on runs over several hosts.
const nodesHead = `# Conformance over several hosts

<!-- Written by make conformance NODES=%d; changes by hand are lost. -->

MPICH's own test suite with ranks on %d pretended hosts, one processor each, by turns. What stands in
[conformance.md](conformance.md) holds here as well. Files, and processes that are started or that
connect, are refused on communicators of several hosts.
`

// Page puts reports into the page of the documentation, by the name of their part. Other parts stay as they
// are in the old page, which may be empty. nodes is as in Report.
func Page(old string, reports map[string]string, parts []string, nodes int) string {
	page := pageHead
	if nodes > 0 {
		page = fmt.Sprintf(nodesHead, nodes, nodes)
	}
	for _, part := range parts {
		text, ok := reports[part]
		if !ok {
			text = section(old, part)
		}
		if text != "" {
			page += "\n" + strings.TrimSpace(text) + "\n"
		}
	}
	return page
}

// section finds a part in a page, with its heading.
func section(page, part string) string {
	_, rest, ok := strings.Cut(page, "\n"+heading(part)+"\n")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return heading(part) + "\n" + rest
}

func heading(part string) string { return "## " + part }

// Markdown gives the report as a part of the page.
func (r *Report) Markdown() string {
	out := &strings.Builder{}
	fmt.Fprintf(out, "%s\n\nThe %s tests of MPICH's test suite (version %s, obtained when the target runs), built and run with %s",
		heading(r.Part), r.Part, r.Suite, r.Subject.Name)
	if r.Baseline != nil {
		fmt.Fprintf(out, " and, on the same machine, with %s", r.Baseline.Library)
	}
	fmt.Fprintf(out, ".\n\n%s, commit %s", r.Date.Format(time.DateOnly), r.Commit)
	if r.Nodes == 0 {
		fmt.Fprintf(out, ", %d cores", r.Cores)
	}
	if r.Elapsed > 0 {
		fmt.Fprintf(out, ", %v", r.Elapsed.Round(time.Second))
	}
	fmt.Fprint(out, ".\n\n")
	r.table(out)
	behind, both := r.failures()
	if r.Baseline != nil {
		r.list(out, fmt.Sprintf("%s passes, %s does not", r.Baseline.Name, r.Subject.Name), behind)
		r.list(out, "Neither passes", both)
		r.list(out, fmt.Sprintf("%s passes, %s does not", r.Subject.Name, r.Baseline.Name), r.ahead())
	} else {
		r.list(out, "Failures", behind)
	}
	if left := r.untidy(); len(left) > 0 {
		fmt.Fprintf(out, "\n### Left processes behind: %d\n\n", len(left))
		for _, x := range left {
			fmt.Fprintf(out, "- %s: %s\n", code(x.Test), strings.Join(x.Left, ", "))
		}
	}
	if len(r.Exclusions) > 0 {
		fmt.Fprintf(out, "\n### Not counted\n\n")
		for _, e := range r.Exclusions {
			fmt.Fprintf(out, "- %s: %s\n", code(e.Test), e.Reason)
		}
	}
	return out.String()
}

// table writes the figures per folder.
func (r *Report) table(out io.Writer) {
	list, sum := r.rows()
	if r.Baseline != nil {
		fmt.Fprintf(out, "| folder | %s | %s | total |\n|---|--:|--:|--:|\n", r.Subject.Name, r.Baseline.Name)
	} else {
		fmt.Fprintf(out, "| folder | %s | total |\n|---|--:|--:|\n", r.Subject.Name)
	}
	for _, x := range append(list, sum) {
		fmt.Fprintf(out, "| %s | %d |", x.folder, x.subject)
		if r.Baseline != nil {
			fmt.Fprintf(out, " %d |", x.baseline)
		}
		fmt.Fprintf(out, " %d |\n", x.total)
	}
}

// list writes failures with their reasons.
func (r *Report) list(out io.Writer, title string, failures []Result) {
	fmt.Fprintf(out, "\n### %s: %d\n\n", title, len(failures))
	for _, f := range failures {
		fmt.Fprintf(out, "- %s: %s: %s\n", code(f.Test), f.Kind, code(shorten(f.Detail, detailLength)))
	}
}

// code sets a text as code.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }
