// Package foreign tests gompi's programs under other launchers than its own: MPICH's and Open MPI's mpiexec,
// and Slurm's srun with each of its kinds of PMI, on a cluster that tests/cluster/slurm.sh makes.
//
// It takes the build tree that make has left, and whichever launchers are installed.
package foreign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gompi/tests/programs"
)

// root is the root of the sources.
var root, _ = filepath.Abs("../..")

// folder holds what the tests build, and the Slurm cluster.
var folder string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "gompi-foreign"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	os.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
	os.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
	if err := programs.Executable(filepath.Join(folder, "rank"), "gompi/tests/foreign/rank"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if exec.Command(slurmScript, "down", cluster()).Run() != nil {
			fmt.Fprintln(os.Stderr, "the Slurm cluster could not be taken down")
		}
	}()
	return m.Run()
}

// program is testdata/ends.c, compiled with the build tree.
func program(t *testing.T) string {
	t.Helper()
	return compiled(t, "tests/foreign/testdata/ends.c")
}

// compiled is a program of the sources, compiled with the build tree, once.
func compiled(t *testing.T, source string) string {
	t.Helper()
	mpicc := filepath.Join(root, "build/bin/mpicc")
	if _, err := os.Stat(mpicc); err != nil {
		t.Skip("there is no build tree: make")
	}
	out := filepath.Join(folder, strings.TrimSuffix(strings.ReplaceAll(source, "/", "-"), ".c"))
	if _, err := os.Stat(out); err == nil {
		return out
	}
	compile := exec.Command(mpicc, "-O1", "-DTEST_GOMPI=1", "-I", filepath.Join(root, "tests/c"),
		filepath.Join(root, source), "-o", out, "-lm", "-lpthread")
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", source, err, text)
	}
	return out
}

var slurmScript = filepath.Join(root, "tests/cluster/slurm.sh")

func cluster() string { return filepath.Join(folder, "slurm") }

// slurmNodes is how many nodes the cluster has, each with slurmCores processors.
const slurmNodes, slurmCores = 3, 8

// slurm brings the cluster up, once.
var slurm = sync.OnceValue(func() error {
	for _, name := range []string{"srun", "slurmd", "slurmctld", "munged"} {
		if _, err := exec.LookPath(name); err != nil {
			if _, err := os.Stat("/usr/sbin/" + name); err != nil {
				return fmt.Errorf("%s is not installed (Debian: slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge)", name)
			}
		}
	}
	err := exec.Command("unshare", "--net", "--mount", "--pid", "--fork", "true").Run()
	if err != nil && os.Geteuid() == 0 {
		return fmt.Errorf("name spaces are not allowed here: %w", err)
	}
	up := exec.Command(slurmScript, "up", cluster(), fmt.Sprint(slurmNodes), fmt.Sprint(slurmCores))
	out, err := up.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// launcher is one way to start ranks.
type launcher struct {
	name  string
	needs string // the command that must be there, "" for Slurm
	argv  []string
	none  bool // it offers no PMI
}

var launchers = []launcher{
	{name: "hydra", needs: "mpiexec.hydra", argv: []string{"mpiexec.hydra"}},
	{name: "openmpi", needs: "mpiexec.openmpi", argv: []string{"mpiexec.openmpi", "--oversubscribe"}},
	{name: "openmpi without libpmix", needs: "mpiexec.openmpi", none: true,
		argv: []string{"env", "GOMPI_LIBPMIX=/nonexistent", "mpiexec.openmpi", "--oversubscribe"}},
	{name: "srun pmi2", argv: []string{"srun", "--mpi=pmi2"}},
	{name: "srun pmix", argv: []string{"srun", "--mpi=pmix"}},
	{name: "srun none", none: true, argv: []string{"srun", "--mpi=none"}},
}

// each runs a test under each launcher that is here.
func each(t *testing.T, test func(t *testing.T, l launcher)) {
	for _, l := range launchers {
		t.Run(l.name, func(t *testing.T) {
			l.check(t)
			test(t, l)
		})
	}
}

// check skips a test whose launcher is not here.
func (l launcher) check(t *testing.T) {
	t.Helper()
	if l.needs == "" {
		if err := slurm(); err != nil {
			t.Skipf("no Slurm: %v", err)
		}
	} else if _, err := exec.LookPath(l.needs); err != nil {
		t.Skipf("%s is not installed", l.needs)
	}
}

// patience is how long any job may take before the test fails; the machine may be busy.
const patience = 3 * time.Minute

// result is how a job ended.
type result struct {
	code int
	out  string // of both streams
}

// run starts a program.
func (l launcher) run(t *testing.T, words ...string) result {
	t.Helper()
	argv := append(append([]string{}, l.argv...), words...)
	if l.needs == "" {
		argv = append([]string{slurmScript, "run", cluster()}, argv...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Minute
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%q does not end:\n%s", argv, &out)
	}
	r := result{out: out.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.code = exit.ExitCode()
	} else if err != nil {
		t.Fatalf("%q: %v", argv, err)
	}
	return r
}

// want checks the exit code and what has been printed.
func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d:\n%s", r.code, code, r.out)
	}
	for _, text := range texts {
		if !strings.Contains(r.out, text) {
			t.Errorf("%q is not in:\n%s", text, r.out)
		}
	}
}
