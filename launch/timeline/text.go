package timeline

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// mostRows is how long a table of a profile may be.
const mostRows = 25

// Text writes the profile for people.
func (p *Profile) Text(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	line("%s in %s, %s, %s of %s", plural(len(p.Ranks), "rank"), duration(p.Length), plural(p.calls(), "call"),
		plural(p.Messages, "message"), size(p.Bytes))
	line("")
	for _, text := range p.findings() {
		line("%s", text)
	}
	line("\nTime in MPI, and how much of it was waiting for a rank that was late\n")
	line("  rank\tcalls\tin MPI\tshare\twaited\tothers waited for it\t")
	for i := range p.Ranks {
		r := &p.Ranks[i]
		open := ""
		if r.Open != "" {
			open = "ended within " + r.Open
		}
		line("  %s\t%d\t%s\t%s\t%s\t%s\t%s", r.Name(), r.Calls, duration(r.Inside), percent(r.Inside, r.Length),
			duration(r.Waited), duration(r.Caused), open)
	}
	line("\nCalls\n")
	line("  function\tcalls\ttime\tmean\tlongest\twaited\tmost on rank")
	for _, c := range first(p.Calls) {
		line("  %s\t%d\t%s\t%s\t%s\t%s\t%s: %s", c.Name, c.Calls, duration(c.Time), duration(c.Time/int64(c.Calls)),
			duration(c.Longest), duration(c.Waited), p.Ranks[c.MostRank].Name(), duration(c.Most))
	}
	rest(w, len(p.Calls))
	if len(p.Waits) > 0 {
		line("\nWho waited for whom\n")
		line("  rank\tfor rank\ttime\ttimes\twhy\tmost in")
	}
	for _, x := range first(p.Waits) {
		line("  %s\t%s\t%s\t%d\t%s\t%s", p.Ranks[x.Who].Name(), p.Ranks[x.For].Name(), duration(x.Time), x.Times, x.Why, x.Call)
	}
	rest(w, len(p.Waits))
	p.lateSenders(line)
	if len(p.Collectives) > 0 {
		line("\nImbalance: from the first to the last rank that enters a collective operation\n")
		line("  function\toperations\tmean\tmost\tlast most often")
	}
	for _, c := range first(p.Collectives) {
		line("  %s\t%d\t%s\t%s\trank %s, %s", c.Name, c.Operations, duration(c.Mean), duration(c.Most),
			p.Ranks[c.Last].Name(), plural(c.LastShares, "time"))
	}
	if len(p.Sizes) > 0 {
		line("\nSizes of messages\n")
		line("  bytes\tmessages\tdata")
	}
	for _, s := range p.Sizes {
		line("  %s\t%d\t%s\t%s", s.rangeText(), s.Messages, size(s.Bytes), bar(s.Messages, p.Messages))
	}
	return w.Flush()
}

// lateSenders lists the ranks whose messages others waited for.
func (p *Profile) lateSenders(line func(string, ...any)) {
	late := make([]Wait, len(p.Ranks))
	any := false
	for _, x := range p.Waits {
		if x.Why == LateSender {
			late[x.For].Time += x.Time
			late[x.For].Times += x.Times
			any = true
		}
	}
	if !any {
		return
	}
	line("\nLate senders\n")
	line("  rank\tothers waited\ttimes")
	for i := range late {
		if late[i].Times > 0 {
			line("  %s\t%s\t%d", p.Ranks[i].Name(), duration(late[i].Time), late[i].Times)
		}
	}
}

func (p *Profile) calls() (n int) {
	for i := range p.Ranks {
		n += p.Ranks[i].Calls
	}
	return n
}

func first[T any](list []T) []T { return list[:min(len(list), mostRows)] }

func rest(w io.Writer, n int) {
	if n > mostRows {
		fmt.Fprintf(w, "  and %d more\n", n-mostRows)
	}
}

func (s *Size) rangeText() string {
	if s.Least >= s.Most {
		return fmt.Sprint(s.Most)
	}
	return fmt.Sprintf("%d-%d", s.Least, s.Most)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// duration is a time with three digits that matter.
func duration(ns int64) string {
	switch {
	case ns == 0:
		return "0"
	case ns < 1000:
		return fmt.Sprintf("%d ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.3g us", min(float64(ns)/1e3, 999))
	case ns < 1e9:
		return fmt.Sprintf("%.3g ms", min(float64(ns)/1e6, 999))
	}
	return fmt.Sprintf("%.2f s", float64(ns)/1e9)
}

func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	case bytes < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}

func percent(part, whole int64) string {
	if whole <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

func bar(n, all int) string { return strings.Repeat("#", (30*n+all-1)/max(all, 1)) }
