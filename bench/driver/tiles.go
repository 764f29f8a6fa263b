package main

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// writeTiles draws a small chart for each series that has more than one point, or
// is a call, beside and below one another.
func writeTiles(path string, r *results, t *table, series []string) (bool, error) {
	const columns = 3
	var tiles []*plot.Plot
	for _, s := range series {
		part := t.part(s)
		if len(part.rows) < 2 && t.axis != byCall {
			continue
		}
		part.title = s
		if p := chart(r, part); p != nil {
			p.Title.TextStyle.Font.Size = 11
			if len(tiles) > 0 {
				p.Legend = plot.NewLegend() // the first one's says it for all
			}
			tiles = append(tiles, p)
		}
	}
	if len(tiles) == 0 {
		return false, nil
	}
	rows := (len(tiles) + columns - 1) / columns
	grid := make([][]*plot.Plot, rows)
	for i := range grid {
		grid[i] = make([]*plot.Plot, columns)
		copy(grid[i], tiles[i*columns:min((i+1)*columns, len(tiles))])
	}
	canvas := vgsvg.New(10*vg.Inch, vg.Length(rows)*2.6*vg.Inch)
	places := plot.Align(grid, draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Points(12), PadY: vg.Points(12),
		PadTop: vg.Points(6), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(12)},
		draw.New(canvas))
	for i := range grid {
		for k, p := range grid[i] {
			if p != nil {
				p.Draw(places[i][k])
			}
		}
	}
	return true, save(path, canvas)
}

// overviewName is that of the chart of all points.
const overviewName = "overview"

// overviewMost is where the chart ends; what is further off stands at its edge.
const overviewMost = 100

// writeOverview draws each point of each benchmark as a dot: to the right of the
// line gompi is behind the better peer, to the left it is ahead.
func writeOverview(path string, r *results) (bool, error) {
	p := plot.New()
	p.Title.Text = "gompi beside the better peer: ahead to the left, behind to the right"
	p.Title.TextStyle.Font = font.Font{Variant: "Sans", Size: 13}
	p.X.Tick.Label.Font = font.Font{Variant: "Sans", Size: 10}
	p.Y.Tick.Label.Font = font.Font{Variant: "Sans", Size: 10}
	var names []string
	least, most := 0.5, 2.0
	for _, t := range slices.Backward(r.tables) { // the first on top
		all := t.standings()
		if len(all) == 0 {
			continue
		}
		for _, kind := range []struct {
			in     func(standing) bool
			colour color.Color
		}{
			{standing.behind, color.RGBA{0xd5, 0x5e, 0x00, 0xff}},
			{standing.ahead, color.RGBA{0x00, 0x9e, 0x73, 0xff}},
			{func(s standing) bool { return !s.ahead() && !s.behind() }, color.Gray{0x80}},
		} {
			var points plotter.XYs
			for _, s := range all {
				if kind.in(s) {
					cost := max(1/overviewMost, min(s.cost, overviewMost))
					points = append(points, plotter.XY{X: cost, Y: float64(len(names))})
					least, most = min(least, cost), max(most, cost)
				}
			}
			if len(points) == 0 {
				continue
			}
			dots, err := plotter.NewScatter(points)
			if err != nil {
				return false, err
			}
			dots.Color, dots.Shape, dots.Radius = kind.colour, draw.CircleGlyph{}, vg.Points(2.5)
			p.Add(dots)
		}
		names = append(names, t.title)
	}
	if len(names) == 0 {
		return false, nil
	}
	line, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.5}, {X: 1, Y: float64(len(names)) - 0.5}})
	if err != nil {
		return false, err
	}
	p.Add(line)
	p.NominalY(names...)
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = least/1.5, most*1.5
	p.X.Tick.Marker = ratioTicks(p.X.Min, p.X.Max)
	p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
	canvas := vgsvg.New(9*vg.Inch, vg.Length(len(names))*0.25*vg.Inch+vg.Inch)
	p.Draw(draw.New(canvas))
	return true, save(path, canvas)
}

// ratioTicks are 1, 2, 5, 10 ... and their inverses, as far as they are shown.
func ratioTicks(least, most float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, v := range []float64{1, 2, 5, 10, 20, 50, 100} {
		if v <= most {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%g x", v)})
		}
		if v > 1 && 1/v >= least {
			ticks = append(ticks, plot.Tick{Value: 1 / v, Label: fmt.Sprintf("1/%g", v)})
		}
	}
	return ticks
}
