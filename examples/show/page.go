package main

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A figure is a line "name   value" of the program's output.
type figure struct{ name, value string }

// readFigures takes what a program printed. A line of one word, or none, keeps
// its place with an empty value.
func readFigures(in io.Reader) ([]figure, error) {
	var figures []figure
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		name, value, _ := strings.Cut(line, " ")
		figures = append(figures, figure{name, shorten(strings.TrimSpace(value))})
	}
	return figures, lines.Err()
}

// shorten rounds a number that has more digits than anybody reads.
func shorten(value string) string {
	if x, err := strconv.ParseFloat(value, 64); err == nil && len(value) > 8 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return value
}

const (
	margin      = 2  // columns left of the page and between its parts
	leastBeside = 40 // columns a picture must have for the figures to stand beside
	frameRows   = 4  // rows beyond the pictures: caption, blank lines, the next prompt
)

// writePage writes the pictures side by side, with their captions, and the figures at
// the right if that leaves room for the pictures, below them otherwise.
func writePage(out io.Writer, s screen, before, after *image.Gray, captions [2]string, figures []figure) {
	panel := figureLines(figures, s.depth)
	panelWidth := 0
	for _, line := range panel {
		panelWidth = max(panelWidth, visibleWidth(line))
	}

	columns := fit((s.width-4*margin-panelWidth)/2, s.height-frameRows, before, after)
	beside := columns >= leastBeside
	if !beside {
		columns = fit((s.width-3*margin)/2, s.height-frameRows-len(panel)-1, before, after)
	}
	left, right := draw(before, columns, s.depth), draw(after, columns, s.depth)
	heads := fmt.Sprintf("%-*s%*s%s", columns, captions[0], margin, "", captions[1])
	indent := strings.Repeat(" ", margin)

	fmt.Fprintf(out, "\n%s%s\n", indent, heads)
	rows := max(len(left), len(right))
	offset := max(0, (rows-len(panel))/2)
	for y := range rows {
		line := indent + rowOr(left, y, columns) + indent + rowOr(right, y, columns)
		if p := y - offset; beside && p >= 0 && p < len(panel) {
			line += indent + panel[p]
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	if !beside {
		fmt.Fprintln(out)
		for _, line := range panel {
			fmt.Fprintln(out, strings.TrimRight(indent+line, " "))
		}
	}
	fmt.Fprintln(out)
}

// fit is the largest width, at least 8, at which the pictures keep within so
// many columns and rows; nothing is drawn larger than it is.
func fit(columns, rows int, pictures ...*image.Gray) int {
	for _, p := range pictures {
		columns = min(columns, p.Bounds().Dx())
	}
	for columns > 8 {
		tallest := 0
		for _, p := range pictures {
			tallest = max(tallest, rowsFor(p, columns))
		}
		if tallest <= rows {
			break
		}
		columns--
	}
	return max(columns, 8)
}

func rowOr(lines []string, y, columns int) string {
	if y < len(lines) {
		return lines[y]
	}
	return strings.Repeat(" ", columns)
}

// figureLines lays the figures out in two columns, with the scale of colours.
func figureLines(figures []figure, depth depth) []string {
	width := 0
	for _, f := range figures {
		if f.value != "" {
			width = max(width, utf8.RuneCountInString(f.name))
		}
	}
	var lines []string
	for _, f := range figures {
		if f.value == "" {
			lines = append(lines, f.name)
			continue
		}
		name := fmt.Sprintf("%-*s", width, f.name)
		if depth != plain {
			name = "\x1b[2m" + name + "\x1b[0m"
		}
		lines = append(lines, name+"  "+f.value)
	}
	return append(lines, "", "cold "+scale(16, depth)+" hot")
}

// scale is a row of all temperatures.
func scale(columns int, depth depth) string {
	strip := image.NewGray(image.Rect(0, 0, columns, 2))
	for i := range strip.Pix {
		strip.Pix[i] = uint8(i % columns * 255 / (columns - 1))
	}
	lines := draw(strip, columns, depth)
	return lines[0]
}

// visibleWidth counts the characters of a line without its control sequences.
func visibleWidth(line string) int {
	n, inside := 0, false
	for _, r := range line {
		switch {
		case r == '\x1b':
			inside = true
		case inside:
			inside = r != 'm'
		default:
			n++
		}
	}
	return n
}
