package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gompi/launch/host"
)

// Ranks are where the options say, and know who is beside them.
func TestPlaces(t *testing.T) {
	const show = `echo $PMI_RANK $MPI_LOCALRANKID/$MPI_LOCALNRANKS`
	each(t, func(t *testing.T, w way) {
		a, b := w.hosts[0], w.hosts[1]
		for _, c := range []struct {
			args string
			want []string // host, rank, rank on the host and how many there are
		}{
			{"-hosts " + a + ":2," + b + " -l", []string{a + " 0 0/2", a + " 1 1/2", b + " 2 0/1"}},
			{"-H " + a + "," + b + " -n 4 --map-by node", []string{a + " 0 0/2", b + " 1 0/2", a + " 2 1/2", b + " 3 1/2"}},
			{"-ppn 1 -n 2 -hosts " + b + ":4," + a, []string{b + " 0 0/1", a + " 1 0/1"}},
		} {
			args := append(strings.Fields(c.args), "-prepend-pattern", "%h ", "sh", "-c", show)
			r := w.mpiexec(t, "", args...)
			r.want(t, 0, "", "")
			want := lines(strings.Join(c.want, "\n"))
			if got := lines(r.out); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, want %v", c.args, got, want)
			}
		}
	})
}

// Values that ranks put are seen on all hosts after a barrier.
func TestValues(t *testing.T) {
	each(t, func(t *testing.T, w way) {
		r := w.mpiexec(t, "", "-hosts", w.list(3, 2), "-n", "5", rank, "join", "put=v", "fence", "get=4", "get=0", "fence", "finalize")
		r.want(t, 0, "", "")
		if got := lines(r.out); got["v4"] != 5 || got["v0"] != 5 {
			t.Errorf("%v", got)
		}
	})
}

// Much output, and much input, goes through as it is.
func TestStreams(t *testing.T) {
	each(t, func(t *testing.T, w way) {
		text := strings.Repeat("0123456789abcdef\n", 1<<17)
		r := w.mpiexec(t, text, "-hosts", w.hosts[1]+","+w.hosts[2], "-n", "2", "cat")
		r.want(t, 0, "", "")
		if r.out != text {
			t.Errorf("%d bytes came out of %d", len(r.out), len(text))
		}
		r = w.mpiexec(t, text, "-hosts", w.hosts[1], "-n", "2", "sh", "-c", `head -c 5 && echo "error $PMI_RANK" >&2`)
		r.want(t, 0, "01234", "error 0\n")
		r.want(t, 0, "01234", "error 1\n")
	})
}

// The environment goes along as it is, and the working folder.
func TestSurroundings(t *testing.T) {
	each(t, func(t *testing.T, w way) {
		odd := "a 'b' \"c\" $d `e` \\ \xff"
		r := w.mpiexec(t, "", "-hosts", w.hosts[1], "-genv", "ODD", odd, "-x", "LD_LIBRARY_PATH=/x/y", "-wdir", folder, "-n", "1",
			"sh", "-c", `echo "$ODD $LD_LIBRARY_PATH $1"; pwd`, "sh", odd)
		r.want(t, 0, odd+" /x/y "+odd+"\n"+folder+"\n", "")
	})
}

// Each rank gets the address by which its host has been reached, the launcher's own host that by which
// another one has seen it.
func TestAddresses(t *testing.T) {
	needHosts(t)
	r := ways()[1].mpiexec(t, "", "-hosts", "node1,node2,node3", "sh", "-c", "echo $GOMPI_ADDRESS")
	r.want(t, 0, "", "")
	want := map[string]int{"10.98.0.1": 1, "10.98.0.2": 1, "10.98.0.3": 1}
	if got := lines(r.out); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Output files are written on the hosts of the ranks.
func TestOutputFiles(t *testing.T) {
	each(t, func(t *testing.T, w way) {
		name := filepath.Join(folder, "out-"+w.name)
		r := w.mpiexec(t, "", "-hosts", w.list(2, 1), "-outfile-pattern", name+".%h.%r", "echo", "text")
		r.want(t, 0, "", "")
		for i, h := range w.hosts[:2] {
			text, err := os.ReadFile(fmt.Sprintf("%s.%s.%d", name, h, i))
			if err != nil || string(text) != "text\n" {
				t.Errorf("%q, %v", text, err)
			}
		}
	})
}

// What cannot be started is named, with its host and the cause, at once.
func TestRefusals(t *testing.T) {
	needHosts(t)
	w := ways()[1]
	other := filepath.Join(folder, "other")
	if err := os.WriteFile(other, []byte("#!/bin/sh\necho gompi-proxy 1 0.0.0 $(uname -m)\nsleep 5\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(folder, "foreign")
	greeting := "gompi-proxy " + host.Protocol + " 0.1.0 sparc64"
	if err := os.WriteFile(foreign, []byte("#!/bin/sh\necho "+greeting+"\nsleep 5\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"--launcher-exec " + foreign + " -hosts node2 true", "host node2: its processors are sparc64, and ", 1},
		{"-hosts node1,nodeX true", "host nodeX: ssh: Could not resolve hostname nodex", 1},
		{"-hosts node1,node2 -n 2 -wdir /run/sshd " + folder + "/none", `program "` + folder + `/none" not found`, 127},
		{"-hosts node2 no-such-program", `host node2: program "no-such-program" is neither in PATH nor`, 127},
		{"-hosts node2 " + folder, `host node2: program "` + folder + `" is a directory`, 126},
		{"-hosts nosuch@node2 true", "host nosuch@node2: ssh: nosuch@node2: Permission denied (publickey)", 1},
		{"--launcher-exec false -hosts node2 true", "host node2: false ended with code 1", 1},
		{"--launcher-exec /none -hosts node2 true", `host node2: program "/none" not found`, 1},
		{"--launcher-exec " + other + " -hosts node2 true", "is gompi 0.0.0 there, and 0.1.0 here", 1},
	} {
		r := w.mpiexec(t, "", strings.Fields(c.args)...)
		if r.want(t, c.code, "", c.want); strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: more than a line: %q", c.args, r.err)
		}
	}
	moved := filepath.Join(folder, "moved")
	os.Mkdir(moved, 0o755)
	node(t, 1, "mount", "-t", "tmpfs", "tmpfs", moved)
	node(t, 1, "cp", mpiexec, moved)
	defer node(t, 1, "umount", moved)
	argv := append(w.run(t), filepath.Join(moved, "mpiexec"), "-hosts", "node2", "true")
	r := runPlain(t, argv)
	r.want(t, 1, "", "host node2: there is no "+moved+"/mpiexec")
}
