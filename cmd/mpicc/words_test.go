package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		``:                        nil,
		"  \t\n ":                 nil,
		`gcc`:                     {"gcc"},
		` ccache  gcc `:           {"ccache", "gcc"},
		`"my gcc" -O2`:            {"my gcc", "-O2"},
		`'my gcc' ''`:             {"my gcc", ""},
		`my\ gcc`:                 {"my gcc"},
		`-D'A="x y"'b`:            {`-DA="x y"b`},
		`"a\"b" 'a\b'`:            {`a"b`, `a\b`},
		"a\nb\tc\r\nd":            {"a", "b", "c", "d"},
		`clang --sysroot="/a b"/`: {"clang", "--sysroot=/a b/"},
	} {
		got, err := splitWords(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v; want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`'`, `"a`, `a'b"`} {
		if words, err := splitWords(line); err == nil {
			t.Errorf("%q: got %q, want an error", line, words)
		}
	}
}

// A shell has to read back what is shown.
func TestShowWordsForTheShell(t *testing.T) {
	words := []string{
		"gcc", "", " ", "a b", `"`, `'`, `\`, `\\`, "$HOME", "`id`", "$(id)", "*", "?", "~", "a;b", "a&b", "a|b",
		"<", ">", "(", ")", "#", "!", "{a,b}", "[a]", "a\tb", "ä ö", "%s", "-I/usr/my include", `-DNAME="a b"`,
		"-DF(x)=x", "-L/a b", "-Wl,-rpath,/a b", "-l:a b.so", "-I", "-D$x", "=", "a=b", "@file",
	}
	out, err := exec.Command("sh", "-c", `for w in `+showWords(words)+`; do printf '%s\n' "$w"; done`).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if !slices.Equal(got, words) {
		t.Errorf("a shell reads\n%q from\n%s\nwant\n%q", got, showWords(words), words)
	}
}

// CMake's FindMPI reads -I"dir" and no other way of quoting.
func TestShowWordQuotesTheValue(t *testing.T) {
	for word, want := range map[string]string{
		"-I/a b":           `-I"/a b"`,
		"-L/a b":           `-L"/a b"`,
		"-Wl,-rpath,/a b":  `-Wl,"-rpath,/a b"`,
		"-I/a":             "-I/a",
		"/a b":             `"/a b"`,
		"-Wl,-rpath,/a+b%": "-Wl,-rpath,/a+b%",
	} {
		if got := showWord(word); got != want {
			t.Errorf("%s is shown as %s, want %s", word, got, want)
		}
	}
}

func FuzzShowWords(f *testing.F) {
	f.Add("a b", `c"d`)
	f.Fuzz(func(t *testing.T, a, b string) {
		words := []string{a, b}
		got, err := splitWords(showWords(words))
		if err != nil || !slices.Equal(got, words) {
			t.Errorf("%q shown as %s is read as %q, %v", words, showWords(words), got, err)
		}
	})
}
