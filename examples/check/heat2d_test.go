package check

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// plate is a picture with the values that heat2d starts from.
type plate struct {
	width, height int
	grey          []byte
}

func (p plate) pgm() []byte {
	return append(fmt.Appendf(nil, "P5\n%d %d\n255\n", p.width, p.height), p.grey...)
}

func readPlate(t *testing.T, path string) plate {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var p plate
	if _, err := fmt.Sscanf(string(data[:min(len(data), 40)]), "P5\n%d %d\n255\n", &p.width, &p.height); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	p.grey = data[len(data)-p.width*p.height:]
	return p
}

// pattern is a plate of any size with heaters and everything in between.
func pattern(width, height int) plate {
	p := plate{width, height, make([]byte, width*height)}
	seed := uint32(1)
	for i := range p.grey {
		seed = seed*1664525 + 1013904223
		p.grey[i] = byte(seed >> 24)
		if seed>>16&15 == 0 {
			p.grey[i] = 255
		}
	}
	return p
}

// solve is heat2d without MPI: the same steps, point by point.
func solve(p plate, tolerance float64, limit int) (result plate, steps int, residual float64) {
	const checkEvery = 20
	u := make([]float64, len(p.grey))
	for i, g := range p.grey {
		u[i] = float64(g)
	}
	next := append([]float64(nil), u...)
	residual = math.Inf(1)
	for steps < limit && residual > tolerance {
		largest := 0.0
		for y := 1; y < p.height-1; y++ {
			for x := 1; x < p.width-1; x++ {
				k := y*p.width + x
				if p.grey[k] == 255 {
					continue
				}
				around := (u[k-p.width] + u[k+p.width]) + (u[k-1] + u[k+1])
				change := float64(0.125*around) - float64(0.5*u[k])
				next[k] = u[k] + change
				largest = max(largest, math.Abs(change))
			}
		}
		u, next = next, u
		if steps++; steps%checkEvery == 0 || steps == limit {
			residual = largest
		}
	}
	result = plate{p.width, p.height, make([]byte, len(u))}
	for i, v := range u {
		result.grey[i] = byte(v + 0.5)
	}
	return result, steps, residual
}

// figures reads the lines "name   value" that heat2d prints.
func figures(stdout string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(stdout) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name] = strings.TrimSpace(value)
	}
	return all
}

func TestHeat2dIsTheSameOnAnyNumberOfRanks(t *testing.T) {
	program := compile(t, "heat2d")
	dir := t.TempDir()
	cases := []struct {
		name      string
		start     plate
		tolerance float64
		limit     int
		ranks     []int
	}{
		{"cup", readPlate(t, filepath.Join("..", "cup.pgm")), 0.5, 100000, []int{1, 2, 4, 7}},
		{"odd sizes", pattern(37, 23), 0.05, 100000, []int{1, 3, 5, 6}},
		{"a point per rank", pattern(3, 3), 0.01, 1000, []int{1, 9}},
		{"fewer rows than ranks", pattern(40, 4), 0.2, 1000, []int{7}},
		{"fewer columns than ranks", pattern(4, 40), 0.2, 1000, []int{7}},
		{"stopped by the limit", pattern(30, 20), 0, 47, []int{1, 4}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := filepath.Join(dir, "in.pgm")
			if err := os.WriteFile(in, c.start.pgm(), 0o644); err != nil {
				t.Fatal(err)
			}
			want, steps, residual := solve(c.start, c.tolerance, c.limit)
			for _, ranks := range c.ranks {
				out := filepath.Join(dir, fmt.Sprintf("out%d.pgm", ranks))
				o := mpiexec(t, ranks, program, in, out, fmt.Sprint(c.tolerance), fmt.Sprint(c.limit))
				if o.code != 0 {
					t.Fatalf("%d ranks: exit code %d\n%s%s", ranks, o.code, o.stdout, o.stderr)
				}
				f := figures(o.stdout)
				if got, _, _ := strings.Cut(f["iterations"], " "); got != strconv.Itoa(steps) {
					t.Errorf("%d ranks: %s iterations, want %d", ranks, got, steps)
				}
				if stopped := strings.Contains(f["iterations"], "limit"); stopped != (residual > c.tolerance) {
					t.Errorf("%d ranks: iterations %q with residual %g", ranks, f["iterations"], residual)
				}
				if got, err := strconv.ParseFloat(f["residual"], 64); err != nil || got != residual {
					t.Errorf("%d ranks: residual %s, want %.17g", ranks, f["residual"], residual)
				}
				if got, _, _ := strings.Cut(f["ranks"], " "); got != strconv.Itoa(ranks) {
					t.Errorf("%d ranks: says %s ranks", ranks, got)
				}
				if got := readPlate(t, out); !bytes.Equal(got.pgm(), want.pgm()) {
					t.Errorf("%d ranks: the picture differs from the reference", ranks)
				}
			}
		})
	}
}

func TestHeat2dRefusesBadInput(t *testing.T) {
	program := compile(t, "heat2d")
	dir := t.TempDir()
	good := pattern(6, 5).pgm()
	cases := []struct {
		name    string
		picture []byte
		args    []string // IN and OUT stand for the paths
		ranks   int
		message string // part of what must be on stderr
	}{
		{"no arguments", good, nil, 2, "usage: heat2d"},
		{"too many arguments", good, []string{"IN", "OUT", "1", "2", "3"}, 2, "usage: heat2d"},
		{"tolerance is no number", good, []string{"IN", "OUT", "warm"}, 2, "usage: heat2d"},
		{"tolerance is negative", good, []string{"IN", "OUT", "-1"}, 2, "usage: heat2d"},
		{"no iterations", good, []string{"IN", "OUT", "1", "0"}, 2, "usage: heat2d"},
		{"missing picture", nil, []string{"IN", "OUT"}, 2, "No such file"},
		{"empty picture", []byte{}, []string{"IN", "OUT"}, 2, "not a binary PGM"},
		{"another format", []byte("P3\n1 1\n255\n1 2 3\n"), []string{"IN", "OUT"}, 2, "not a binary PGM"},
		{"no size", []byte("P5\n"), []string{"IN", "OUT"}, 2, "3 to 32768 points"},
		{"size is no number", []byte("P5\nsix 5\n255\n"), []string{"IN", "OUT"}, 2, "3 to 32768 points"},
		{"too small", []byte("P5\n2 2\n255\n1234"), []string{"IN", "OUT"}, 2, "3 to 32768 points"},
		{"too large", []byte("P5\n99999999999 3\n255\n"), []string{"IN", "OUT"}, 2, "3 to 32768 points"},
		{"two bytes per point", []byte("P5\n6 5\n65535\n"), []string{"IN", "OUT"}, 2, "255 as its brightest"},
		{"cut off", good[:len(good)-1], []string{"IN", "OUT"}, 2, "ends too early"},
		{"more ranks than points", pattern(3, 3).pgm(), []string{"IN", "OUT"}, 10, "cannot be cut into 10 blocks"},
		{"ranks that fit no grid", pattern(5, 5).pgm(), []string{"IN", "OUT"}, 7, "cannot be cut into 7 blocks"},
		{"result cannot be written", good, []string{"IN", "/nonexistent/out.pgm"}, 2, "No such file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in, out := filepath.Join(dir, "in.pgm"), filepath.Join(dir, "out.pgm")
			os.Remove(in)
			if c.picture != nil {
				if err := os.WriteFile(in, c.picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			command := []string{program}
			for _, a := range c.args {
				command = append(command, strings.NewReplacer("IN", in, "OUT", out).Replace(a))
			}
			o := mpiexec(t, c.ranks, command...)
			if o.code == 0 {
				t.Errorf("exit code 0, want another")
			}
			if n := strings.Count(o.stderr, c.message); n != 1 {
				t.Errorf("%q is %d times in the error output, want once:\n%s", c.message, n, o.stderr)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("a result was written all the same")
			}
		})
	}
}
