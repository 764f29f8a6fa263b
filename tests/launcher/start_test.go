package launcher

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A rank goes on when all have been started: what it computes cannot hold up those that are still to come.
func TestRanksWaitForTheLastStart(t *testing.T) {
	r := run(t, "", "-n", "48", "rank", "join", "0:siblings", "barrier", "finalize")
	r.want(t, 0, "siblings: 48\n", "")
}

// A death is noticed while ranks are being started: no more are.
func TestDeathDuringTheStart(t *testing.T) {
	r := run(t, "", "-n", "1", "rank", "kill=9", ":", "-n", "999", "rank", "print=started", "join", "sleep=3000000")
	r.want(t, 128+9, "", "mpiexec: rank 0 (pid ")
	if n := strings.Count(r.out, "started"); n > 900 {
		t.Errorf("%d ranks were started after the first one had died", n)
	}
	if len(r.ownLines()) != 1 || !strings.Contains(r.err, "was killed by signal 9 (SIGKILL)") {
		t.Errorf("stderr %q", r.err)
	}
}

// The process id of a rank that has died inside MPI belongs to nobody else as long as other ranks are there.
func TestProcessIDOfTheDeadIsKept(t *testing.T) {
	r := run(t, "", "-n", "3", "rank", "stubborn", "join", "barrier", "1:kill=9", "await-death", "sleep=200",
		"0:siblings", "sleep=3000000")
	r.want(t, 128+9, "siblings: 3\n", "rank 1 (pid ")
}

// A rank that the kernel kills for want of memory at once is explained.
func TestOutOfMemoryAtOnce(t *testing.T) {
	group, join := memoryGroup(t, 96<<20)
	// The kernel may need a second victim, and is not to choose mpiexec.
	others := "sh -c 'echo 900 > /proc/self/oom_score_adj; exec sleep 3000'"
	command := fmt.Sprintf("echo $$ > %s/%s; exec %s -n 1 rank eat=400 : -n 150 %s", group, join, mpiexec, others)
	r := runCommand(t, "", "sh", "-c", command)
	r.want(t, 128+9, "", "was killed by signal 9 (SIGKILL): likely out of memory")
	if own := r.ownLines(); len(own) != 1 || !strings.HasPrefix(own[0], "mpiexec: rank ") {
		t.Errorf("stderr %q", r.err)
	}
	r = run(t, "", "-n", "2", "rank", "1:kill=9", "join", "sleep=3000000")
	if r.want(t, 128+9, "", "SIGKILL"); strings.Contains(r.err, "memory") {
		t.Errorf("a rank that the user killed: %q", r.err)
	}
}

// memoryGroup makes a control group whose processes may have that many bytes, and returns its folder and
// the file by which a process joins it.
func memoryGroup(t *testing.T, limit int) (folder, join string) {
	t.Helper()
	name := mark(t)
	for _, c := range []struct{ root, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"},
	} {
		folder = filepath.Join(c.root, name)
		if os.Mkdir(folder, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { // it is busy until its last process is gone for good
			await(t, "the end of a control group", func() bool { return os.Remove(folder) == nil || os.IsNotExist(os.Remove(folder)) })
		})
		if os.WriteFile(filepath.Join(folder, c.limit), []byte(fmt.Sprint(limit)), 0o644) != nil {
			continue
		}
		// there may be no such file
		os.WriteFile(filepath.Join(folder, "memory.swap.max"), []byte("0"), 0o644)
		return folder, "cgroup.procs"
	}
	t.Skip("no control group with a limit of memory can be made here")
	return "", ""
}

// Numbers that no machine has room for are refused at once, by whatever way they come.
func TestSpawnOfTooMany(t *testing.T) {
	for _, n := range []string{"99999999999", "2147483647", "4097"} {
		request := "mcmd=spawn␤nprocs=" + n + "␤execname=true␤totspawns=1␤spawnssofar=1␤endcmd␤"
		run(t, "", "-n", "2", "rank", "join", "0:say="+request, "barrier", "finalize").want(t, 0, "", "")
		r := run(t, "", "-n", "1", "rank", "join", "spawn="+n+" rank join", "finalize")
		r.want(t, 0, "refused: ", "")
		r.silent(t)
	}
	r := run(t, "", "-n", "1", "rank", "join", "spawn=2500 rank join;2500 rank join", "finalize")
	r.want(t, 0, "refused: 5000 ranks on one node", "")
}

// Workers of Kubernetes come up late: a host that refuses connections, or whose name is not known yet, is
// tried again there, and only there.
func TestRefusedConnections(t *testing.T) {
	folder := t.TempDir()
	starter, file := filepath.Join(folder, "starter"), filepath.Join(folder, "hosts")
	script := `#!/bin/sh
echo try >>` + folder + `/tries
test $(wc -l <` + folder + `/tries) -gt 2 || { echo "ssh: connect to host $1 port 22: Connection refused" >&2; exit 255; }
shift; exec sh -c "$*"`
	for name, text := range map[string]string{starter: script, file: "w-0.example slots=2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	job := []string{"OMPI_MCA_orte_default_hostfile=" + file, mpiexec, "--launcher-exec", starter, "sh", "-c", "echo rank $PMI_RANK"}
	r := runCommand(t, "", append([]string{"env", "KUBERNETES_SERVICE_HOST=10.0.0.1"}, job...)...)
	r.want(t, 0, "rank 1\n", "")
	tries, err := os.ReadFile(folder + "/tries")
	if err != nil || strings.Count(string(tries), "try") != 3 {
		t.Errorf("tries: %q %v", tries, err)
	}
	if err := os.Remove(folder + "/tries"); err != nil {
		t.Fatal(err)
	}
	runCommand(t, "", append([]string{"env", "-u", "KUBERNETES_SERVICE_HOST"}, job...)...).want(t, 1, "", "w-0.example")
}
