package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gradient is a picture that gets brighter from left to right.
func gradient(width, height int) *image.Gray {
	p := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p.SetGray(x, y, color.Gray{Y: uint8(x * 255 / max(1, width-1))})
		}
	}
	return p
}

func TestDecodePGM(t *testing.T) {
	p, err := decodePGM(strings.NewReader("P5 # a comment\n2 #another\n 2\n100\n\x00\x32\x64\xff"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Bounds().Dx() != 2 || p.Bounds().Dy() != 2 || !bytes.Equal(p.Pix, []byte{0, 127, 255, 255}) {
		t.Errorf("got %v %v", p.Bounds(), p.Pix)
	}
	for text, want := range map[string]string{
		"":                          "not a binary PGM",
		"P6\n1 1\n255\nabc":         "not a binary PGM",
		"P5\n1":                     "header ends",
		"P5\n1 #":                   "header ends",
		"P5\n-1 1\n255\na":          "unexpected '-'",
		"P5\n0 1\n255\na":           "size 0 x 1",
		"P5\n99999 1\n255\na":       "size 99999 x 1",
		"P5\n9999999999 1\n255\na":  "too large",
		"P5\n1 1\n65535\nab":        "brightest value 65535",
		"P5\n1 1\n0\na":             "brightest value 0",
		"P5\n2 2\n255\nabc":         "ends too early",
		"P5\n10000 10000\n255\nabc": "ends too early",
	} {
		if _, err := decodePGM(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzDecodePGM(f *testing.F) {
	f.Add([]byte("P5\n2 2\n255\nabcd"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := decodePGM(bytes.NewReader(data))
		if err == nil && len(p.Pix) != p.Bounds().Dx()*p.Bounds().Dy() {
			t.Errorf("%v with %d pixels", p.Bounds(), len(p.Pix))
		}
	})
}

func TestShrinkKeepsTheMean(t *testing.T) {
	p := gradient(31, 17)
	want := 0.0
	for _, v := range p.Pix {
		want += float64(v) / 255 / float64(len(p.Pix))
	}
	for _, size := range [][2]int{{31, 17}, {7, 5}, {10, 17}, {1, 1}} {
		got := 0.0
		for _, row := range shrink(p, size[0], size[1]) {
			for _, v := range row {
				got += v / float64(size[0]*size[1])
			}
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("mean at %v is %g, want %g", size, got, want)
		}
	}
}

func TestDrawFillsItsColumns(t *testing.T) {
	p := gradient(64, 48)
	for _, d := range []depth{plain, colour256, colour24} {
		for _, columns := range []int{1, 8, 33, 64} {
			lines := draw(p, columns, d)
			if len(lines) != rowsFor(p, columns) {
				t.Errorf("depth %d: %d lines, want %d", d, len(lines), rowsFor(p, columns))
			}
			for _, line := range lines {
				if visibleWidth(line) != columns {
					t.Errorf("depth %d: %d columns wide, want %d", d, visibleWidth(line), columns)
				}
			}
		}
	}
}

func TestXterm256(t *testing.T) {
	for want, c := range map[int]color.RGBA{
		16:  {0, 0, 0, 255},
		231: {255, 255, 255, 255},
		196: {255, 0, 0, 255},
		232: {8, 8, 8, 255},
		244: {128, 128, 128, 255},
		214: {255, 175, 0, 255},
	} {
		if got := xterm256(c); got != want {
			t.Errorf("%v gives %d, want %d", c, got, want)
		}
	}
}

func TestTerminalDepth(t *testing.T) {
	cases := []struct {
		env  string
		want depth
	}{
		{"", plain},
		{"TERM=dumb", plain},
		{"TERM=vt100", plain},
		{"TERM=xterm", colour256},
		{"TERM=xterm-256color", colour256},
		{"TERM=screen", colour256},
		{"TERM=xterm-kitty", colour24},
		{"TERM=xterm-256color COLORTERM=truecolor", colour24},
		{"TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1", plain},
		{"TERM=xterm-256color LANG=C", colour256},
		{"TERM=xterm-256color LANG=de_DE.UTF-8", colour256},
		{"TERM=xterm-256color LANG=de_DE.ISO-8859-1", plain},
		{"TERM=xterm-256color LANG=de_DE.ISO-8859-1 LC_ALL=C.utf8", colour256},
	}
	for _, c := range cases {
		getenv := func(name string) string {
			for _, word := range strings.Fields(c.env) {
				if value, ok := strings.CutPrefix(word, name+"="); ok {
					return value
				}
			}
			return ""
		}
		if got := terminalDepth(getenv); got != c.want {
			t.Errorf("%q gives %d, want %d", c.env, got, c.want)
		}
	}
}

func TestPageKeepsWithinTheScreen(t *testing.T) {
	figures, err := readFigures(strings.NewReader("ranks       4 (2 x 2)\n\nresidual    0.19927426534040649\ntime        0.018 s\n"))
	if err != nil {
		t.Fatal(err)
	}
	before, after := gradient(256, 192), gradient(256, 192)
	for _, d := range []depth{plain, colour256, colour24} {
		for width := 32; width <= 300; width += 7 {
			for _, height := range []int{16, 24, 50, 100} {
				var out bytes.Buffer
				writePage(&out, screen{width, height, d}, before, after, [2]string{"before", "after"}, figures)
				if lines := strings.Count(out.String(), "\n"); lines > height {
					t.Errorf("%d x %d: %d lines", width, height, lines)
				}
				for line := range strings.Lines(out.String()) {
					if n := visibleWidth(strings.TrimSuffix(line, "\n")); n > width {
						t.Errorf("%d x %d: a line of %d characters", width, height, n)
					}
				}
				for _, want := range []string{"before", "after", "4 (2 x 2)", "0.1993\n", "0.018 s"} {
					if strings.Count(out.String(), want) != 1 {
						t.Fatalf("%d x %d: %q is not there once:\n%s", width, height, want, out.String())
					}
				}
			}
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	p := gradient(20, 10)
	path := filepath.Join(dir, "p.pgm")
	if err := os.WriteFile(path, append(fmt.Appendf(nil, "P5\n20 10\n255\n"), p.Pix...), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := run([]string{"-colour", "24bit", "-width", "60", path, path}, strings.NewReader("time 1 s\n"), out); err != nil {
		t.Fatal(err)
	}
	drawn, err := os.ReadFile(out.Name())
	if err != nil || !strings.Contains(string(drawn), "▀") || !strings.Contains(string(drawn), "1 s") {
		t.Errorf("error %v, drawn %q", err, drawn)
	}
	for want, args := range map[string][]string{
		"two pictures":          {path},
		"no such file":          {path, filepath.Join(dir, "none")},
		"not a binary PGM":      {path, out.Name()},
		"unknown colour mode":   {"-colour", "blue", path, path},
		"flag provided but not": {"-nonsense"},
	} {
		if err := run(args, strings.NewReader(""), out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", args, err, want)
		}
	}
}
