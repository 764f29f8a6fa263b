package main

import (
	"fmt"
	"image"
	"math"
	"strings"
)

// ramp draws temperatures without colour, from cold to hot.
const ramp = " .:-=+*#%@"

// rowsFor is the number of character rows of a picture that is drawn so many
// columns wide; a character is taken to be twice as high as wide.
func rowsFor(picture *image.Gray, columns int) int {
	size := picture.Bounds().Size()
	return max(1, int(math.Round(float64(columns)*float64(size.Y)/float64(size.X)/2)))
}

// draw gives the rows of a picture, each `columns` characters wide on screen.
func draw(picture *image.Gray, columns int, depth depth) []string {
	rows := rowsFor(picture, columns)
	if depth == plain {
		pixels := shrink(picture, columns, rows)
		lines := make([]string, rows)
		for y := range lines {
			line := make([]byte, columns)
			for x := range line {
				line[x] = ramp[min(int(pixels[y][x]*float64(len(ramp))), len(ramp)-1)]
			}
			lines[y] = string(line)
		}
		return lines
	}
	pixels := shrink(picture, columns, 2*rows)
	lines := make([]string, rows)
	for y := range lines {
		var line strings.Builder
		last := ""
		for x := range columns {
			// The upper half block takes the foreground, the rest the background.
			code := sgr(38, pixels[2*y][x], depth) + sgr(48, pixels[2*y+1][x], depth)
			if code != last {
				line.WriteString(code)
				last = code
			}
			line.WriteString("▀")
		}
		line.WriteString("\x1b[0m")
		lines[y] = line.String()
	}
	return lines
}

// sgr is the control sequence that sets the foreground (38) or the background
// (48) to the colour of a temperature.
func sgr(ground int, t float64, depth depth) string {
	c := heat(t)
	if depth == colour256 {
		return fmt.Sprintf("\x1b[%d;5;%dm", ground, xterm256(c))
	}
	return fmt.Sprintf("\x1b[%d;2;%d;%d;%dm", ground, c.R, c.G, c.B)
}

// shrink scales a picture to columns x rows values between 0 and 1, each the
// mean over the area that it stands for.
func shrink(picture *image.Gray, columns, rows int) [][]float64 {
	size := picture.Bounds().Size()
	across := spans(size.X, columns)
	down := spans(size.Y, rows)
	pixels := make([][]float64, rows)
	for y := range pixels {
		pixels[y] = make([]float64, columns)
		for x := range pixels[y] {
			sum, area := 0.0, 0.0
			for _, v := range down[y] {
				row := picture.Pix[v.at*picture.Stride:]
				for _, h := range across[x] {
					sum += float64(row[h.at]) * h.weight * v.weight
					area += h.weight * v.weight
				}
			}
			pixels[y][x] = sum / area / 255
		}
	}
	return pixels
}

// A share is a source pixel with the part of it, between 0 and 1, that counts.
type share struct {
	at     int
	weight float64
}

// spans divides n source pixels among m target pixels.
func spans(n, m int) [][]share {
	all := make([][]share, m)
	for i := range all {
		from, to := float64(i)*float64(n)/float64(m), float64(i+1)*float64(n)/float64(m)
		for at := int(from); at < n && float64(at) < to; at++ {
			weight := min(to, float64(at+1)) - max(from, float64(at))
			if weight > 1e-9 {
				all[i] = append(all[i], share{at, weight})
			}
		}
	}
	return all
}
