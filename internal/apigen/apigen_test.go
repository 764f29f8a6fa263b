package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gompi/api"
)

const root = "../.."

func TestTreeIsCurrent(t *testing.T) {
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Errorf("%v: run go generate ./...", err)
		} else if string(got) != want {
			t.Errorf("%s does not follow from api/ and mpi/: run go generate ./...", name)
		}
	}
	for _, pattern := range stale {
		old, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range old {
			if _, ok := files["capi/"+filepath.Base(path)]; !ok {
				t.Errorf("%s follows from nothing: run go generate ./...", path)
			}
		}
	}
}

// use is a program that needs of mpi.h what the compiler must compute: sizes, types and values of constants.
const use = `#include "mpi.h"
#include "mpi.h"
#ifdef __cplusplus
#define CHECK(x) static_assert(x, #x)
#elif __STDC_VERSION__ >= 201112L
#define CHECK(x) _Static_assert(x, #x)
#else
#define CHECK(x) extern int check[(x) ? 1 : -1]
#endif
CHECK(sizeof(MPI_Status) == 32);
CHECK(sizeof(MPI_Comm) == sizeof(void *));
CHECK(sizeof(MPI_Aint) == sizeof(void *) && sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8);
CHECK(MPI_VERSION == 5 && MPI_ERR_LASTCODE == 16383 && MPI_ANY_SOURCE == -1 && MPI_UNDEFINED == -32766);
CHECK(MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE == 0x3f && MPI_THREAD_SINGLE < MPI_THREAD_MULTIPLE);
#if MPI_VERSION < 5
#error "constants must be usable by the preprocessor"
#endif
MPI_Comm world = MPI_COMM_WORLD;
MPI_Datatype types[] = {MPI_INT, MPI_C_COMPLEX, MPI_LONG_LONG_INT};
MPI_Comm_copy_attr_function *copy = MPI_COMM_DUP_FN;
int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
static int *weights(void) { return MPI_UNWEIGHTED; }
int main(void)
{
	MPI_Status *ignore = MPI_STATUS_IGNORE;
	MPI_Offset current = MPI_DISPLACEMENT_CURRENT;
	MPI_T_cb_safety safety = MPI_T_CB_REQUIRE_NONE;
	int result = (int)current;
	switch (result) {
	case MPI_IDENT: return 1;
	default: break;
	}
	return ignore == 0 && current == -1 && safety == 0 && weights() && types[0] &&
		copy && send && MPI_BOTTOM == 0 ? 0 : 1;
}
`

func TestHeaderCompiles(t *testing.T) {
	for _, c := range []struct{ compiler, standard, suffix string }{
		{"gcc", "c99", ".c"}, {"gcc", "c11", ".c"}, {"gcc", "c2x", ".c"}, {"g++", "c++11", ".cc"}, {"g++", "c++20", ".cc"},
	} {
		t.Run(c.standard, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil {
				t.Skip(err)
			}
			source := filepath.Join(t.TempDir(), "use"+c.suffix)
			if err := os.WriteFile(source, []byte(use), 0o644); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, c.compiler, "-std="+c.standard, "-Wall", "-Wextra", "-pedantic", "-Werror",
				"-I"+filepath.Join(root, "include"), "-fsyntax-only", source).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func TestOperationsThatAreNeverCalled(t *testing.T) {
	d, err := api.Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{"Send": true, "Wtime": false, "Attr_get": false} {
		g := generator{Description: d, done: map[string]bool{name: true}}
		if err := g.checkNames(); (err == nil) != ok {
			t.Errorf("MPI_%s: error %v", name, err)
		}
	}
}

// stubOf is the C text of one function when the given operations are written.
func stubOf(t *testing.T, name string, large bool, done ...string) string {
	t.Helper()
	d, err := api.Load()
	if err != nil {
		t.Fatal(err)
	}
	g := generator{Description: d, done: map[string]bool{}}
	for _, n := range done {
		g.done[n] = true
	}
	f, ok := d.Function(name)
	if !ok {
		t.Fatalf("no function %s", name)
	}
	var b strings.Builder
	g.stub(&b, f, large)
	return b.String()
}

func TestStubs(t *testing.T) {
	for _, c := range []struct {
		name  string
		large bool
		done  []string
		want  string
	}{
		{"Win_fence", false, nil, `gompi_unsupported((uintptr_t)"MPI_Win_fence", GOMPI_ON_WIN, (uintptr_t)win)`},
		{"T_init_thread", false, nil, `GOMPI_ON_TOOL, 0`},
		{"Get_count", false, []string{"Get_count"}, `return gompi_done(gompi_Get_count((uintptr_t)status, (uintptr_t)datatype, (uintptr_t)count, 0))`},
		{"Get_count", true, []string{"Get_count"}, `return gompi_done(gompi_Get_count((uintptr_t)status, (uintptr_t)datatype, (uintptr_t)count, 1))`},
		{"Pack", false, []string{"Pack"}, `(uintptr_t)position, (uintptr_t)comm, 0)`},
		{"Gatherv", false, []string{"Gatherv"}, `(uintptr_t)comm, 0)`},
		{"Gatherv", true, []string{"Gatherv"}, `(uintptr_t)comm, 1)`},
		{"Type_size_x", false, []string{"Type_size"}, `return gompi_done(gompi_Type_size((uintptr_t)datatype, (uintptr_t)size, 2))`},
		{"Type_struct", false, []string{"Type_create_struct"}, `gompi_Type_create_struct(count, `},
		{"Type_get_contents", false, []string{"Type_get_contents"}, `max_addresses, 0, max_datatypes`},
		{"Comm_dup", false, []string{"Comm_dup"}, `return gompi_done(GOMPI_CALLBACKS(gompi_Comm_dup(`},
		{"Comm_rank", false, []string{"Comm_rank"}, `if (fast_comm_rank(gompi_endpoint, (uintptr_t)comm, rank))`},
		{"Type_get_attr", false, []string{"Type_get_attr"}, `if (fast_type_get_attr(gompi_endpoint, (uintptr_t)datatype, `},
		{"Error_string", false, []string{"Error_string"}, `GOMPI_ENTER_ANY("MPI_Error_string")`},
	} {
		if got := stubOf(t, c.name, c.large, c.done...); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %s in\n%s", c.name, c.want, got)
		}
	}
}
