package api

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"
	"testing"
)

func load(t *testing.T) *Description {
	t.Helper()
	d, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// digest is a short name for a sorted list of lines.
func digest(list []string) string {
	sort.Strings(list)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(list, "\n"))))[:16]
}

// The sums were taken when the prototypes had been compared, one by one, with the table of the standard ABI.
const (
	prototypeSum = "550a0c2e074959e3"
	constantSum  = "0c11caaeaf48ae23"
)

func TestTableOfTheStandard(t *testing.T) {
	d := load(t)
	var prototypes, constants []string
	small, large := 0, 0
	for _, f := range d.Functions {
		if f.Extra {
			continue
		}
		small++
		prototypes = append(prototypes, f.Prototype("MPI_", false))
		if f.Large {
			large++
			prototypes = append(prototypes, f.Prototype("MPI_", true))
		}
	}
	for _, c := range d.Constants {
		if !c.Extra {
			constants = append(constants, fmt.Sprintf("%s %s %s", c.CType(), c.CName(), c.Value))
		}
	}
	if small != 503 || large != 161 {
		t.Errorf("%d functions and %d large-count twins, want 503 and 161", small, large)
	}
	if len(constants) != 365 {
		t.Errorf("%d constants, want 365", len(constants))
	}
	if got := digest(prototypes); got != prototypeSum {
		t.Errorf("prototypes have sum %s, want %s: a C type or a name changed", got, prototypeSum)
	}
	if got := digest(constants); got != constantSum {
		t.Errorf("constants have sum %s, want %s: a name, type or value changed", got, constantSum)
	}
}

func TestPrototypes(t *testing.T) {
	d := load(t)
	for _, want := range []string{
		"int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)",
		"int MPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)",
		"int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[])",
		"int MPI_Init(int *argc, char ***argv)",
		"int MPI_Op_create_c(MPI_User_function_c *user_fn, int commute, MPI_Op *op)",
		"int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)",
		"int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])",
		"int MPI_Pcontrol(int level, ...)",
		"MPI_Fint MPI_Comm_c2f(MPI_Comm comm)",
		"MPI_Datatype MPI_Type_f2c(MPI_Fint datatype)",
		"double MPI_Wtime(void)",
	} {
		name := want[strings.Index(want, "MPI_"):]
		if i := strings.Index(want, " MPI_"); i >= 0 {
			name = want[i+1:]
		}
		name = strings.TrimPrefix(name[:strings.Index(name, "(")], "MPI_")
		base, large := strings.CutSuffix(name, "_c")
		f, ok := d.Function(base)
		if !ok {
			t.Errorf("%s is not described", base)
			continue
		}
		if got := f.Prototype("MPI_", large); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestBadLines(t *testing.T) {
	for line, want := range map[string]string{
		"Send buf":             "is no parameter",
		"Send buf:nonsense":    "unknown kind",
		"Send buf:buf@here":    "unknown attribute",
		"Send !loud buf:buf":   "unknown option",
		"Send count:int[a-b]x": "is no parameter",
	} {
		if _, err := parseFunction(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", line, err, want)
		}
	}
}

func TestEveryFunctionHasACheckableShape(t *testing.T) {
	for _, f := range load(t).Functions {
		poly := false
		for i, p := range f.Params {
			k := Kinds[p.Kind]
			poly = poly || k.Poly() || p.FuncLarge || p.LargeOnly
			if (p.Kind == "dest" || p.Kind == "source" || p.Kind == "root") && !hasKind(f, "comm") {
				t.Errorf("%s: %s is checked against a communicator, and there is none", f.Name, p.Name)
			}
			if p.Kind == "varargs" && i != len(f.Params)-1 {
				t.Errorf("%s: varargs are not last", f.Name)
			}
		}
		if f.Large && !poly {
			t.Errorf("%s has a large-count twin with the same C types", f.Name)
		}
	}
}

func hasKind(f Function, kind string) bool {
	for _, p := range f.Params {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

func TestManualExplainsAll(t *testing.T) {
	d, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	m, err := LoadManual(d)
	if err != nil {
		t.Fatal(err)
	}
	d.Functions = append(d.Functions, Function{Name: "Unexplained", Chapter: "p2p"})
	if err := m.check(d); err == nil {
		t.Error("a function that is not explained is not found")
	}
	for name, family := range map[string]string{"Ibcast": "Bcast", "Bcast_init": "Bcast", "Bcast": "Bcast", "Init": "Init",
		"Intercomm_merge": "Intercomm_merge", "Ineighbor_alltoall": "Neighbor_alltoall", "File_iread_at": "File_read_at",
		"Is_thread_main": "Is_thread_main", "File_read_all_begin": "File_read_all", "Comm_idup": "Comm_dup"} {
		if got := (Function{Name: name}).Family(); got != family {
			t.Errorf("the family of %s is %s", name, got)
		}
	}
}
