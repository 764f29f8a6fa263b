package main

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strconv"
)

// The colours of the libraries tell them apart in print and to the colour-blind. So do the shapes of their
// marks, which the template knows by their names.
var chartColours = map[string]string{"gompi": "#d55e00", "mpich": "#0072b2", "openmpi": "#009e73"}

// Here is what the template "sheet" draws, with every place in points from the upper left.
type (
	sheet struct {
		Width, Height float64
		Plots         []*plot
	}
	plot struct {
		Title, Axis, Unit        string
		TitleSize                int
		Left, Top, Right, Bottom float64 // of the field in which values stand
		X, Y                     []tick
		Grid                     bool
		Lines, Marks, Legend     []marks
	}
	tick struct {
		At    float64
		Label string
	}
	point struct{ X, Y float64 }
	marks struct {
		Label, Colour, Shape string
		Value                string  // what stands above its end
		Width                float64 // of a line
		Points               []point
	}
)

func (p *plot) Middle() float64 { return (p.Left + p.Right) / 2 }
func (p *plot) Centre() float64 { return (p.Top + p.Bottom) / 2 }

// scale leads values to places, on a logarithmic axis.
type scale struct{ least, most, from, to float64 }

func (s scale) at(v float64) float64 {
	return s.from + (s.to-s.from)*math.Log(v/s.least)/math.Log(s.most/s.least)
}

// newPlot has room around its field for what is written there.
func newPlot(title string, size int, left, top, width, height float64) *plot {
	return &plot{Title: title, TitleSize: size, Left: left + 56, Top: top + 26, Right: left + width - 14,
		Bottom: top + height - 38}
}

// save writes a drawing.
func (s sheet) save(path string) error {
	var svg bytes.Buffer
	if err := report.ExecuteTemplate(&svg, "sheet", s); err != nil {
		return err
	}
	return os.WriteFile(path, svg.Bytes(), 0o644)
}

// writeChart draws a table: curves over bytes or ranks with both axes logarithmic, bars where there is a
// single row. Of several series each has a small chart of its own, beside and below one another. It says
// whether there was anything to draw.
func writeChart(path string, r *results, t *table) (bool, error) {
	series, size, width, height, columns := t.series(), 13, 504.0, 288.0, 1
	if len(series) > 1 {
		size, width, height, columns = 11, 240, 187, 3
	}
	drawing := sheet{Width: width * float64(columns)}
	for _, s := range series {
		part, n, title := t.part(s), len(drawing.Plots), t.title
		if len(series) > 1 {
			title = s
		}
		p := newPlot(title, size, width*float64(n%columns), height*float64(n/columns), width, height)
		p.Unit = t.unit
		switch single := len(part.rows) == 1; {
		case single && len(series) > 1 && t.axis != byCall:
			continue
		case single || t.axis == byCall:
			p.bars(r, part)
		default:
			p.curves(r, part)
		}
		if len(p.Lines) == 0 {
			continue
		}
		if n > 0 {
			p.Legend = nil // the first one's says it for all
		}
		drawing.Plots = append(drawing.Plots, p)
		drawing.Height = height * float64(n/columns+1)
	}
	if len(drawing.Plots) == 0 {
		return false, nil
	}
	return true, drawing.save(path)
}

// curves draws the medians; values that a logarithmic axis cannot show are left out.
func (p *plot) curves(r *results, t *table) {
	x := scale{math.Inf(1), math.Inf(-1), p.Left, p.Right}
	y := scale{math.Inf(1), math.Inf(-1), p.Bottom, p.Top}
	for _, m := range r.mpis {
		line := marks{Label: m.label, Colour: chartColours[m.name], Shape: m.name, Width: 1.5}
		for _, at := range t.rows {
			if v := median(t.samples[m.name][at]); at.x > 0 && v > 0 {
				line.Points = append(line.Points, point{float64(at.x), v})
				x.least, x.most = min(x.least, float64(at.x)), max(x.most, float64(at.x))
				y.least, y.most = min(y.least, v), max(y.most, v)
			}
		}
		if len(line.Points) > 0 {
			p.Lines = append(p.Lines, line)
		}
	}
	if len(p.Lines) == 0 {
		return
	}
	// Whole decades, so that there are at least two labels.
	lowest := math.Floor(math.Log10(y.least))
	highest := max(math.Ceil(math.Log10(y.most)), lowest+1)
	y.least, y.most = math.Pow(10, lowest), math.Pow(10, highest)
	x.most = max(x.most, 2*x.least)
	for exponent := lowest; exponent <= highest; exponent++ {
		v := math.Pow(10, exponent)
		p.Y = append(p.Y, tick{y.at(v), plain(v)})
	}
	for _, line := range p.Lines {
		for i, v := range line.Points {
			line.Points[i] = point{x.at(v.X), y.at(v.Y)}
		}
	}
	p.Marks, p.Legend, p.Grid, p.Axis = p.Lines, p.Lines, true, string(t.axis)
	for i, at := range t.rows {
		label := ""
		if len(t.rows) <= 10 || i%4 == 0 { // of many rows each fourth
			label = t.numberName(at)
		}
		if at.x > 0 {
			p.X = append(p.X, tick{x.at(float64(at.x)), label})
		}
	}
}

// bars draws the first row, with each value on top of its bar.
func (p *plot) bars(r *results, t *table) {
	highest := 1e-3
	for _, m := range r.mpis {
		if v := median(t.samples[m.name][t.rows[0]]); v >= 0 {
			highest = max(highest, v*1.12)
			p.Lines = append(p.Lines,
				marks{Colour: chartColours[m.name], Value: number(v), Points: []point{{Y: v}}})
			p.X = append(p.X, tick{Label: m.label})
		}
	}
	step := (p.Right - p.Left) / float64(len(p.X))
	for i := range p.Lines {
		p.X[i].At = p.Left + step*(float64(i)+0.5)
		top := p.Bottom - (p.Bottom-p.Top)*p.Lines[i].Points[0].Y/highest
		p.Lines[i].Points = []point{{p.X[i].At, p.Bottom}, {p.X[i].At, top}}
		p.Lines[i].Width = min(45, step*0.8)
	}
}

// overviewName is that of the chart of all points.
const overviewName = "overview"

// overviewMost is where the chart ends; what is further off stands at its edge.
const overviewMost = 100

// writeOverview draws each point of each benchmark as a dot: to the right of the line gompi is behind the
// better peer, to the left it is ahead.
func writeOverview(path string, r *results) (bool, error) {
	const lineHeight = 18.0
	p := newPlot("gompi beside the better peer: ahead to the left, behind to the right", 13, 215, 0, 510, 0)
	// Each kind has a colour of its own, as places of marks are worked out when all are known.
	kinds := []marks{{Colour: "#d55e00", Shape: "gompi"}, {Colour: "#009e73", Shape: "gompi"},
		{Colour: "#808080", Shape: "gompi"}}
	x := scale{0.5, 2, p.Left, p.Right}
	for _, t := range r.tables {
		all := t.standings()
		if len(all) == 0 {
			continue
		}
		line := p.Top + lineHeight*(float64(len(p.Y))+0.5)
		p.Y = append(p.Y, tick{line, t.title})
		for _, s := range all {
			kind := slices.Index([]bool{s.behind(), s.ahead(), true}, true)
			cost := max(1.0/overviewMost, min(s.cost, overviewMost))
			kinds[kind].Points = append(kinds[kind].Points, point{cost, line})
			x.least, x.most = min(x.least, cost), max(x.most, cost)
		}
	}
	if len(p.Y) == 0 {
		return false, nil
	}
	x.least, x.most = x.least/1.5, x.most*1.5
	p.Bottom = p.Top + lineHeight*float64(len(p.Y))
	p.X = ratioTicks(x)
	p.Lines = []marks{{Colour: "#000000", Width: 1, Points: []point{{x.at(1), p.Top}, {x.at(1), p.Bottom}}}}
	for _, kind := range kinds {
		for i, v := range kind.Points {
			kind.Points[i].X = x.at(v.X)
		}
	}
	p.Marks = kinds
	return true, sheet{725, p.Bottom + 24, []*plot{p}}.save(path)
}

// plain writes a round number with all its digits.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// ratioTicks are 1, 2, 5, 10 ... and their inverses, as far as they are shown.
func ratioTicks(x scale) []tick {
	var ticks []tick
	for _, v := range []float64{1, 2, 5, 10, 20, 50, 100} {
		if v <= x.most {
			ticks = append(ticks, tick{x.at(v), plain(v) + " x"})
		}
		if v > 1 && 1/v >= x.least {
			ticks = append(ticks, tick{x.at(1 / v), "1/" + plain(v)})
		}
	}
	return ticks
}
