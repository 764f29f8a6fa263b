package stack

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gompi/wire/source"
)

// program has a thread that computes, deep in its calls and without frame pointers, and one that sleeps.
const program = `#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile double x = 1;
__attribute__((noinline)) static void inner(int n) { for (;;) x = x * 1.0000001 + n; }
__attribute__((noinline)) static void outer(int n) { volatile char room[5000]; room[n] = 1; inner(n + room[n]); room[n] = 2; }
static void *other(void *n) { for (;;) sleep(1); return n; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	puts("ready");
	fflush(stdout);
	outer(3);
	return 0;
}
`

func TestCallsOfThreads(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "deep")
	build := exec.Command("gcc", "-O1", "-g", "-fomit-frame-pointer", "-x", "c", "-o", file, "-", "-lpthread")
	build.Stdin = strings.NewReader(program)
	if text, err := build.CombinedOutput(); err != nil {
		t.Skipf("no compiler: %v\n%s", err, text)
	}
	cmd := exec.Command(file)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := out.Read(make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	var tables Tables
	var files source.Files
	maps := filepath.Join("/proc", strconv.Itoa(pid), "maps")
	const main, slept = "inner < outer < main", "other"
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		threads, err := tables.Of(pid, func(int) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		text := map[bool]string{}
		for _, one := range threads {
			var names []string
			for i, pc := range one.Calls {
				if i > 0 {
					pc--
				}
				names = append(names, files.Call(maps, pc).Function)
			}
			text[one.Number == pid] = strings.Join(names, " < ")
		}
		if strings.HasPrefix(text[true], main) && strings.Contains(text[false], slept) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("main: %q, the other: %q", text[true], text[false])
		}
	}
	// It runs on.
	before, after := stat(t, pid), ""
	for end := time.Now().Add(time.Minute); after == "" || after == before; after = stat(t, pid) {
		if time.Now().After(end) {
			t.Fatal("it does not run on")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestOfNobody asks for what cannot be traced.
func TestOfNobody(t *testing.T) {
	var tables Tables
	if threads, err := tables.Of(1<<22, func(int) bool { return true }); err == nil {
		t.Errorf("%v of a process that there is not", threads)
	}
}

// stat is what the kernel tells of the time that a process has used.
func stat(t *testing.T, pid int) string {
	t.Helper()
	text, err := exec.Command("cat", "/proc/"+strconv.Itoa(pid)+"/stat").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.Join(bytes.Fields(text)[13:15], []byte(" ")))
}
