package main

import (
	"bytes"
	"image/color"
	"math"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The colours of the libraries tell them apart in print and to the colour-blind.
var chartColours = map[string]color.RGBA{
	"gompi":   {0xd5, 0x5e, 0x00, 0xff},
	"mpich":   {0x00, 0x72, 0xb2, 0xff},
	"openmpi": {0x00, 0x9e, 0x73, 0xff},
}

var chartMarks = map[string]draw.GlyphDrawer{
	"gompi":   draw.CircleGlyph{},
	"mpich":   draw.BoxGlyph{},
	"openmpi": draw.PyramidGlyph{},
}

// writeChart draws a table: curves over bytes or ranks with both axes
// logarithmic, bars where there is a single row. It says whether there was
// anything to draw.
func writeChart(path string, r *results, t *table) (bool, error) {
	if series := t.series(); len(series) > 1 {
		return writeTiles(path, r, t, series)
	}
	p := chart(r, t)
	if p == nil {
		return false, nil
	}
	canvas := vgsvg.New(7*vg.Inch, 4*vg.Inch)
	p.Draw(draw.New(canvas))
	return true, save(path, canvas)
}

// save writes a drawing.
func save(path string, canvas *vgsvg.Canvas) error {
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	// The one font that the library names is not everywhere.
	text := bytes.ReplaceAll(svg.Bytes(), []byte("font-family:Liberation Sans"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
	return os.WriteFile(path, text, 0o644)
}

func chart(r *results, t *table) *plot.Plot {
	p := plot.New()
	p.Title.Text = t.title
	p.Title.Padding = vg.Points(8)
	p.Title.TextStyle.Font = font.Font{Variant: "Sans", Size: 13}
	p.Y.Label.Text = t.unit
	for _, f := range []*font.Font{&p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*f = font.Font{Variant: "Sans", Size: 10}
	}
	if len(t.rows) == 0 {
		return nil
	}
	if len(t.rows) == 1 || t.axis == byCall {
		return bars(p, r, t)
	}
	return curves(p, r, t)
}

// curves draws the medians; values that a logarithmic axis cannot show are
// left out.
func curves(p *plot.Plot, r *results, t *table) *plot.Plot {
	least, most := math.Inf(1), math.Inf(-1)
	for _, m := range r.mpis {
		var points plotter.XYs
		for _, at := range t.rows {
			if v := median(t.samples[m.name][at]); at.x > 0 && v > 0 {
				points = append(points, plotter.XY{X: float64(at.x), Y: v})
				least, most = min(least, v), max(most, v)
			}
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			continue
		}
		line.Color, line.Width = chartColours[m.name], vg.Points(1.5)
		marks.Color, marks.Shape, marks.Radius = chartColours[m.name], chartMarks[m.name], vg.Points(2.5)
		p.Add(line, marks)
		p.Legend.Add(m.label, line, marks)
	}
	if least > most {
		return nil
	}
	p.Add(grid())
	p.X.Label.Text = string(t.axis)
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker = rowTicks(t)
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	// Whole decades, so that there are at least two labels.
	p.Y.Min = math.Pow(10, math.Floor(math.Log10(least))) * 0.99
	p.Y.Max = math.Pow(10, math.Ceil(math.Log10(most)))
	if p.Y.Max < 5*p.Y.Min {
		p.Y.Max *= 10
	}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(8), -vg.Points(4)
	return p
}

// rowTicks labels the rows, of many only each fourth.
func rowTicks(t *table) plot.ConstantTicks {
	every := 1
	if len(t.rows) > 10 {
		every = 4
	}
	var ticks plot.ConstantTicks
	for i, at := range t.rows {
		if at.x <= 0 {
			continue
		}
		tick := plot.Tick{Value: float64(at.x)}
		if i%every == 0 {
			tick.Label = t.numberName(at)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// bars draws the first row.
func bars(p *plot.Plot, r *results, t *table) *plot.Plot {
	var names []string
	most := 0.0
	for _, m := range r.mpis {
		v := median(t.samples[m.name][t.rows[0]])
		if math.IsNaN(v) {
			continue
		}
		if !addBar(p, m, float64(len(names)), v) {
			continue
		}
		names = append(names, m.label)
		most = max(most, v)
	}
	if len(names) == 0 {
		return nil
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.6, float64(len(names))-0.4
	p.Y.Min, p.Y.Max = 0, max(most*1.12, 1e-3)
	return p
}

// addBar draws one bar with its value on top.
func addBar(p *plot.Plot, m mpi, at, v float64) bool {
	bar, err := plotter.NewBarChart(plotter.Values{v}, vg.Points(45))
	if err != nil {
		return false
	}
	bar.Color, bar.LineStyle.Width, bar.XMin = chartColours[m.name], 0, at
	p.Add(bar)
	label, err := plotter.NewLabels(plotter.XYLabels{
		XYs:    []plotter.XY{{X: at, Y: v}},
		Labels: []string{number(v)},
	})
	if err == nil {
		label.TextStyle[0].Font = font.Font{Variant: "Sans", Size: 10}
		label.TextStyle[0].XAlign = draw.XCenter
		label.Offset.Y = vg.Points(3)
		p.Add(label)
	}
	return true
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	faint := color.Gray{Y: 0xdd}
	g.Vertical.Color, g.Horizontal.Color = faint, faint
	return g
}
