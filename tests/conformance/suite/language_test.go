package suite

import (
	"slices"
	"strings"
	"testing"
)

func TestReadPutsLanguagesBehindC(t *testing.T) {
	root := tree(
		"f77/ext/testlist.in", "c2f 1\n@ALLOCMEMF@\n@namepub_tests@pubf 2\n",
		"f77/ext/Makefile.am", "AM_DEFAULT_SOURCE_EXT = .f\nc2f_SOURCES = c2f.c both.f both.h\nc2f.c: $(srcdir)/../../f90/ext/c2f.c\n\tcp it\nnodist_pubf_SOURCES = made.f\n",
		"errors/f90/io/testlist", "err 1\n", "errors/f90/io/Makefile.am", "AM_DEFAULT_SOURCE_EXT = .f90\n",
		"cxx/attr/testlist", "a 1\n", "cxx/attr/Makefile.am", "a_SOURCES = a.cxx\n",
		"topo/testlist", "cart 1\n", "topo/Makefile.am", "",
	)
	c, err := Read(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"topo/cart 1", "errors/f90/io/err 1", "f77/ext/c2f 1", "f77/ext/allocmemf 1", "f77/ext/pubf 2", "cxx/attr/a 1"}
	if got := ids(c.Tests); !slices.Equal(got, want) {
		t.Fatalf("tests %q, want %q", got, want)
	}
	var sources []string
	for _, x := range c.Tests {
		sources = append(sources, strings.Join(c.Recipe(x).Sources, "+"))
	}
	if want := []string{"cart.c", "err.f90", "../../f90/ext/c2f.c+both.f", "allocmemf.f", "made.f", "a.cxx"}; !slices.Equal(sources, want) {
		t.Errorf("sources %q, want %q", sources, want)
	}
}

func TestLanguages(t *testing.T) {
	for folder, want := range map[string]Language{"coll": C, "f77/io": F77, "errors/f90/io": F90, "f08": F08, "cxx/attr": CXX} {
		if got := LanguageOf(folder); got != want {
			t.Errorf("%s: language %v, want %v", folder, got, want)
		}
	}
	for _, x := range []struct {
		folder, name string
		want         bool
	}{{"errors/f77/io", "f77", true}, {"f77/io", "f77", true}, {"f77/io", "io", false}, {"errors/f77/io", "errors", true},
		{"f77/io", "f77/io", true}, {"f77/iox", "f77/io", false}} {
		if got := Within(x.folder, x.name); got != x.want {
			t.Errorf("%s within %s: %v", x.folder, x.name, got)
		}
	}
}
