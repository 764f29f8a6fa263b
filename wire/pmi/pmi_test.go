package pmi

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want Message
	}{
		{"cmd=init pmi_version=1 pmi_subversion=1\n", New("init", "pmi_version", "1", "pmi_subversion", "1")},
		{"cmd=get_maxes", Message{Cmd: "get_maxes"}},
		{"  cmd=put  kvsname=kvs_0\tkey=a=b value=x=y#z$", New("put", "kvsname", "kvs_0", "key", "a=b", "value", "x=y#z$")},
		{"cmd=abort exitcode=3 message=out of cheese\r\n", New("abort", "exitcode", "3", "message", "out of cheese")},
		{"mcmd=spawn", Message{Cmd: "spawn", Multi: true}},
		{"cmd=x stray k=", New("x", "k", "")},
	} {
		got, err := Parse(c.line)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.line, err)
			continue
		}
		if got.Cmd != c.want.Cmd || got.Multi != c.want.Multi || !sameArgs(got.Args, c.want.Args) {
			t.Errorf("Parse(%q) = %+v, want %+v", c.line, got, c.want)
		}
	}
	for _, bad := range []string{"", "\n", "hello", "cmd=", "key=v cmd=init", "mcmd=", strings.Repeat("x", MaxInput+1)} {
		if m, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) = %+v, want an error", clip(bad), m)
		}
	}
}

func sameArgs(a, b []Arg) bool { return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b) }

func TestIntAndGet(t *testing.T) {
	m, _ := Parse("cmd=set size=12 rank=-1 name=abc")
	if v, err := m.Int("size"); v != 12 || err != nil {
		t.Errorf("size: %d, %v", v, err)
	}
	if v, err := m.Int("rank"); v != -1 || err != nil {
		t.Errorf("rank: %d, %v", v, err)
	}
	if _, err := m.Int("name"); !errors.Is(err, ErrNotNumber) {
		t.Errorf("name as a number: %v", err)
	}
	if _, err := m.Int("none"); !errors.Is(err, ErrNoKey) {
		t.Errorf("missing word: %v", err)
	}
	if _, ok := m.Get("none"); ok {
		t.Error("Get found a word that is not there")
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, c := range []struct {
		m    Message
		want error
	}{
		{New("put", "value", "a b"), ErrBadText},
		{New("put", "value", "a\nb"), ErrBadText},
		{New("put", "a=b", "c"), ErrBadText},
		{New("put", "", "c"), ErrBadText},
		{New("p ut"), ErrBadText},
		{New(""), ErrBadText},
		{New("put", "value", strings.Repeat("v", MaxLine)), ErrTooLong},
	} {
		keep := []byte("keep")
		out, err := c.m.Append(keep)
		if !errors.Is(err, c.want) || string(out) != "keep" {
			t.Errorf("Append(%+v) = %q, %v; want %v", c.m.Cmd, out, err, c.want)
		}
	}
}

func TestWord(t *testing.T) {
	if got := Word("no such\tfile\n"); got != "no_such_file_" {
		t.Errorf("Word = %q", got)
	}
	if got := Word("plain"); got != "plain" {
		t.Errorf("Word = %q", got)
	}
}

func TestLines(t *testing.T) {
	var l Lines
	text := "first\n\nthird line\n" + strings.Repeat("y", 5000) + "\nrest"
	var got []string
	for i := 0; i < len(text); i += 7 {
		l.Feed([]byte(text[i:min(i+7, len(text))]))
		for {
			line, ok, err := l.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			got = append(got, line)
		}
	}
	want := []string{"first", "", "third line", strings.Repeat("y", 5000)}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("lines %q", got)
	}
	l = Lines{}
	l.Feed([]byte(strings.Repeat("x", MaxInput+1)))
	if _, _, err := l.Next(); !errors.Is(err, ErrTooLong) {
		t.Errorf("endless line: %v", err)
	}
}

func TestMapping(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want []int
	}{
		{"(vector,(0,1,4))", 4, []int{0, 0, 0, 0}},
		{"(vector,(0,2,2))", 4, []int{0, 0, 1, 1}},
		{"(vector,(0,2,1))", 5, []int{0, 1, 0, 1, 0}},
		{"(vector,(0,1,3),(1,2,1))", 5, []int{0, 0, 0, 1, 2}},
	} {
		got, err := ParseMapping(c.text, c.n)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("ParseMapping(%q, %d) = %v, %v; want %v", c.text, c.n, got, err, c.want)
		}
		back, err := ParseMapping(FormatMapping(c.want), c.n)
		if err != nil || !reflect.DeepEqual(back, c.want) {
			t.Errorf("FormatMapping(%v) = %q does not read back: %v, %v", c.want, FormatMapping(c.want), back, err)
		}
	}
	for _, bad := range []string{"", "(vector)", "(vector,)", "(vector,(0,1))", "(vector,(0,0,1))", "(vector,(0,1,0))",
		"(vector,(a,1,1))", "(vector,(0,1,1)", "(matrix,(0,1,1))", "(vector,(0,1,99999999999))", "(vector,0,1,1)"} {
		if got, err := ParseMapping(bad, 2); !errors.Is(err, ErrMapping) {
			t.Errorf("ParseMapping(%q) = %v, %v", bad, got, err)
		}
	}
	if got := FormatMapping([]int{0, 0, 1, 1, 2, 2}); got != "(vector,(0,3,2))" {
		t.Errorf("FormatMapping = %q", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"cmd=init pmi_version=1 pmi_subversion=1\n", "mcmd=spawn\n", "cmd=put kvsname=a key=b value=c=d",
		"cmd=abort exitcode=1 message=a b  c", "\x00", "cmd=x \t =\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		m, err := Parse(line)
		if err != nil {
			return
		}
		if m.Cmd == "" {
			t.Fatalf("Parse(%q) gave no command", line)
		}
		out, err := m.Append(nil)
		if err != nil {
			return
		}
		again, err := Parse(string(out))
		if err != nil || again.Cmd != m.Cmd || !sameArgs(again.Args, m.Args) {
			t.Fatalf("Parse(%q) = %+v, written as %q, read back as %+v (%v)", line, m, out, again, err)
		}
	})
}

func FuzzParseMapping(f *testing.F) {
	f.Add("(vector,(0,1,4))", 4)
	f.Add("(vector,(0,1,3),(1,2,1))", 5)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 0 || n > 4096 {
			return
		}
		nodes, err := ParseMapping(text, n)
		if err != nil {
			return
		}
		if len(nodes) != n {
			t.Fatalf("ParseMapping(%q, %d) gave %d ranks", text, n, len(nodes))
		}
		if n == 0 {
			return
		}
		back, err := ParseMapping(FormatMapping(nodes), n)
		if err != nil || !reflect.DeepEqual(back, nodes) {
			t.Fatalf("%v written as %q, read back as %v (%v)", nodes, FormatMapping(nodes), back, err)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add("rank 7 is not in communicator\n")
	f.Add("%41 100%")
	f.Fuzz(func(t *testing.T, text string) {
		if !carries(Encode(text)) {
			t.Fatalf("Encode(%q) = %q is no word", text, Encode(text))
		}
		if got := Decode(Encode(text)); got != text {
			t.Fatalf("Decode(Encode(%q)) = %q", text, got)
		}
		Decode(text) // must not panic
	})
}
