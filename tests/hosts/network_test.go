package hosts

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A rank that waits for another host sleeps: however little it may do at first, a longer wait takes no more
// of a processor. What a busy machine adds is outweighed by a wait that is long enough.
func TestSleep(t *testing.T) {
	w := overHosts(t)
	prog := compiled(t, "tests/hosts/testdata/waits.c")
	var percent float64
	for seconds := 3; seconds < 100; seconds *= 2 {
		r := w.mpiexec(t, "", "-hosts", w.list(2, 1), prog, "sleep", fmt.Sprint(seconds))
		if _, err := fmt.Sscanf(r.out, "%f percent", &percent); err != nil || r.code != 0 {
			t.Fatalf("exit code %d, %v: %s%s", r.code, err, r.out, r.err)
		}
		if percent < 1 {
			return
		}
	}
	t.Errorf("a rank that waits takes %.2f %% of a processor", percent)
}

// A rank that sleeps is woken by a message of another host, as a reader of a socket is. One that looked now
// and then would come later by more than a busy machine delays it.
func TestWake(t *testing.T) {
	w := overHosts(t)
	prog := compiled(t, "tests/hosts/testdata/waits.c")
	var all []string
	for range 10 { // a busy machine may disturb some
		r := w.mpiexec(t, "", "-hosts", w.list(2, 1), prog, "wake", "2")
		var socket, message float64
		if _, err := fmt.Sscanf(r.out, "%f over a socket, %f as a message", &socket, &message); err != nil || r.code != 0 {
			t.Fatalf("exit code %d, %v: %s%s", r.code, err, r.out, r.err)
		}
		if message < 5*socket+300 {
			return
		}
		all = append(all, r.out)
	}
	t.Errorf("microseconds until a sleeper wakes: %q", all)
}

// listening lists the TCP ports of a host that somebody listens at.
func listening(t *testing.T, host int) map[string]bool {
	t.Helper()
	ports := map[string]bool{}
	for _, line := range strings.Split(node(t, host, "ss", "-tlnH"), "\n") {
		if words := strings.Fields(line); len(words) > 3 {
			ports[words[3][strings.LastIndex(words[3], ":")+1:]] = true
		}
	}
	return ports
}

// Strangers who connect to what ranks listen at, with random bytes, or with none and for long, do not disturb
// a job. Nothing listens but the endpoints of ranks that use the network.
func TestStrangers(t *testing.T) { overHosts(t).overEach(t, strangers) }

func strangers(t *testing.T, w way) {
	prog := compiled(t, "tests/hosts/testdata/waits.c")
	before := listening(t, 2)
	ready := folder + "/ready-" + strings.ReplaceAll(t.Name(), "/", "-")
	run := w.start(t, "", "-hosts", w.list(2, 1), prog, "talk", "3000", ready)
	var ports []string
	for deadline := time.Now().Add(patience); len(ports) == 0; time.Sleep(20 * time.Millisecond) {
		for port := range listening(t, 2) {
			if !before[port] {
				ports = append(ports, port)
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("no rank listens")
		}
	}
	if len(ports) != 1 {
		t.Errorf("one rank listens at %q", ports)
	}
	for _, port := range ports {
		node(t, 1, "bash", "-c", "exec 5<>/dev/tcp/10.98.0.2/"+port+" 6<>/dev/tcp/10.98.0.2/"+port+
			"; printf x >&6; for i in 1 2 3 4 5 6 7 8; do (exec 7<>/dev/tcp/10.98.0.2/"+port+
			"; head -c 100000 /dev/urandom >&7) 2>/dev/null; done; sleep 1")
	}
	endTalk(t, ready)
	run.wait(t).want(t, 0, "", "")
	r := w.mpiexec(t, "", "-hosts", w.list(3, 1), "ss", "-tlnH")
	if want := 3 * strings.Count(node(t, 1, "ss", "-tlnH"), "\n"); r.code != 0 || strings.Count(r.out, "\n") != want {
		t.Errorf("exit code %d, want %d that listen: %q", r.code, want, r.out)
	}
}

// endTalk ends a job of waits.c that talks.
func endTalk(t *testing.T, ready string) {
	t.Helper()
	if err := os.WriteFile(ready+".end", nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

// What the user's environment holds reaches ranks, and is in no arguments of a process; nothing of a job is
// in a file.
func TestSecrets(t *testing.T) {
	w := overHosts(t)
	prog := compiled(t, "tests/hosts/testdata/waits.c")
	const secret = "secret-of-the-user"
	before, ready := folder+"/before-secrets", folder+"/ready-secrets"
	node(t, 1, "touch", before)
	run := startPlain(t, append(w.run(t), "THE_SECRET="+secret, mpiexec, "-hosts", w.list(2, 1), "sh", "-c",
		`[ ${#THE_SECRET} = `+fmt.Sprint(len(secret))+` ] && exec `+prog+` talk 3000 `+ready))
	awaitFiles(t, ready, 2)
	for host := 1; host <= 2; host++ {
		shown := node(t, host, "ps", "-e", "-o", "args=")
		if strings.Contains(shown, secret) || !strings.Contains(shown, prog) {
			t.Errorf("node%d: %s", host, shown)
		}
		if files := node(t, host, "find", "/tmp", "/run", "/dev/shm", "-xdev", "-type", "f", "-newer", before); files != "" {
			t.Errorf("files on node%d: %s", host, files)
		}
	}
	endTalk(t, ready)
	run.wait(t).want(t, 0, "", "")
}
