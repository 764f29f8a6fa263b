package main

import "image/color"

// glow holds the colours from cold to hot at equal distances; between two of
// them heat mixes. Cold is not quite black, so that the plate stands out from a
// black terminal.
var glow = [...]color.RGBA{
	{0x0c, 0x0a, 0x1e, 0xff},
	{0x3b, 0x0c, 0x4d, 0xff},
	{0x7d, 0x13, 0x4f, 0xff},
	{0xc0, 0x25, 0x33, 0xff},
	{0xee, 0x55, 0x14, 0xff},
	{0xfd, 0x95, 0x1d, 0xff},
	{0xff, 0xd4, 0x5a, 0xff},
	{0xff, 0xfd, 0xea, 0xff},
}

// heat is the colour of a temperature between 0, cold, and 1, hot.
func heat(t float64) color.RGBA {
	const last = len(glow) - 1
	t = min(max(t, 0), 1) * float64(last)
	i := min(int(t), last-1)
	f := t - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + f*(float64(b)-float64(a)) + 0.5) }
	a, b := glow[i], glow[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// xterm256 is the nearest of xterm's fixed colours: a cube of 6 levels at 16,
// a ramp of 24 greys at 232.
func xterm256(c color.RGBA) int {
	levels := [6]int{0, 95, 135, 175, 215, 255}
	nearest := func(v uint8) int {
		best := 0
		for i, level := range levels {
			if abs(level-int(v)) < abs(levels[best]-int(v)) {
				best = i
			}
		}
		return best
	}
	distance := func(r, g, b int) int {
		r, g, b = r-int(c.R), g-int(c.G), b-int(c.B)
		return r*r + g*g + b*b
	}
	r, g, b := nearest(c.R), nearest(c.G), nearest(c.B)
	step := min(max((int(c.R)+int(c.G)+int(c.B))/3-3, 0)/10, 23)
	grey := 8 + 10*step
	if distance(grey, grey, grey) < distance(levels[r], levels[g], levels[b]) {
		return 232 + step
	}
	return 16 + 36*r + 6*g + b
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
