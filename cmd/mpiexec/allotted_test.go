package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExpandNodes(t *testing.T) {
	for list, want := range map[string]string{
		"a":                         "a",
		"a[01-03,7]":                "a01 a02 a03 a7",
		"a[08-11],b,c[1-2]-ib":      "a08 a09 a10 a11 b c1-ib c2-ib",
		"r[1-2]n[1-2]":              "r1n1 r1n2 r2n1 r2n2",
		"gpu[098-101].cluster.site": "gpu098.cluster.site gpu099.cluster.site gpu100.cluster.site gpu101.cluster.site",
	} {
		if got, err := expandNodes(list); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %q, %v; want %q", list, got, err, want)
		}
	}
	for _, bad := range []string{"a[", "a[1-", "a]", "a[3-1]", "a[x]", ",", "a[1-9999999]", "a[1-2", "a[[1-2]]", "a[]", "-a"} {
		if got, err := expandNodes(bad); err == nil {
			t.Errorf("%q: %q", bad, got)
		}
	}
}

func FuzzExpandNodes(f *testing.F) {
	f.Add("a[01-03,7],b")
	f.Fuzz(func(t *testing.T, list string) {
		if len(list) > 40 {
			return
		}
		names, err := expandNodes(list)
		if err == nil && slices.Contains(names, "") {
			t.Fatalf("%q: %q", list, names)
		}
	})
}

func TestAllotments(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("blaunch", "")
	file("qrsh", "")
	for _, c := range []struct {
		env     map[string]string
		hosts   string
		starter string
		bad     string
	}{
		{env: map[string]string{}, hosts: "[]"},
		{env: map[string]string{"SLURM_JOB_NODELIST": "n[1-3]", "SLURM_TASKS_PER_NODE": "2(x2),1"}, hosts: "[{n1 2 0} {n2 2 0} {n3 1 0}]"},
		{env: map[string]string{"SLURM_JOB_NODELIST": "n[1-3]", "SLURM_TASKS_PER_NODE": "2"}, bad: "SLURM_JOB_NODELIST: 3 nodes, and SLURM_TASKS_PER_NODE=2"},
		{env: map[string]string{"SLURM_JOB_NODELIST": "n[1-"}, bad: "is no list of nodes"},
		{env: map[string]string{"PBS_NODEFILE": file("pbs", "a\na\nb\n")}, hosts: "[{a 2 0} {b 1 0}]"},
		{env: map[string]string{"PBS_NODEFILE": dir + "/none"}, bad: "PBS_NODEFILE: the file cannot be read"},
		{env: map[string]string{"LSB_MCPU_HOSTS": "a 4 b 2", "PATH": dir}, hosts: "[{a 4 0} {b 2 0}]", starter: dir + "/blaunch"},
		{env: map[string]string{"LSB_MCPU_HOSTS": "a 4 b"}, bad: "is no list such as a 4 b 2"},
		{env: map[string]string{"LSB_DJOB_HOSTFILE": file("lsf", "a\nb\nb\n")}, hosts: "[{a 1 0} {b 2 0}]"},
		{env: map[string]string{"PE_HOSTFILE": file("sge", "a.x 4 all.q@a.x UNDEFINED\nb.x 2 all.q@b.x <NULL>\n"), "PATH": dir}, hosts: "[{a.x 4 0} {b.x 2 0}]", starter: dir + "/qrsh -inherit"},
		{env: map[string]string{"PE_HOSTFILE": file("sge2", "a.x 4\nb.x\n")}, bad: "sge2:2: a number of slots is missing"},
		{env: map[string]string{"OMPI_MCA_orte_default_hostfile": file("k8s", "w-0.w.ns.svc slots=2\nw-1.w.ns.svc slots=2\n")}, hosts: "[{w-0.w.ns.svc 2 0} {w-1.w.ns.svc 2 0}]"},
		{env: map[string]string{"I_MPI_HYDRA_HOST_FILE": file("k8s3", "w-0:1\nw-1:1\n")}, hosts: "[{w-0 1 0} {w-1 1 0}]"},
		{env: map[string]string{"PRTE_MCA_prte_default_hostfile": file("k8s4", "w-0 slots=3\n")}, hosts: "[{w-0 3 0}]"},
		{env: map[string]string{"HYDRA_HOST_FILE": file("k8s2", "w-0:2\n")}, hosts: "[{w-0 2 0}]"},
	} {
		a, err := findAllotment(func(name string) string { return c.env[name] })
		starter := strings.Join(a.starter, " ")
		if !meets(err, c.bad) || err == nil && (fmt.Sprint(a.hosts) != c.hosts || starter != c.starter) {
			t.Errorf("%v: %v %q, %v", c.env, a.hosts, a.starter, err)
		}
	}
}

// What is left to srun, and how.
func TestBySrun(t *testing.T) {
	t.Setenv("SLURM_JOB_NODELIST", "far[1-2]")
	t.Setenv("SLURM_TASKS_PER_NODE", "2(x2)")
	t.Setenv("SLURM_STEP_ID", "")
	for line, want := range map[string]string{
		"./p x":                      "srun --mpi=pmi2 -n 4 --kill-on-bad-exit=1 --export=ALL --input=0 -- ./p x",
		"-n 5 -l --stdin 2 p":        "srun --mpi=pmi2 -n 5 --kill-on-bad-exit=1 --export=ALL --overcommit --label --input=2 -- p",
		"-ppn 1 --stdin none p":      "srun --mpi=pmi2 -n 2 --kill-on-bad-exit=1 --export=ALL --ntasks-per-node=1 --input=none -- p",
		"--map-by node -wdir / p":    "srun --mpi=pmi2 -n 4 --kill-on-bad-exit=1 --export=ALL --distribution=cyclic --input=0 --chdir=/ -- p",
		"-n 1 p : -n 1 q":            "",
		"--timeout 5 p":              "",
		"-hosts far1,far2 p":         "",
		"-hosts localhost p":         "",
		"--tag-output p":             "",
		"--launcher-exec rsh -n 2 p": "",
	} {
		l, _ := specOf(t, strings.Fields(line)...)
		s, err := l.spec("mpiexec")
		if err != nil {
			t.Fatal(err)
		}
		if got := l.bySrun(s); strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	t.Setenv("SLURM_JOB_NODELIST", "localhost")
	t.Setenv("SLURM_TASKS_PER_NODE", "3")
	l, _ := specOf(t, "p")
	if s, err := l.spec("mpiexec"); err != nil || l.bySrun(s) != nil || s.Size() != 3 || s.Hosts != nil {
		t.Errorf("on this machine: %+v, %v", s, err)
	}
}
