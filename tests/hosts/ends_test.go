package hosts

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// startersRace is what Open MPI's launcher writes where the command that it has started for another host is
// quicker than it is itself. It goes on without any difference.
var startersRace = regexp.MustCompile(`(?m)^\[.*\] plm:rsh: Warning: setpgid\(.*\n`)

// runPlain runs a command.
func runPlain(t *testing.T, argv []string) result {
	t.Helper()
	r := startPlain(t, argv).wait(t)
	r.err = startersRace.ReplaceAllString(r.err, "")
	return r
}

func startPlain(t *testing.T, argv []string) *running {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r := &running{ctx: ctx, cancel: cancel}
	r.cmd = exec.CommandContext(ctx, argv[0], argv[1:]...)
	r.cmd.Dir = folder
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.err
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// The end of a rank ends the others wherever they are, and one line says who it was.
func TestRanksEnd(t *testing.T) {
	each(t, func(t *testing.T, w way) {
		for _, c := range []struct {
			script string
			code   int
			want   string
		}{
			{`[ $PMI_RANK = 1 ] && kill -9 $$; sleep 3000`, 137, "was killed by signal 9 (SIGKILL)"},
			{`[ $PMI_RANK = 1 ] && exit 3; sleep 3000`, 3, "exited with code 3"},
			{`[ $PMI_RANK = 1 ] && exec ` + rank + ` join abort=5; exec ` + rank + ` join sleep=3000000`, 5, "called MPI_Abort with code 5: told so by the test"},
			{`[ $PMI_RANK = 1 ] && exec ` + rank + ` join exit=0; exec ` + rank + ` join fence`, 1, "left without MPI_Finalize"},
		} {
			r := w.mpiexec(t, "", "-hosts", w.list(3, 1), "sh", "-c", c.script)
			r.want(t, c.code, "", "mpiexec: rank 1 (pid ")
			r.want(t, c.code, "", " on "+w.hosts[1]+") "+c.want)
			if strings.Count(r.err, "mpiexec: ") != 1 {
				t.Errorf("%q: %s", c.script, r.err)
			}
		}
		if w.name == "ssh" {
			clean(t, 1, 2, 3)
		}
	})
}

// The end of whatever stands between the launcher and its ranks ends all of them.
func TestPartsEnd(t *testing.T) {
	needHosts(t)
	w := ways()[1]
	for _, c := range []struct {
		name, want string
		kill       func()
		code       int
	}{
		{"proxy", "host node2: the connection is lost: ssh ended with code", func() { node(t, 2, "pkill", "-KILL", "-f", "gompi-prox[y]") }, 1},
		{"ssh", "the connection is lost: ssh was killed by signal 9 (SIGKILL)", func() { node(t, 1, "pkill", "-KILL", "-x", "ssh") }, 1},
		{"sshd", "host node3: the connection is lost", func() { node(t, 3, "pkill", "-KILL", "-f", "nott[y]") }, 1},
		{"launcher", "", func() { node(t, 1, "pkill", "-KILL", "-x", "mpiexec") }, -1},
		{"by the user", "", func() { node(t, 1, "pkill", "-INT", "-x", "mpiexec") }, 130},
	} {
		ready := folder + "/ready-" + strings.ReplaceAll(c.name, " ", "-")
		r := w.start(t, "", "-hosts", "node1,node2,node3", "sh", "-c", `echo >`+ready+`.$PMI_RANK; exec sleep 3000 # mark-of-`+c.name)
		awaitFiles(t, ready, 3)
		c.kill()
		got := r.wait(t)
		if c.code >= 0 {
			got.want(t, c.code, "", c.want)
		}
		if c.want != "" && (strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "lost")) {
			t.Errorf("%s: %q", c.name, got.err)
		}
		clean(t, 1, 2, 3)
	}
}

// awaitFiles waits until all ranks have written a file.
func awaitFiles(t *testing.T, name string, n int) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		out, _ := exec.Command("sh", "-c", "ls "+name+".* 2>/dev/null | wc -l").Output()
		if strings.TrimSpace(string(out)) == string(rune('0'+n)) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", name)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// A host that is silent is given up after the time that is set, and gives up itself.
func TestSilence(t *testing.T) {
	needHosts(t)
	w := ways()[1]
	ready := folder + "/ready-silence"
	run := w.run(t)
	argv := append(run, "GOMPI_HEARTBEAT_TIMEOUT=5", mpiexec, "-hosts", "node1,node2,node4", "sh", "-c",
		`echo >`+ready+`.$PMI_RANK; exec sleep 3000 # mark-of-silence`)
	done := make(chan result, 1)
	go func() { done <- runPlain(t, argv) }()
	awaitFiles(t, ready, 3)
	control(t, "cut", 4)
	r := <-done
	r.want(t, 1, "", "mpiexec: host node4: no sign of life for 5s; rank 2 is lost")
	clean(t, 1, 2)
	gone(t, 4)
	control(t, "heal", 4)
}
