package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// meets reports whether an error is what is wanted: none for "".
func meets(err error, want string) bool {
	if want == "" || err == nil {
		return want == "" && err == nil
	}
	return strings.Contains(err.Error(), want)
}

func TestParseHosts(t *testing.T) {
	for _, c := range []struct {
		list string
		want []hostEntry
		bad  string
	}{
		{list: "a,b:4,,a", want: []hostEntry{{"a", 2, 0}, {"b", 4, 0}}},
		{list: "me@a.b.org:2", want: []hostEntry{{"me@a.b.org", 2, 0}}},
		{list: "::1,fe80::2,[fe80::3]:5,[fe80::4]", want: []hostEntry{{"::1", 1, 0}, {"fe80::2", 1, 0}, {"fe80::3", 5, 0}, {"fe80::4", 1, 0}}},
		{list: "a:0", bad: `"a:0": "0" is not a number of slots`},
		{list: "a:x", bad: `"x" is not a number of slots`},
		{list: ":4", bad: "is no name of a host"},
		{list: "-oProxyCommand=x", bad: "is no name of a host"},
		{list: "a;b", bad: "is no name of a host"},
	} {
		got, err := parseHosts(c.list)
		if !meets(err, c.bad) || err == nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, %v; want %v, %s", c.list, got, err, c.want, c.bad)
		}
	}
}

func TestReadHostFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	for _, c := range []struct {
		text string
		want []hostEntry
		bad  string
	}{
		{text: "# all\na\n b:4 # four\n\nc slots=2 max_slots=3\r\n", want: []hostEntry{{"a", 0, 0}, {"b", 4, 0}, {"c", 2, 3}}},
		{text: "a\na\nb max-slots=2", want: []hostEntry{{"a", 2, 0}, {"b", 0, 2}}},
		{text: "a cpus=2 user=me\nb username=you", want: []hostEntry{{"me@a", 2, 0}, {"you@b", 0, 0}}},
		{text: "a\nb slots=no\n", bad: `hosts:2: "no" is not a number of slots`},
		{text: "a\n\nb seats=2\n", bad: `hosts:3: "seats=2" is none of slots=`},
		{text: "a:-1\n", bad: `hosts:1: "a:-1": "-1" is not a number of slots`},
	} {
		os.WriteFile(file, []byte(c.text), 0o600)
		got, err := readHostFile(file)
		if !meets(err, c.bad) || err == nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, %v; want %v, %s", c.text, got, err, c.want, c.bad)
		}
	}
}

// Where ranks go, each shown by the number of its host.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"-H a,b p", "01"},
		{"-H a:2,b:3 p", "00111"},
		{"-H a:2,b:3 -n 3 p", "001"},
		{"-H a,b -n 5 p", "00011"},
		{"-H a:1,b:3 -n 8 p", "00111111"},
		{"-H a:2,b:3 -n 4 --map-by node p", "0101"},
		{"-H a:1,b:3 -n 4 --map-by node p", "0111"},
		{"-H a:1,b:1 -n 5 -bynode p", "01010"},
		{"-H a:4,b:4 -ppn 2 p", "0011"},
		{"-H a:4,b:4 -ppn 2 -n 6 p", "001100"},
		{"-H a:4,b:4 --map-by ppr:1:node p", "01"},
		{"-H a:2,b:2 -n 1 p : -n 2 q", "001"},
		{"-H a:2,b:2 -n 1 p : -H b -n 2 q", "011"},
		{"-H a:2,b:2 -n 3 p : -n 2 q", "00101"},
	} {
		l, _ := specOf(t, strings.Fields(c.line)...)
		s, err := l.spec("mpiexec")
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
			continue
		}
		got := ""
		for _, k := range s.Place {
			got += fmt.Sprint(k)
		}
		if got != c.want {
			t.Errorf("%q: ranks on %s, want %s", c.line, got, c.want)
		}
	}
	file := filepath.Join(t.TempDir(), "hosts")
	os.WriteFile(file, []byte("a slots=1 max_slots=2\nb slots=1 max_slots=1\n"), 0o600)
	for line, want := range map[string]string{
		"-n 4 p":                   "4 ranks are more than max_slots allows for a, b",
		"-n 3 --nooversubscribe p": "3 ranks, but 2 slots",
	} {
		l, _ := specOf(t, append([]string{"-f", file}, strings.Fields(line)...)...)
		if _, err := l.spec("mpiexec"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

func TestRankFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ranks")
	named := []hostEntry{{name: "x"}, {name: "y"}}
	for _, c := range []struct {
		text string
		want []rankPlace
		bad  string
	}{
		{text: "# mine\nrank 1=b slot=0-1,3\nrank 0=a\n rank 2 = +n1 slot=2\n", want: []rankPlace{{"a", nil}, {"b", []int{0, 1, 3}}, {"y", []int{2}}}},
		{text: "rank 0=a\nrank 2=a\n", bad: "has no line for rank 1"},
		{text: "rank 0=a\nrank 0=b\n", bad: "ranks:2: rank 0 has a line already"},
		{text: "rank 0=a slot=x\n", bad: `ranks:1: "x" is no list of processors`},
		{text: "rank 0=+n2\n", bad: `ranks:1: "+n2" is none of the 2 hosts`},
		{text: "rang 0=a\n", bad: "is not of the form rank N=HOST slot=LIST"},
		{text: "rank 0=a cpu=1\n", bad: `"cpu=1" is not slot=LIST`},
		{text: "", bad: "has no line for rank 0"},
	} {
		os.WriteFile(file, []byte(c.text), 0o600)
		got, err := readRankFile(file, named)
		if !meets(err, c.bad) || err == nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, %v; want %v, %s", c.text, got, err, c.want, c.bad)
		}
	}
	os.WriteFile(file, []byte("rank 0=b slot=0\nrank 1=a\nrank 2=b\n"), 0o600)
	l, _ := specOf(t, "--rankfile", file, "p")
	s, err := l.spec("mpiexec")
	if err != nil || fmt.Sprint(s.Hosts, s.Place) != "[b a] [0 1 0]" || s.Processors(0) == nil {
		t.Errorf("%+v, %v", s, err)
	}
}
