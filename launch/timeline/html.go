package timeline

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
)

const pageTop = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>%s</title>
<style>
body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 1000px; color: #222; }
h2 { margin-top: 1.6em; font-size: 1.2em; } svg { display: block; width: 100%%; } svg text { font-size: 12px; fill: #222; }
table { border-collapse: collapse; } td, th { padding: 2px 12px 2px 0; text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.key span { padding: 0 .5em; margin-right: 1em; border-left: 1em solid; }
</style></head><body>
<h1>%s</h1>
`

// Colors of the charts.
const (
	colorOutside = "#dde3ea"
	colorInside  = "#3b7dbd"
	colorWaiting = "#d9622b"
)

// Widths of the charts, in the units of their drawings.
const (
	chartWidth = 1000
	labelWidth = 90
	laneHeight = 18
	columns    = 450
)

// page writes HTML and keeps the first error.
type page struct {
	*bufio.Writer
}

func (p *page) print(format string, args ...any) { fmt.Fprintf(p.Writer, format, args...) }

func (p *page) rect(x, y, width, height float64, color, title string) {
	p.print(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s</title></rect>`, x, y, max(width, 0),
		height, color, html.EscapeString(title))
}

func (p *page) label(x, y float64, anchor, text string) {
	p.print(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, html.EscapeString(text))
}

func (p *page) open(height int, title string) {
	p.print(`<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, chartWidth, height, html.EscapeString(title))
}

// HTML writes the profile as one page with charts, which needs nothing from elsewhere.
func (r *Run) HTML(out io.Writer) error {
	profile := r.Profile()
	p := &page{bufio.NewWriterSize(out, 1<<16)}
	title := fmt.Sprintf("%s in %s: %s", plural(len(profile.Ranks), "rank"), duration(profile.Length),
		plural(profile.Messages, "message"))
	p.print(pageTop, html.EscapeString(title), html.EscapeString(title))
	p.print(`<p class="key"><span style="border-color:%s">outside of MPI</span><span style="border-color:%s">in MPI</span>`+
		`<span style="border-color:%s">in MPI, waiting for a rank that is late</span></p>`, colorOutside, colorInside, colorWaiting)
	p.print("<h2>Share of MPI over time</h2>\n")
	p.lanes(r, profile)
	p.print("<h2>Time of each rank</h2>\n")
	p.ranks(profile)
	p.print("<h2>Who waited for whom</h2>\n")
	p.matrix(profile)
	p.print("<h2>Sizes of messages</h2>\n")
	p.sizes(profile)
	p.print("<h2>All numbers</h2>\n<pre>")
	var text strings.Builder
	if err := profile.Text(&text); err != nil {
		return err
	}
	p.print("%s</pre>\n</body></html>\n", html.EscapeString(text.String()))
	return p.Flush()
}

// lanes shows for each rank how much of each stretch of the run it was in MPI, and waited.
func (p *page) lanes(r *Run, profile *Profile) {
	n := len(profile.Ranks)
	inside, waiting := make([][columns]float64, n), make([][columns]float64, n)
	step := float64(max(profile.Length, 1)) / columns
	spread := func(lane *[columns]float64, begin, end int64) {
		first := min(int(float64(begin)/step), columns-1)
		for c := first; c < columns && float64(c)*step < float64(end); c++ {
			part := min(float64(end), float64(c+1)*step) - max(float64(begin), float64(c)*step)
			lane[c] += max(part, 0) / step
		}
	}
	outer := make([]int64, n)
	for i := range r.Events {
		e := &r.Events[i]
		if e.Begin >= outer[e.Process] {
			spread(&inside[e.Process], e.Begin, e.End)
			outer[e.Process] = e.End
		}
		if e.For >= 0 {
			spread(&waiting[e.Process], e.Begin, e.Begin+e.Wait)
		}
	}
	p.open(n*laneHeight+20, "share of MPI over time")
	width := float64(chartWidth-labelWidth) / columns
	for i := range profile.Ranks {
		y := float64(i * laneHeight)
		p.label(labelWidth-8, y+13, "end", "rank "+profile.Ranks[i].Name())
		p.rect(labelWidth, y, chartWidth-labelWidth, laneHeight-2, colorOutside, "outside of MPI")
		for c := range columns {
			in, wait := min(inside[i][c], 1), min(waiting[i][c], 1)
			if in == 0 {
				continue
			}
			x, high := labelWidth+float64(c)*width, float64(laneHeight-2)
			title := fmt.Sprintf("at %s: %.0f %% in MPI, %.0f %% waiting", duration(int64(float64(c)*step)), 100*in, 100*wait)
			p.rect(x, y+high*(1-in), width, high*in, colorInside, title)
			if wait > 0 {
				p.rect(x, y+high*(1-wait), width, high*wait, colorWaiting, title)
			}
		}
	}
	for _, part := range []float64{0, 0.25, 0.5, 0.75, 1} {
		anchor := map[bool]string{true: "end", false: "middle"}[part == 1]
		p.label(labelWidth+part*(chartWidth-labelWidth), float64(n*laneHeight+14), anchor,
			duration(int64(part*float64(profile.Length))))
	}
	p.print("</svg>\n")
}

// ranks shows what each rank did with its time.
func (p *page) ranks(profile *Profile) {
	p.open(len(profile.Ranks)*laneHeight+4, "time of each rank")
	scale := float64(chartWidth-labelWidth) / float64(max(profile.Length, 1))
	for i := range profile.Ranks {
		t := &profile.Ranks[i]
		y, x := float64(i*laneHeight), float64(labelWidth)
		p.label(labelWidth-8, y+13, "end", "rank "+t.Name())
		waited := min(t.Waited, t.Inside)
		for _, part := range []struct {
			time        int64
			color, what string
		}{{t.Length - t.Inside, colorOutside, "outside of MPI"}, {t.Inside - waited, colorInside, "in MPI"}, {waited,
			colorWaiting, "waiting"}} {
			width := float64(part.time) * scale
			p.rect(x, y, width, laneHeight-2, part.color, fmt.Sprintf("%s %s", duration(part.time), part.what))
			x += max(width, 0)
		}
	}
	p.print("</svg>\n")
}

// mostInMatrix is how many ranks have a row; with more of them it could not be read.
const mostInMatrix = 64

// matrix shows in a row for each rank how long it waited for each other one.
func (p *page) matrix(profile *Profile) {
	n := min(len(profile.Ranks), mostInMatrix)
	times, most := map[[2]int]int64{}, int64(0)
	for _, w := range profile.Waits {
		key := [2]int{w.Who, w.For}
		times[key] += w.Time
		most = max(most, times[key])
	}
	if most == 0 {
		p.print("<p>Nobody, as far as the calls show.</p>\n")
		return
	}
	if n < len(profile.Ranks) {
		p.print("<p>The first %d ranks.</p>\n", n)
	}
	cell := min(float64(chartWidth-labelWidth)/float64(n), 44)
	p.open(int(cell*float64(n))+24, "who waited for whom")
	for who := range n {
		p.label(labelWidth-8, 20+cell*(float64(who)+0.5)+4, "end", "rank "+profile.Ranks[who].Name())
		p.label(labelWidth+cell*(float64(who)+0.5), 14, "middle", profile.Ranks[who].Name())
		for cause := range n {
			time := times[[2]int{who, cause}]
			p.print(`<g opacity="%.2f">`, max(0.04, float64(time)/float64(most)))
			p.rect(labelWidth+cell*float64(cause), 20+cell*float64(who), cell-2, cell-2, colorWaiting,
				fmt.Sprintf("rank %s waited %s for rank %s", profile.Ranks[who].Name(), duration(time), profile.Ranks[cause].Name()))
			p.print("</g>")
		}
	}
	p.print("</svg>\n<p>A row is the rank that waited, a column the one that was late; the darkest is %s.</p>\n", duration(most))
}

// sizes shows how many messages there are of each size.
func (p *page) sizes(profile *Profile) {
	most := 1
	for _, s := range profile.Sizes {
		most = max(most, s.Messages)
	}
	p.open(len(profile.Sizes)*laneHeight+4, "sizes of messages")
	for i, s := range profile.Sizes {
		y := float64(i * laneHeight)
		p.label(2*labelWidth-8, y+13, "end", s.rangeText()+" B")
		width := float64(chartWidth-4*labelWidth) * float64(s.Messages) / float64(most)
		p.rect(2*labelWidth, y, width, laneHeight-2, colorInside, plural(s.Messages, "message"))
		p.label(2*labelWidth+width+6, y+13, "start", plural(s.Messages, "message")+", "+size(s.Bytes))
	}
	p.print("</svg>\n")
}
