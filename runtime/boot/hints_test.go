package boot

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

func hintFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "hints")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// What the info object says comes after what the file says, wherever "file" stands: the last one counts.
func TestHintsOfAFile(t *testing.T) {
	name := hintFile(t, "# where\n\nwdir = /tmp\n  host=localhost \r\nenv = A=b = c\nenv=B=\nsoft = 1:3")
	p := Program{Hints: []Hint{{"wdir", "/"}, {"file", name}, {"env", "A=1\nC=2\n"}, {"arch", "x"}}}
	got, err := p.hints()
	want := []Hint{{"wdir", "/tmp"}, {"host", "localhost"}, {"env", "A=b = c"}, {"env", "B="}, {"soft", "1:3"},
		{"wdir", "/"}, {"env", "A=1"}, {"env", "C=2"}, {"arch", "x"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestBadHintFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"/no/such/file": "no such file",
		t.TempDir():     "is no regular file",
		pipe:            "is no regular file",
		hintFile(t, strings.Repeat("#", longestFile+1)): "is no regular file",
		hintFile(t, "wdir /tmp"):                        `line 1: "wdir /tmp" is not of the form`,
		hintFile(t, "\nwdri = /tmp"):                    `line 2: the key is "wdri"`,
		hintFile(t, "file = other"):                     `the key is "file"`,
		hintFile(t, "= x"):                              `the key is ""`,
		hintFile(t, "env = A=\x00"):                     "zero byte",
		hintFile(t, strings.Repeat("x", 300)+" = wdir"): "xxx...",
		hintFile(t, "soft = 1\n\xff\xfe = 3"):           "line 2",
	} {
		p := Program{Hints: []Hint{{"file", name}}}
		if got, err := p.hints(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

func FuzzHintFile(f *testing.F) {
	f.Add("wdir = /tmp\n#x\nenv=A=b")
	f.Fuzz(func(t *testing.T, text string) {
		name := hintFile(t, text)
		all, err := readHints(name)
		for _, h := range all {
			if err != nil || h.Key == "" || strings.ContainsAny(h.Value, "\n\x00") {
				t.Errorf("%q: %q, %v", text, h, err)
			}
		}
	})
}
