package foreign

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// In an allocation of several nodes gompi's mpiexec leaves the start to srun, so that ranks are on all of
// them.
func TestMpiexecInAllocation(t *testing.T) {
	mpiexec := filepath.Join(root, "build/bin/mpiexec")
	if _, err := os.Stat(mpiexec); err != nil {
		t.Skip("there is no build tree: make")
	}
	if _, err := exec.LookPath("salloc"); err != nil {
		t.Skip("salloc is not installed")
	}
	l := launcher{name: "salloc", argv: []string{"salloc", "-N", "2", "-n", "3", mpiexec}}
	l.check(t)
	l.run(t, "-l", "sh", "-c", "echo rank $PMI_RANK of $PMI_SIZE on $SLURM_NODEID").want(t, 0,
		"0: rank 0 of 3 on 0\n", "1: rank 1 of 3 on 0\n", "2: rank 2 of 3 on 1\n")
	l.run(t, "--map-by", "node", "-l", "sh", "-c", "echo rank $PMI_RANK on $SLURM_NODEID").want(t, 0,
		"0: rank 0 on 0\n", "1: rank 1 on 1\n", "2: rank 2 on 0\n")
	l.run(t, "-n", "2", "no-such-program").want(t, 2, "no-such-program")
}
