package stack

import (
	"bufio"
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gompi/wire/source"

	"golang.org/x/sys/unix"
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

// started starts a program in C, and returns its number and the first line that it prints.
func started(t *testing.T, text string) (pid int, line string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	build := exec.Command("gcc", "-O1", "-g", "-fomit-frame-pointer", "-x", "c", "-o", file, "-", "-lpthread")
	build.Stdin = strings.NewReader(text)
	if text, err := build.CombinedOutput(); err != nil {
		t.Skipf("no compiler: %v\n%s", err, text)
	}
	cmd := exec.Command(file)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid, strings.TrimSpace(line)
}

// all is true of each thread.
func all(int) bool { return true }

func TestCallsOfThreads(t *testing.T) {
	pid, _ := started(t, program)
	var tables Tables
	var files source.Files
	maps := filepath.Join("/proc", strconv.Itoa(pid), "maps")
	const main, slept = "inner < outer < main", "other"
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		threads, err := tables.Of(pid, all, all)
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

// unstopped has a thread that does not stop, as one that waits for a device or for a processor: the parent of
// a process that has been made by vfork, as long as that has not ended.
const unstopped = `#include <stdio.h>
#include <unistd.h>
int main(void)
{
	if (vfork() == 0) {
		dprintf(1, "%d\n", getpid());
		sleep(600);
		_exit(0);
	}
	for (;;)
		sleep(1);
}
`

// TestThreadDoesNotStop has a thread that waits for a device, then for a processor, which it gets in the end.
func TestThreadDoesNotStop(t *testing.T) {
	pid, line := started(t, unstopped)
	child, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	var tables Tables
	none := func(int) bool { return false }
	for want, runs := range map[error]func(int) bool{ErrSlow: none, ErrTurn: all} {
		if _, err := tables.Of(pid, all, runs); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if err := unix.Kill(child, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err = tables.Of(pid, all, all); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestOfNobody asks for what cannot be traced.
func TestOfNobody(t *testing.T) {
	var tables Tables
	if threads, err := tables.Of(1<<22, all, all); err == nil {
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
