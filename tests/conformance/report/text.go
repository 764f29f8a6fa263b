package report

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// frequentReasons is how many reasons for failures the terminal shows.
const frequentReasons = 20

// Print shows the table and the most frequent reasons for failures on a terminal or in a log.
func (r *Report) Print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	list, sum := r.rows()
	fmt.Fprintf(out, "\nfolder\t%s\t", r.Subject.Name)
	if r.Baseline != nil {
		fmt.Fprintf(out, "%s\t", r.Baseline.Name)
	}
	fmt.Fprintf(out, "total\t\n")
	for _, x := range append(list, sum) {
		fmt.Fprintf(out, "%s\t%d\t", x.folder, x.subject)
		if r.Baseline != nil {
			fmt.Fprintf(out, "%d\t", x.baseline)
		}
		fmt.Fprintf(out, "%d\t\n", x.total)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	behind, both := r.failures()
	if r.Baseline != nil {
		fmt.Fprintf(w, "\n%d tests pass with %s and not with %s, %d fail with both, %d pass with %s alone.\n",
			len(behind), r.Baseline.Name, r.Subject.Name, len(both), len(r.ahead()), r.Subject.Name)
	}
	if found := reasons(behind); len(found) > 0 {
		fmt.Fprintf(w, "\nWhy, most frequent first:\n")
		for _, x := range found[:min(len(found), frequentReasons)] {
			fmt.Fprintf(w, "%5d  %s  (%s)\n", x.count, shorten(x.text, 130), x.first)
		}
	}
	if left := r.untidy(); len(left) > 0 {
		fmt.Fprintf(w, "\n%d runs left processes behind, the first: %s\n", len(left), left[0].Test)
	}
	_, err := fmt.Fprintf(w, "\n%s: %v for %d tests.\n", r.Part, r.Elapsed.Round(time.Second), len(r.Tests))
	return err
}

// shorten cuts a text to n characters.
func shorten(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
