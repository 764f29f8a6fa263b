package suite

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// tree makes a file system from name, content pairs.
func tree(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

func ids(tests []Test) []string {
	var s []string
	for _, t := range tests {
		s = append(s, t.ID())
	}
	return s
}

func TestReadWalksFoldersInOrder(t *testing.T) {
	root := tree(
		"pt2pt/testlist.in", "sendself 1 test/mpi/pt2pt/sendself arg=-n=1\n# none\n@largetest@big 3 mem=6.5\n",
		"pt2pt/testlist", "made_by_configure 1\n",
		"pt2pt/Makefile.am", "noinst_PROGRAMS = sendself big\n",
		"errors/testlist.in", "coll\n@rmadir@\n",
		"errors/coll/testlist", "\nrerr 2\nrerr 2 env=MPIR_CVAR_X=1\nloop\n",
		"errors/coll/Makefile.am", "noinst_PROGRAMS = rerr loop\n",
	)
	c, err := Read(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"errors/coll/rerr 2", "errors/coll/loop 2", "pt2pt/sendself 1 -n=1", "pt2pt/big 3"}
	if got := ids(c.Tests); !slices.Equal(got, want) {
		t.Fatalf("tests %q, want %q", got, want)
	}
	if gb := c.Tests[3].MemoryGB; gb != 6.5 {
		t.Errorf("memory %v GB, want 6.5", gb)
	}
}

func TestReadPrefersTheLineWithoutMPICHsVariables(t *testing.T) {
	root := tree(
		"init/testlist", "a 2 env=MPIR_CVAR_X=1 timeLimit=10\na 2 timeLimit=20\na 2 env=MPIR_CVAR_X=2\nb 1 env=MPIR_CVAR_Y=1 env=Z=2\n",
		"init/Makefile.am", "",
	)
	c, err := Read(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Tests) != 2 {
		t.Fatalf("tests %q, want two", ids(c.Tests))
	}
	if a := c.Tests[0]; len(a.Env) != 0 || a.Limit != 20*time.Second {
		t.Errorf("kept %+v, want the line without variables", a)
	}
	if b := c.Tests[1]; !slices.Equal(b.Env, []string{"MPIR_CVAR_Y=1", "Z=2"}) {
		t.Errorf("environment %q", b.Env)
	}
}

func TestReadTakesAdditionsAndRules(t *testing.T) {
	root := tree(
		"basic/Makefile.am", "noinst_PROGRAMS = self\n",
		"init/testlist", "exitst1 2 resultTest=TestStatus\ntimeout 2 resultTest=TestErrFatal\nplain 1 mpiexecarg=-x strict=FALSE\n",
		"init/Makefile.am", "",
	)
	c, err := Read(root, strings.NewReader("basic/self 1 resultTest=ZeroStatus\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"basic/self 1", "init/exitst1 2", "init/timeout 2", "init/plain 1"}
	if got := ids(c.Tests); !slices.Equal(got, want) {
		t.Fatalf("tests %q, want %q", got, want)
	}
	for i, rule := range []Rule{ZeroStatus, NonZero, NonZero, NoErrors} {
		if c.Tests[i].Rule != rule {
			t.Errorf("%s: rule %v, want %v", c.Tests[i].ID(), c.Tests[i].Rule, rule)
		}
	}
}

func TestReadNamesFileAndLineOfAnError(t *testing.T) {
	for _, bad := range []string{"a x\n", "a 0\n", "a 1 timeLimit=soon\n", "a 1 mem=much\n", "a 1 resultTest=Guess\n", "a 1 colour=red\n"} {
		_, err := Read(tree("attr/testlist", "\n"+bad, "attr/Makefile.am", ""), nil)
		if err == nil || !strings.Contains(err.Error(), "attr/testlist: line 2: a: ") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func TestDatatypeLists(t *testing.T) {
	lines, err := datatypeLists(strings.NewReader("# comment\n\ncxx/attr/x::1::1:8::0\npt2pt/pingping:-v:1 512:timeLimit=9 mem=2:2:8:32:0\nrma/accfence1::1 512::4:16:1024:0\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range lines {
		if l.Folder != "cxx/attr" {
			got = append(got, l.ID())
		}
	}
	want := []string{
		"pt2pt/pingping 2 -type=MPI_INT -sendcnt=1 -recvcnt=1 -seed=3 -testsize=32 -v",
		"pt2pt/pingping 2 -type=MPI_INT -sendcnt=1 -recvcnt=2 -seed=4 -testsize=32 -v",
		"pt2pt/pingping 2 -type=MPI_INT -sendcnt=512 -recvcnt=512 -seed=5 -testsize=8 -v",
		"pt2pt/pingping 2 -type=MPI_INT -sendcnt=512 -recvcnt=1024 -seed=6 -testsize=8 -v",
	}
	if !slices.Equal(got[:4], want) {
		t.Errorf("tests %q, want %q", got[:4], want)
	}
	if l := lines[2]; l.Limit != 9*time.Second || l.MemoryGB != 2 {
		t.Errorf("attributes of %+v", l)
	}
	if last := got[len(got)-1]; last != "rma/accfence1 4 -type=MPI_INT:4+MPI_DOUBLE:8 -count=512 -seed=14 -testsize=16" {
		t.Errorf("last test %q", last)
	}
	if _, err := datatypeLists(strings.NewReader("rma/x::1:2\n")); err == nil {
		t.Error("a line with too few fields was taken")
	}
}

func TestAlgorithmListsTakesTestsOnly(t *testing.T) {
	lines, err := algorithmLists(strings.NewReader("tests:\n    allreduce:\n        intra-blocking:\n            allred 7 arg=-count=10\nalgorithms:\n    bcast:\n        kval 4\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 1 || lines[0].ID() != "coll/allred 7 -count=10" {
		t.Errorf("lines %+v", lines)
	}
}

func TestRecipe(t *testing.T) {
	m, err := parseMakefile(strings.NewReader(`include $(top_srcdir)/Makefile_threads.mtest
AM_CPPFLAGS += -DALL
noinst_PROGRAMS = one two-x # three
two_x_SOURCES = common.c \
    common.h impl.c
two_x_CPPFLAGS = -DSEND $(AM_CPPFLAGS)
two_x_LDADD = $(LDADD) $(LDADDDATA)
`))
	if err != nil {
		t.Fatal(err)
	}
	if r := m.recipe("one"); !slices.Equal(r.Sources, []string{"one.c"}) || !r.Threads || r.Dtypes {
		t.Errorf("recipe of one: %+v", r)
	}
	r := m.recipe("two-x")
	if !slices.Equal(r.Sources, []string{"common.c", "impl.c"}) || !slices.Equal(r.Defines, []string{"-DALL", "-DSEND"}) || !r.Dtypes {
		t.Errorf("recipe of two-x: %+v", r)
	}
}

func TestExclude(t *testing.T) {
	list, err := ParseExclusions(strings.NewReader("# why\ncoll/big  8 -x: needs 20 GB\nmpi_t/qmpi: MPICH's own\ncoll/gone 1: no longer there\n"))
	if err != nil {
		t.Fatal(err)
	}
	c := &Catalogue{Tests: []Test{
		{Folder: "coll", Program: "big", NP: 8, Args: []string{"-x"}}, {Folder: "coll", Program: "big", NP: 4, MemoryGB: 4.5},
		{Folder: "mpi_t", Program: "qmpi", NP: 2}, {Folder: "mpi_t", Program: "qmpi", NP: 3},
	}}
	unused := c.Exclude(list)
	if got := ids(c.Tests); !slices.Equal(got, []string{"coll/big 4"}) {
		t.Errorf("left %q", got)
	}
	if large := c.Larger(4); len(large) != 1 || large[0] != (Exclusion{"coll/big 4", "needs 4.5 GB"}) {
		t.Errorf("larger than 4 GB: %+v", large)
	}
	if large := c.Larger(5); len(large) != 0 || len(c.Excluded) != 3 {
		t.Errorf("larger than 5 GB: %+v, excluded %q", large, ids(c.Excluded))
	}
	if len(unused) != 1 || unused[0].Test != "coll/gone 1" {
		t.Errorf("unused %+v", unused)
	}
	if _, err := ParseExclusions(strings.NewReader("coll/big\n")); err == nil {
		t.Error("an exclusion without a reason was taken")
	}
}

// TestNewerForms has what the suite has got after 4.0.
func TestNewerForms(t *testing.T) {
	root := tree(
		"coll/testlist", "red 4 resultTest=TestAllowWarnings\nplain 2 -large-count -sync=fence arg=-v\nbare -sync\n",
		"coll/Makefile.am", "include Makefile_mpitests.mk\n",
		"session/testlist", "open 4\n", "session/Makefile.am", "",
		"maint/all_mpitests.txt", "# path [libraries]\n\ncoll/red -lm\nattr/gone\n",
	)
	c, err := Read(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(c.Tests), []string{"coll/red 4", "coll/plain 2 -v", "coll/bare 2", "session/open 4"}; !slices.Equal(got, want) {
		t.Fatalf("tests %q, want %q", got, want)
	}
	if c.Tests[0].Rule != NoErrorsBesideWarnings {
		t.Errorf("rule %v", c.Tests[0].Rule)
	}
	if !c.Recipe(c.Tests[0]).Driver || c.Recipe(c.Tests[1]).Driver {
		t.Errorf("recipes %+v, %+v: the first has no main", c.Recipe(c.Tests[0]), c.Recipe(c.Tests[1]))
	}
}
