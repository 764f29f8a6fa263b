package timeline

import "fmt"

// Widths of the charts, in the units of their drawings.
const (
	chartWidth = 1000
	labelWidth = 90
	laneHeight = 18
	notesWidth = 170 // for numbers behind a bar
)

// What bounds the size of the page.
const (
	mostLanes   = 256 // ranks with a row over time
	mostCells   = 24000
	mostColumns = 450
	leastColumn = 60
)

// axis labels a scale of time below the charts.
func (p *page) axis(y, width float64, length int64) {
	for _, part := range []float64{0, 0.25, 0.5, 0.75, 1} {
		anchor := "middle"
		if part == 1 {
			anchor = "end"
		}
		p.print(`<text class="q" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, labelWidth+part*width, y, anchor,
			duration(int64(part*float64(length))))
	}
}

// first says which ranks a chart shows, when it does not show all.
func shown(n, all int) string {
	if n == all {
		return ""
	}
	return fmt.Sprintf(" Of %d ranks the first %d are shown.", all, n)
}

// lane is the shares of a rank's time in MPI, and waiting there, in each stretch of the run.
type lane struct{ inside, waiting []float64 }

// lanesOf spreads the calls of the first n ranks over columns of that many ns.
func (r *Run) lanesOf(n, columns int, step float64) []lane {
	all := make([]lane, n)
	for i := range all {
		all[i] = lane{make([]float64, columns), make([]float64, columns)}
	}
	spread := func(to []float64, begin, end int64) {
		first := min(int(float64(begin)/step), columns-1)
		for c := first; c < columns && float64(c)*step < float64(end); c++ {
			part := min(float64(end), float64(c+1)*step) - max(float64(begin), float64(c)*step)
			to[c] = min(to[c]+max(part, 0)/step, 1)
		}
	}
	outer := make([]int64, n)
	for i := range r.Events {
		e := &r.Events[i]
		if e.Process >= n {
			continue
		}
		if e.Begin >= outer[e.Process] {
			spread(all[e.Process].inside, e.Begin, e.End)
			outer[e.Process] = e.End
		}
		if e.For >= 0 {
			spread(all[e.Process].waiting, e.Begin, e.Begin+e.Wait)
		}
	}
	return all
}

// lanes shows for each rank how much of each stretch of the run it was in MPI, and waited.
func (p *page) lanes(r *Run, profile *Profile) {
	n := min(len(profile.Ranks), mostLanes)
	columns := min(max(mostCells/max(n, 1), leastColumn), mostColumns)
	step := float64(max(profile.Length, 1)) / float64(columns)
	p.section("Over time", "The height of a bar is the share of MPI in that part of the run."+
		shown(n, len(profile.Ranks)))
	p.open(n*laneHeight+20, "share of MPI over time")
	const scale, high = chartWidth - labelWidth, laneHeight - 2
	width := float64(scale) / float64(columns)
	for i, all := range r.lanesOf(n, columns, step) {
		y := float64(i * laneHeight)
		p.label(labelWidth-8, y+13, "end", "rank "+profile.Ranks[i].Name())
		p.rect(labelWidth, y, scale, high, colorOutside, "outside of MPI")
		percents := func(c int) (in, wait int) {
			in = int(100*all.inside[c] + 0.5)
			return in, min(int(100*all.waiting[c]+0.5), in)
		}
		for c := 0; c < columns; {
			in, wait := percents(c)
			end := c + 1
			for ; end < columns; end++ { // alike: one bar
				if a, b := percents(end); a != in || b != wait {
					break
				}
			}
			x, wide := labelWidth+float64(c)*width, float64(end-c)*width
			title := fmt.Sprintf("rank %s, %s to %s: %d %% in MPI, %d %% waiting", profile.Ranks[i].Name(),
				duration(int64(float64(c)*step)), duration(int64(float64(end)*step)), in, wait)
			if in > wait {
				p.rect(x, y+float64(high*(100-in))/100, wide, float64(high*(in-wait))/100, colorInside, title)
			}
			if wait > 0 {
				p.rect(x, y+float64(high*(100-wait))/100, wide, float64(high*wait)/100, colorWaiting, title)
			}
			c = end
		}
	}
	p.axis(float64(n*laneHeight+14), scale, profile.Length)
	p.close()
}

// ranks shows what each rank did with its time.
func (p *page) ranks(profile *Profile) {
	p.section("Time of each rank", "From its first call to its last one.")
	n := len(profile.Ranks)
	p.open(n*laneHeight+20, "time of each rank")
	const wide = chartWidth - labelWidth - notesWidth
	scale := float64(wide) / float64(max(profile.Length, 1))
	for i := range profile.Ranks {
		t := &profile.Ranks[i]
		y, x := float64(i*laneHeight), float64(labelWidth)
		p.label(labelWidth-8, y+13, "end", "rank "+t.Name())
		waited := min(t.Waited, t.Inside)
		for _, part := range []struct {
			time        int64
			color, what string
		}{{t.Length - t.Inside, colorOutside, "outside of MPI"}, {t.Inside - waited, colorInside, "in MPI, not waiting"},
			{waited, colorWaiting, "waiting"}} {
			width := float64(part.time) * scale
			p.rect(x, y, width, laneHeight-2, part.color, fmt.Sprintf("rank %s: %s %s", t.Name(),
				duration(part.time), part.what))
			x += max(width, 0)
		}
		p.label(x+6, y+13, "start", fmt.Sprintf("%s in MPI, %s waiting", percent(t.Inside, t.Length),
			percent(waited, t.Length)))
	}
	p.axis(float64(n*laneHeight+14), wide, profile.Length)
	p.close()
}

// functions shows in which functions the time in MPI went.
func (p *page) functions(profile *Profile) {
	const names = 220
	p.section("Time of each function", "Of all ranks together.")
	calls := first(profile.Calls)
	p.open(len(calls)*laneHeight+4, "time of each function")
	most := int64(1)
	for _, c := range calls {
		most = max(most, c.Time)
	}
	scale := float64(chartWidth-names-notesWidth) / float64(most)
	for i, c := range calls {
		y, waited := float64(i*laneHeight), min(c.Waited, c.Time)
		p.label(names-8, y+13, "end", c.Name)
		own := float64(c.Time-waited) * scale
		p.rect(names, y, own, laneHeight-2, colorInside, c.Name+": "+duration(c.Time-waited)+" in MPI, not waiting")
		p.rect(names+own, y, float64(waited)*scale, laneHeight-2, colorWaiting, c.Name+": "+duration(waited)+" waiting")
		p.label(names+float64(c.Time)*scale+6, y+13, "start", duration(c.Time)+", "+plural(c.Calls, "call"))
	}
	p.close()
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
		p.section("Who waited for whom", "Nobody, as far as the calls show.")
		return
	}
	p.section("Who waited for whom", "A row is the rank that waited, a column the one that was late; the strongest color is "+
		duration(most)+"."+shown(n, len(profile.Ranks)))
	cell := min(float64(chartWidth-labelWidth)/float64(n), 44)
	p.open(int(cell*float64(n))+24, "who waited for whom")
	const letters = 24 // of the width that a label above a column takes
	every := int(letters/cell) + 1
	for who := range n {
		y := 20 + cell*float64(who)
		p.label(labelWidth-8, y+cell/2+4, "end", "rank "+profile.Ranks[who].Name())
		if who%every == 0 {
			p.label(labelWidth+cell*(float64(who)+0.5), 14, "middle", profile.Ranks[who].Name())
		}
		p.rect(labelWidth, y, cell*float64(n)-2, cell-2, colorOutside, "rank "+profile.Ranks[who].Name())
		for cause := range n {
			time := times[[2]int{who, cause}]
			if time == 0 {
				continue
			}
			p.print(`<g opacity="%.2f">`, max(0.08, float64(time)/float64(most)))
			p.rect(labelWidth+cell*float64(cause), y, cell-2, cell-2, colorWaiting, fmt.Sprintf(
				"rank %s waited %s for rank %s", profile.Ranks[who].Name(), duration(time), profile.Ranks[cause].Name()))
			p.print("</g>")
		}
	}
	p.close()
}

// sizes shows how many messages there are of each size.
func (p *page) sizes(profile *Profile) {
	if len(profile.Sizes) == 0 {
		return
	}
	p.section("Sizes of messages", "In bytes, and how many of them there are.")
	most := 1
	for _, s := range profile.Sizes {
		most = max(most, s.Messages)
	}
	p.open(len(profile.Sizes)*laneHeight+4, "sizes of messages")
	const names = 2 * labelWidth
	for i, s := range profile.Sizes {
		y := float64(i * laneHeight)
		p.label(names-8, y+13, "end", s.rangeText()+" B")
		width := float64(chartWidth-names-notesWidth-20) * float64(s.Messages) / float64(most)
		text := plural(s.Messages, "message") + ", " + size(s.Bytes)
		p.rect(names, y, width, laneHeight-2, colorInside, text)
		p.label(names+width+6, y+13, "start", text)
	}
	p.close()
}
