package launcher

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Programs and launchers of other MPI implementations. Debian's packages are mpich and openmpi-bin.

const mpichProgram = `
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, size, sum, flag, *appnum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &appnum, &flag);
    if (argc > 1 && !strcmp(argv[1], "abort") && rank == 1) MPI_Abort(MPI_COMM_WORLD, 6);
    if (argc > 1 && !strcmp(argv[1], "leave") && rank == 1) _Exit(0);
    if (argc > 1 && !strcmp(argv[1], "spawn")) {
        MPI_Comm child;
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        int rc = MPI_Comm_spawn("./child", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child, MPI_ERRCODES_IGNORE);
        printf("spawn %s\n", rc == MPI_SUCCESS ? "done" : "refused");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d of %d, sum %d, appnum %d\n", rank, size, sum, flag ? *appnum : -1);
    MPI_Finalize();
    return 0;
}
`

// mpichBinary builds a program with MPICH's compiler wrapper.
func mpichBinary(t *testing.T) string {
	t.Helper()
	cc, err := exec.LookPath("mpicc.mpich")
	if err != nil {
		t.Skip("MPICH is not installed (Debian: libmpich-dev)")
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "prog.c"), filepath.Join(dir, "prog")
	if err := os.WriteFile(source, []byte(mpichProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(cc, "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return binary
}

func TestMPICHProgramUnderOurLauncher(t *testing.T) {
	prog := mpichBinary(t)
	for _, n := range []string{"1", "2", "5"} {
		r := run(t, "", "-n", n, prog)
		sum := map[string]string{"1": "0", "2": "1", "5": "10"}[n]
		r.want(t, 0, "rank 0 of "+n+", sum "+sum+", appnum 0\n", "")
		if strings.Count(r.out, "of "+n+", sum "+sum) != strings.Count(r.out, "\n") {
			t.Errorf("stdout %q", r.out)
		}
		r.silent(t)
	}
	run(t, "", "-n", "1", prog, ":", "-n", "2", prog).want(t, 0, "rank 2 of 3, sum 3, appnum 1\n", "")
	run(t, "", "-n", "2", "sh", "-c", prog+"; exit $?").want(t, 0, "rank 1 of 2, sum 1, appnum 0\n", "")
	run(t, "", "-n", "2", prog, "abort").want(t, 6, "", "mpiexec: rank 1 (pid ")
	run(t, "", "-n", "2", prog, "leave").want(t, 1, "", "left without MPI_Finalize")
	run(t, "", "-n", "1", prog, "spawn").want(t, 0, "spawn refused", "")
}

// A program of Open MPI's cannot be told which rank it is: that is said before it runs. What stands in for
// its library here is an empty one of that name.
func TestOpenMPIProgramUnderOurLauncher(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"mpi.c": "int nothing;\n", "prog.c": "#include <stdio.h>\nextern int nothing;\nint main(void) { return nothing + puts(\"alone\") < 0; }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, library := range []string{"libmpi.so.40", "libmpi.so.12"} {
		for _, argv := range [][]string{
			{"gcc", "-shared", "-fPIC", "-Wl,-soname," + library, "-o", library, "mpi.c"},
			{"gcc", "-o", "prog", "prog.c", "./" + library, "-Wl,-rpath," + dir},
		} {
			cmd := exec.Command(argv[0], argv[1:]...)
			if cmd.Dir = dir; cmd.Err != nil {
				t.Skip("gcc is not installed")
			}
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		r := run(t, "", "-n", "2", "-wdir", dir, "./prog")
		if library == "libmpi.so.12" { // MPICH's
			r.want(t, 0, "alone\nalone\n", "")
			r.silent(t)
			continue
		}
		r.want(t, 0, "alone\nalone\n", `mpiexec: program "./prog" is built with Open MPI (libmpi.so.40)`)
	}
}

// Ranks that join as the library does, under other launchers.
func TestRanksUnderOtherLaunchers(t *testing.T) {
	for _, c := range []struct {
		name, install string
		argv          []string
		exchange      bool // the launcher exchanges values
	}{
		{"hydra", "mpich", []string{"mpiexec.hydra", "-n", "3"}, true},
		{"hydra by port", "mpich", []string{"mpiexec.hydra", "-pmi-port", "-n", "3"}, true},
		{"openmpi", "openmpi-bin", []string{"mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "3"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath(c.argv[0]); err != nil {
				t.Skipf("%s is not installed (Debian: %s)", c.argv[0], c.install)
			}
			argv := append(c.argv, rank, "join", "watch", "barrier", "facts", "barrier")
			if c.exchange {
				argv = append(argv, "put=v", "fence", "0:get=2", "get=1")
			}
			r := runCommand(t, "", append(argv, "finalize")...)
			for _, want := range []string{"rank 0 of 3, node rank 0 of 3", "rank 1 of 3, node rank 1 of 3", "rank 2 of 3, node rank 2 of 3"} {
				r.want(t, 0, want, "")
			}
			if strings.Contains(r.out, "singleton true") {
				t.Errorf("stdout %q", r.out)
			}
			if c.exchange && strings.Count(r.out, "v1") != 3 {
				t.Errorf("values exchanged: %q", r.out)
			}
		})
	}
}

func TestSingleton(t *testing.T) {
	r := runCommand(t, "", rank, "join", "watch", "barrier", "facts", "finalize")
	r.want(t, 0, "rank 0 of 1, node rank 0 of 1, appnum -1, universe -1, singleton true\n", "")
	r.silent(t)
	run(t, "", "-n", "1", rank, "join", "barrier", "facts", "finalize").want(t, 0, "singleton false", "")
}

// A rank whose parent closed the launcher's socket must not believe to be alone.
func TestSocketLostOnTheWay(t *testing.T) {
	run(t, "", "-n", "2", "sh", "-c", "exec rank join facts 3<&-").want(t, 99, "", "(PMI_FD=3) is not open")
}

// A program that a rank starts is no rank: it is alone.
func TestProgramStartedByRank(t *testing.T) {
	r := run(t, "", "-n", "2", "rank", "join", "barrier", "run=rank join facts finalize", "barrier", "finalize")
	if r.want(t, 0, "", ""); strings.Count(r.out, "rank 0 of 1, node rank 0 of 1, appnum -1, universe -1, singleton true") != 2 {
		t.Errorf("stdout %q\nstderr %q", r.out, r.err)
	}
}
