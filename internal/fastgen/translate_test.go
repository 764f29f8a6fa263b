package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gompi/internal/fastgen/testdata/sample"
)

// The same functions give the same results in both languages.
func TestTranslationMeansTheSame(t *testing.T) {
	header, err := translate("testdata/sample", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sample.h"), header)
	write(t, filepath.Join(dir, "fast_glue.h"), "")
	write(t, filepath.Join(dir, "main.c"), `#include <inttypes.h>
#include <stdio.h>
#include "sample.h"
int main(void)
{
	int64_t x, y;
	while (scanf("%" SCNd64 " %" SCNd64, &x, &y) == 2)
		printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", fast_arithmetic(x, y), fast_loops(x, y), fast_memory(x, y));
	return 0;
}
`)
	program := filepath.Join(dir, "main")
	if out, err := exec.Command("gcc", "-O2", "-fwrapv", "-fno-strict-aliasing", "-Wall", "-Wextra", "-Werror", "-o", program,
		filepath.Join(dir, "main.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in, want strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		x, y := random.Int64(), random.Int64()
		if i%2 == 0 {
			x, y = x>>uint(i%64), y>>uint(i%61)
		}
		fmt.Fprintln(&in, x, y)
		fmt.Fprintln(&want, sample.Arithmetic(x, y), sample.Loops(x, y), sample.Memory(x, y))
	}
	run := exec.Command(program)
	run.Stdin = strings.NewReader(in.String())
	got, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	inputs, wanted := strings.Split(in.String(), "\n"), strings.Split(want.String(), "\n")
	for i, line := range strings.Split(string(got), "\n") {
		if line != wanted[i] {
			t.Fatalf("of %s C makes %s, Go %s", inputs[i], line, wanted[i])
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What C would take otherwise, or does not have, is refused with its position.
func TestRefused(t *testing.T) {
	for _, tc := range []struct{ code, message string }{
		{"func F(x []byte) {}", "has no form in C"},
		{"func F() { defer g() }\nfunc g() {}", "DeferStmt has no translation"},
		{"func F() int64 { return g() + g() }\nfunc g() int64 { return 1 }", "two calls in one expression"},
		{"func F(x, y uint32) uint32 { return x << y }", "shifts by variables"},
		{"func F(x int64) int64 { if x := x + 1; x > 2 { return x }; return 0 }", "shadows another variable"},
		{"func F(x *P) *P { return &P{} }\ntype P struct{ a int64 }", "memory is not allocated"},
		{"func F() int64 { return v }\nvar v int64", "is a variable of the package"},
		{"func F(x int64) int64 { return max(g(), x) }\nfunc g() int64 { return 1 }", "which C would make twice"},
		{"func F(x int64) int64 {\nloop:\n\tfor {\n\t\tbreak loop\n\t}\n\treturn x\n}", "has no translation"},
		{"func F(x int64) int64 { switch { case x > 1: break }; return x }", "break in a switch without a value"},
		{"func F(x int64) int64 { switch x { case 1: fallthrough; case 2: return 2 }; return x }", "no translation"},
		{"func F(x string) int64 { return 1 }", "has no form in C"},
		{"func F() (x, y int64) { return g() }\nfunc g() (x, y int64) { return 1, 2 }", "without variables"},
		{"func F() {}\nfunc f() {}", "has the name of another function"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "p.go"), "package p\n\n"+tc.code+"\n")
		text, err := translate(dir, nil)
		if err == nil || !strings.Contains(err.Error(), tc.message) || !strings.Contains(err.Error(), "p.go:") {
			t.Errorf("%s\nis not refused with %q but %v\n%s", tc.code, tc.message, err, text)
		}
	}
}
