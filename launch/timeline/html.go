package timeline

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
)

// The page takes light or dark colors as the reader's system does. A window that is narrower than the charts
// scrolls them sideways, as their texts would be too small to read otherwise.
const pageTop = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>%[1]s</title>
<style>
:root { color-scheme: light dark; --text: #222; --back: #fff; --quiet: #5c6670;
  --outside: #dde3ea; --inside: #3b7dbd; --waiting: #d9622b; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6e8; --back: #15181c; --quiet: #9aa5b0;
  --outside: #323a44; --inside: #5b9bd5; --waiting: #ee7c44; } }
body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 1000px; padding: 0 1em;
  color: var(--text); background: var(--back); }
h1 { font-size: 1.5em; } h2 { margin: 1.8em 0 .3em; font-size: 1.15em; }
p { margin: .3em 0 .7em; } p.note { color: var(--quiet); font-size: 13px; }
ul { padding-left: 1.2em; font-size: 16px; }
div.wide { overflow-x: auto; } svg { display: block; width: 100%%; min-width: 720px; }
svg text { font-size: 12px; fill: var(--text); } svg text.q { fill: var(--quiet); }
rect { shape-rendering: crispEdges; }
.o { fill: var(--outside); } .i { fill: var(--inside); } .w { fill: var(--waiting); }
.key { position: sticky; top: 0; padding: .4em 0; background: var(--back); }
.key span { white-space: nowrap; margin-right: 1.2em; }
.key svg { display: inline; width: 1em; min-width: 0; height: 1em; vertical-align: -2px; }
pre { overflow-x: auto; font-size: 13px; }
</style></head><body>
<h1>%[1]s</h1>
`

// key explains the colors.
const key = `<p class="key"><span><svg viewBox="0 0 1 1"><rect class="o" width="1" height="1"/></svg> outside of MPI</span>
<span><svg viewBox="0 0 1 1"><rect class="i" width="1" height="1"/></svg> in MPI</span>
<span><svg viewBox="0 0 1 1"><rect class="w" width="1" height="1"/></svg> in MPI, waiting for a rank that is late</span></p>
`

// Colors of the charts, as classes of the page's style.
const (
	colorOutside = "o"
	colorInside  = "i"
	colorWaiting = "w"
)

// page writes HTML. Its writer keeps the first error.
type page struct {
	*bufio.Writer
}

func (p *page) print(format string, args ...any) { fmt.Fprintf(p.Writer, format, args...) }

// section begins a chart, with a line that says how to read it.
func (p *page) section(title, note string) {
	p.print("<h2>%s</h2>\n<p class=\"note\">%s</p>\n", html.EscapeString(title), html.EscapeString(note))
}

// rect draws a bar, with a text that shows when the pointer is on it.
func (p *page) rect(x, y, width, height float64, color, title string) {
	p.print(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="%s"><title>%s</title></rect>`, x, y,
		max(width, 0), height, color, html.EscapeString(title))
}

func (p *page) label(x, y float64, anchor, text string) {
	p.print(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, html.EscapeString(text))
}

// open begins a drawing of that height.
func (p *page) open(height int, title string) {
	p.print(`<div class="wide"><svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, chartWidth, height,
		html.EscapeString(title))
}

func (p *page) close() { p.print("</svg></div>\n") }

// HTML writes the profile as one page, which needs nothing from elsewhere: what matters first, then the
// charts, then all numbers.
func (r *Run) HTML(out io.Writer) error {
	profile := r.Profile()
	p := &page{bufio.NewWriterSize(out, 1<<16)}
	title := fmt.Sprintf("%s in %s: %s of %s", plural(len(profile.Ranks), "rank"), duration(profile.Length),
		plural(profile.Messages, "message"), size(profile.Bytes))
	p.print(pageTop, html.EscapeString(title))
	p.print("<ul>\n")
	for _, line := range profile.findings() {
		p.print("<li>%s</li>\n", html.EscapeString(line))
	}
	p.print("</ul>\n%s", key)
	p.lanes(r, profile)
	p.ranks(profile)
	p.functions(profile)
	p.matrix(profile)
	p.sizes(profile)
	p.print("<h2>All numbers</h2>\n<pre>")
	var text strings.Builder
	if err := profile.Text(&text); err != nil {
		return err
	}
	p.print("%s</pre>\n</body></html>\n", html.EscapeString(text.String()))
	return p.Flush()
}
