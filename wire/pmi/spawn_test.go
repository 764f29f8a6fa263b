package pmi

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// read passes the lines of a block to a new one.
func read(t rapid.TB, text string) SpawnBlock {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "mcmd=spawn" {
		t.Fatalf("the block begins with %q", lines[0])
	}
	var b SpawnBlock
	for i, line := range lines[1:] {
		done, err := b.Add(line)
		if err != nil || done != (i == len(lines)-2) {
			t.Fatalf("line %d %q: %v, %v", i, line, done, err)
		}
	}
	b.encoded, b.key = false, ""
	return b
}

// What is sent arrives: with our own launcher any bytes, with others all but newlines.
func TestSpawnBlockArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		encode := rapid.Bool().Draw(t, "encode")
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab =%;:/\t\"\\é")))
		if encode {
			text = rapid.Map(rapid.SliceOf(rapid.ByteRange(1, 255)),
				func(b []byte) string { return string(b) })
		}
		arg := rapid.Custom(func(t *rapid.T) Arg { return Arg{text.Draw(t, "key"), text.Draw(t, "value")} })
		b := SpawnBlock{Program: text.Draw(t, "program"), Ranks: rapid.Int().Draw(t, "ranks"), Index: 2, Total: 3}
		for range rapid.IntRange(0, 3).Draw(t, "args") {
			b.Args = append(b.Args, text.Draw(t, "arg"))
			b.Preputs = append(b.Preputs, arg.Draw(t, "preput"))
			b.Info = append(b.Info, arg.Draw(t, "info"))
		}
		out, err := b.Append([]byte("x"), encode)
		if err != nil || out[0] != 'x' {
			t.Fatal(err)
		}
		if got := read(t, string(out[1:])); !reflect.DeepEqual(got, b) {
			t.Fatalf("%+v arrives as %+v", b, got)
		}
	})
}

func TestSpawnBlockRefuses(t *testing.T) {
	b := SpawnBlock{Program: "p", Args: []string{"two\nlines"}}
	if out, err := b.Append(nil, false); !errors.Is(err, ErrBadText) || out != nil {
		t.Errorf("%q, %v", out, err)
	}
	for _, line := range []string{"nprocs=x", "totspawns=", "spawnssofar=1e3", "words", ""} {
		if _, err := new(SpawnBlock).Add(line); !errors.Is(err, ErrSpawnBlock) {
			t.Errorf("%q: %v", line, err)
		}
	}
	b = SpawnBlock{Info: []Arg{{"wdir", "/a"}, {"wdir", "/b"}}}
	if v, ok := b.Hint("wdir"); v != "/b" || !ok {
		t.Errorf("%q, %v", v, ok)
	}
	if _, ok := b.Hint("path"); ok {
		t.Error("a hint that nobody gave")
	}
}

func TestSoft(t *testing.T) {
	for _, c := range []struct {
		text  string
		most  int
		want  int
		found bool
	}{
		{"4", 4, 4, true}, {"4", 3, 0, false}, {"1,2,4", 3, 2, true}, {"0:8:2", 7, 6, true}, {"3:1:-1", 2, 2, true},
		{"9:0:-4", 6, 5, true}, {"5:1", 9, 0, false}, {"-3:7:4", 4, 1, true}, {"-5:-1", 9, 0, false},
		{" 2 : 6 : 2 , 7", 7, 7, true}, {"0", 5, 0, true},
	} {
		s, err := ParseSoft(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got, found := s.Largest(c.most); got != c.want || found != c.found {
			t.Errorf("%q up to %d: %d, %v; want %d, %v", c.text, c.most, got, found, c.want, c.found)
		}
	}
	for _, text := range []string{"", "a", "1:2:3:4", "1:2:0", "1,", ":", "1:", "99999999999"} {
		if _, err := ParseSoft(text); !errors.Is(err, ErrSoft) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Largest agrees with counting.
func TestSoftAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Soft
		for range rapid.IntRange(1, 4).Draw(t, "items") {
			step := rapid.IntRange(1, 5).Draw(t, "step")
			if rapid.Bool().Draw(t, "down") {
				step = -step
			}
			s = append(s, [3]int{rapid.IntRange(-20, 20).Draw(t, "first"),
				rapid.IntRange(-20, 20).Draw(t, "last"), step})
		}
		most := rapid.IntRange(0, 25).Draw(t, "most")
		best, found := 0, false
		for _, n := range s {
			for v := n[0]; (n[2] > 0 && v <= n[1]) || (n[2] < 0 && v >= n[1]); v += n[2] {
				if v >= 0 && v <= most && (!found || v > best) {
					best, found = v, true
				}
			}
		}
		if got, ok := s.Largest(most); got != best || ok != found {
			t.Fatalf("%v up to %d: %d, %v; want %d, %v", s, most, got, ok, best, found)
		}
	})
}
