package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// alone makes a folder with gompi and a program that the first host has to itself.
func alone(t *testing.T, prog string) string {
	t.Helper()
	dir, err := os.MkdirTemp(folder, "alone")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library()
	if err != nil {
		t.Fatal(err)
	}
	out := node(t, 1, "sh", "-ec", "mount -t tmpfs tmpfs "+dir+"; mkdir "+dir+"/bin "+dir+"/lib; cp "+mpiexec+" "+dir+"/bin/mpiexec; "+
		"cp "+lib+"/libmpi_abi.so.1 "+dir+"/lib; cp "+prog+" "+dir+"/prog")
	if out != "" {
		t.Fatal(out)
	}
	t.Cleanup(func() { node(t, 1, "umount", dir) })
	return dir
}

// push runs a job of a program that only the first host has.
func push(t *testing.T, dir string, args ...string) *running {
	t.Helper()
	w := ways()[1]
	run := append(w.run(t), "env", "-C", dir, "LD_LIBRARY_PATH="+dir+"/lib", dir+"/bin/mpiexec", "--push")
	return startPlain(t, append(run, args...))
}

// bare fails the test unless hosts keep nothing of what was sent to them.
func bare(t *testing.T, hosts ...int) {
	t.Helper()
	clean(t, hosts...)
	for _, i := range hosts {
		if left := node(t, i, "ls", "-A", "/tmp"); left != temporary {
			t.Errorf("node%d had %q in /tmp, and has %q", i, temporary, left)
		}
	}
}

// Hosts that have neither the program nor gompi get both, and keep nothing.
func TestPush(t *testing.T) {
	overHosts(t)
	dir := alone(t, unlinked(t, "tests/hosts/testdata/late.c"))
	r := push(t, dir, "-hosts", "node1,node2,node3", "-n", "3", "./prog", "talk").wait(t)
	r.want(t, 0, "rank 2 is done", "")
	// A script, in a folder that the others do not have either.
	r = push(t, dir, "-hosts", "node2,node3", "-wdir", dir, "sh", "-c", "echo $PMI_RANK of 2").wait(t)
	r.want(t, 0, "1 of 2", "")
	bare(t, 2, 3)
}

// So does a host with another gompi, and one behind another.
func TestPushAnew(t *testing.T) {
	overHosts(t)
	dir := alone(t, unlinked(t, "tests/hosts/testdata/late.c"))
	node(t, 3, "sh", "-c", "mount -t tmpfs tmpfs "+dir+"; mkdir "+dir+"/bin; printf '#!/bin/sh\\necho gompi-proxy 1 0.0.0 x\\nsleep 5\\n' >"+
		dir+"/bin/mpiexec; chmod +x "+dir+"/bin/mpiexec")
	t.Cleanup(func() { node(t, 3, "umount", dir) })
	r := push(t, dir, "-hosts", "node3,node2", "./prog", "talk").wait(t)
	r.want(t, 0, "rank 1 is done", "")
	r = push(t, dir, "-genv", "A", "b", "-hosts", "node2,node3", "./prog", "talk").wait(t)
	r.want(t, 0, "rank 1 is done", "")
	bare(t, 2, 3)
}

// What is wrong is told in a line, and what has come goes whoever is killed.
func TestPushEnds(t *testing.T) {
	overHosts(t)
	dir := alone(t, unlinked(t, "tests/hosts/testdata/late.c"))
	r := push(t, dir, "-hosts", "node2", "./none").wait(t)
	if r.want(t, 127, "", `program "./none" not found`); strings.Count(r.err, "\n") != 1 {
		t.Errorf("%q", r.err)
	}
	for _, part := range []string{"gompi-prox[y]", "sleep 3[0]00"} {
		ready := filepath.Join(folder, "ready-push-"+part[:5])
		run := push(t, dir, "-hosts", "node2,node3", "sh", "-c", "echo >"+ready+".$PMI_RANK; exec sleep 3000")
		awaitFiles(t, ready, 2)
		node(t, 2, "pkill", "-KILL", "-f", part)
		if r := run.wait(t); r.code == 0 || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: exit code %d: %s", part, r.code, r.err)
		}
		bare(t, 3)
	}
}
