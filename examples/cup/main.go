// Command cup draws cup.pgm, the start picture of heat2d: a cup of something
// hot. Bright is hot; what is fully white (255) is a heater to heat2d.
//
//	go run ./examples/cup > examples/cup.pgm
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
)

const (
	width, height = 256, 192
	samples       = 4 // per pixel and direction, for smooth edges
)

// A layer is a shape with its temperature; later layers cover earlier ones.
type layer struct {
	temperature float64
	covers      func(x, y float64) bool
}

var layers = []layer{
	{150, saucer},
	{0, saucerWell},
	{255, handle},
	{255, body},
	{255, ellipse(116, 80, 66, 12)}, // the rim of the cup
	{120, ellipse(116, 81, 58, 8)},  // what is in it
	{0, heart},
	{210, steam(88, 0)},
	{210, steam(116, 2)},
	{210, steam(144, 4)},
}

func ellipse(cx, cy, rx, ry float64) func(x, y float64) bool {
	return func(x, y float64) bool {
		dx, dy := (x-cx)/rx, (y-cy)/ry
		return dx*dx+dy*dy <= 1
	}
}

func saucer(x, y float64) bool     { return ellipse(116, 168, 96, 14)(x, y) }
func saucerWell(x, y float64) bool { return ellipse(116, 164, 62, 7)(x, y) }

// body is the lower half of a superellipse: round below, nearly upright sides.
func body(x, y float64) bool {
	if y < 80 {
		return false
	}
	return math.Pow(math.Abs(x-116)/66, 2.4)+math.Pow((y-80)/86, 3) <= 1
}

func handle(x, y float64) bool {
	return ellipse(186, 108, 32, 29)(x, y) && !ellipse(184, 108, 20, 17)(x, y)
}

// heart is the curve (x²+y²-1)³ = x²y³.
func heart(x, y float64) bool {
	u, v := (x-116)/19, (124-y)/19
	r := u*u + v*v - 1
	return r*r*r-u*u*v*v*v <= 0
}

// steam is a wavy stroke above the cup that thins out at both ends.
func steam(x0, phase float64) func(x, y float64) bool {
	const top, bottom = 10.0, 62.0
	return func(x, y float64) bool {
		if y < top || y > bottom {
			return false
		}
		t := (y - top) / (bottom - top)
		centre := x0 + 7*math.Sin(phase+2*math.Pi*1.4*t)
		return math.Abs(x-centre) <= 4.5*math.Sqrt(math.Sin(math.Pi*t))
	}
}

// pixel is the mean temperature over the pixel whose corner is (px, py).
func pixel(px, py int) byte {
	sum := 0.0
	for j := range samples {
		for i := range samples {
			x := float64(px) + (float64(i)+0.5)/samples
			y := float64(py) + (float64(j)+0.5)/samples
			t := 0.0
			for _, l := range layers {
				if l.covers(x, y) {
					t = l.temperature
				}
			}
			sum += t
		}
	}
	return byte(math.Round(sum / (samples * samples)))
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintf(out, "P5\n%d %d\n255\n", width, height)
	for y := range height {
		for x := range width {
			out.WriteByte(pixel(x, y))
		}
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "cup:", err)
		os.Exit(1)
	}
}
