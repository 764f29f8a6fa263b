package hosts

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// starters are launchers of other MPIs, with what has them start ranks on the first hosts, two on each.
func starters(t *testing.T, hosts int) map[string][]string {
	t.Helper()
	w := overHosts(t)
	all := map[string][]string{}
	if _, err := exec.LookPath("mpiexec.hydra"); err == nil {
		// Its variables for ssh are those that gompi's launcher takes too.
		all["hydra"] = append(w.run(t), "mpiexec.hydra", "-launcher", "ssh", "-hosts", w.list(hosts, 2))
	}
	if _, err := exec.LookPath("mpiexec.openmpi"); err == nil {
		all["openmpi"] = append(w.run(t), "mpiexec.openmpi", "--allow-run-as-root", "--bind-to", "none",
			"--mca", "plm_rsh_args", "-F "+cluster()+"/ssh_config", "--host", w.list(hosts, 2))
	}
	if len(all) == 0 {
		t.Skip("no other MPI is installed (Debian: mpich, openmpi-bin)")
	}
	return all
}

// Ranks that other launchers start on several hosts make one world.
func TestStarters(t *testing.T) {
	prog := compiled(t, "tests/foreign/testdata/ends.c")
	for name, argv := range starters(t, 2) {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{2, 3, 4} {
				r := runPlain(t, append(argv[:len(argv):len(argv)], "-n", fmt.Sprint(n), prog))
				for k := range n {
					r.want(t, 0, fmt.Sprintf("rank %d of %d, sum %d\n", k, n, n*(n-1)/2), "")
				}
			}
		})
	}
}

// Ranks begin MPI without a network under other launchers, too: they open it when they need it, or a moment
// later, and they do so before they end.
func TestStartersInTime(t *testing.T) {
	prog := compiled(t, "tests/hosts/testdata/late.c")
	for name, argv := range starters(t, 2) {
		t.Run(name, func(t *testing.T) {
			for _, how := range []string{"quiet", "pair", "near", "talk"} {
				r := runPlain(t, append(argv[:len(argv):len(argv)], "-n", "4", prog, how))
				r.want(t, 0, "", "")
				if strings.Count(r.out, "is done") != 4 {
					t.Errorf("%s: %s", how, r.out)
				}
			}
			without := append(argv[:4:4], append([]string{"env", "GOMPI_LIBFABRIC=/none"}, argv[4:]...)...)
			begun, told := false, false
			for tries := 5; tries > 0 && !(begun && told); tries-- { // a busy machine may open it sooner
				r := runPlain(t, append(without, "-n", "4", prog, "talk"))
				if r.code == 0 {
					t.Fatalf("exit code 0: %s%s", r.out, r.err)
				}
				begun = begun || strings.Contains(r.out, "has begun")
				told = told || strings.Contains(r.err, "libfabric cannot be used: /none")
			}
			if !begun || !told {
				t.Errorf("without a library ranks begin: %v, and say what is missing: %v", begun, told)
			}
		})
	}
}
