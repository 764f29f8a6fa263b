package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// root is the root of the sources.
var root, _ = filepath.Abs("../..")

// driver runs batches and judges them.
type driver struct {
	dir, program, mpiexec string
	patience              time.Duration // after which a batch hangs; others may use the machine
	late                  int           // batches whose MPI_Finalize waited for messages that they left
}

func (d *driver) compile(mpicc string) error {
	files, err := filepath.Glob(filepath.Join(root, "tests/fuzz/program/*.c"))
	if err != nil {
		return err
	}
	d.program = filepath.Join(d.dir, "program")
	args := []string{"-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror"}
	args = append(append(args, "-o", d.program), files...)
	if text, err := exec.Command(mpicc, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return nil
}

// exitLate is the program's exit code when MPI_Finalize waits for what nobody receives (program/main.c).
const exitLate = 4

// trace matches what the Go runtime writes when it ends a process, and what gompi says of its own faults.
var trace = regexp.MustCompile(`(?m)goroutine [0-9]|^panic|runtime error|fatal error:|\.go:[0-9]|runtime\.[a-z]|PC=0x|` +
	`internal error`)

// run runs a batch and returns what is wrong with it, "" if nothing is.
func (d *driver) run(b batch) string {
	dir, err := os.MkdirTemp(d.dir, "batch")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	argv := append([]string{d.program, strconv.Itoa(b.seed), strconv.Itoa(b.calls)}, b.words...)
	if b.ranks > 1 {
		argv = append([]string{d.mpiexec, "-n", strconv.Itoa(b.ranks)}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), b.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &text, &text, time.Minute
	if err := cmd.Start(); err != nil {
		return err.Error()
	}
	stack := ""
	watchdog := time.AfterFunc(d.patience, func() {
		stack = where(dir, b.ranks)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		time.AfterFunc(3*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	})
	err = cmd.Wait()
	hung := !watchdog.Stop()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what is left of the batch
	records := d.records(dir, b.ranks)
	wrong := d.judge(b, err, hung, text.String(), records)
	if wrong == "" {
		return ""
	}
	const repeat = "make all && FUZZ_BATCH='%s' go test -count=1 -run OneBatch ./tests/fuzz"
	return fmt.Sprintf("%s\nrepeat: "+repeat+"\n%s%s%s", wrong, b, stack, first(text.String(), 3000), last(records, 6))
}

// judge says what is wrong with a batch that has ended.
func (d *driver) judge(b batch, err error, hung bool, text string, records []string) string {
	code, signal := 0, syscall.Signal(0)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
		if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
			signal = status.Signal()
		} else if code > 128 && b.ranks > 1 {
			signal = syscall.Signal(code - 128)
		}
	}
	finalizing := true
	for _, r := range records {
		finalizing = finalizing && strings.Contains(r, "end of calls\n")
	}
	switch {
	case trace.MatchString(text):
		return "a trace of the Go runtime, or an internal error, shows"
	case hung:
		return "a call does not end"
	case err == nil:
		return ""
	case finalizing && (code == exitLate || strings.Contains(text, "left without MPI_Finalize")):
		d.late++
		return ""
	case signal == syscall.SIGSEGV || signal == syscall.SIGBUS:
		if b.has("addresses") {
			return "" // docs/guide.md says where a bad address is a crash
		}
	case signal == 0 && b.has("ends") && (aborted(text, records) || tooLate(text, records)):
		return ""
	case signal == 0 && b.has("addresses") && badAddress.MatchString(text):
		return "" // found while the engine is locked
	}
	return fmt.Sprintf("the batch ended with %v", err)
}

// badAddress matches the error of a call that meets a bad address (docs/guide.md).
var badAddress = regexp.MustCompile(`address 0x[0-9a-f]+ cannot be read or written \(MPI_ERR_`)

// abortCall matches a record that ends with a call of MPI_Abort, which does not return.
var abortCall = regexp.MustCompile(`MPI_Abort\(comm=\S+, errorcode=(\S+)\)$`)

// aborted reports whether a rank has ended in MPI_Abort and the text says so, with the code.
func aborted(text string, records []string) bool {
	return slices.ContainsFunc(records, func(r string) bool {
		call := abortCall.FindStringSubmatch(r)
		if call == nil {
			return false
		}
		code, err := strconv.ParseInt(call[1], 0, 64)
		return err == nil && strings.Contains(text, fmt.Sprintf("MPI_Abort with code %d\n", code))
	})
}

// lateCall matches a record that ends with a call that has not returned, after MPI_Finalize.
var lateCall = regexp.MustCompile(`(?s)MPI_Finalize\(\) = 0 \n(?:.*\n)?[0-9]+ (MPI\w+)\([^\n]*\)$`)

// lateDraw matches a record that ends with MPI_Finalize: what failed is a call by which the program draws the
// arguments of the next one.
var lateDraw = regexp.MustCompile(`MPI_Finalize\(\) = 0 \n?$`)

// tooLate reports whether a rank has ended in an error of a call after MPI_Finalize, and the text says so.
// There is no object then whose error handler could return it (MPI 5.0, 9.3), be the call legal or not.
func tooLate(text string, records []string) bool {
	if strings.Contains(text, ": called after MPI_Finalize") {
		return true
	}
	return slices.ContainsFunc(records, func(r string) bool {
		if lateDraw.MatchString(r) && strings.Contains(text, "MPI_ERR_") {
			return true
		}
		call := lateCall.FindStringSubmatch(r)
		return call != nil && regexp.MustCompile(`\): `+call[1]+`(?: at \S+)?: `).MatchString(text)
	})
}

// records are what the ranks of a batch have called.
func (d *driver) records(dir string, ranks int) []string {
	var all []string
	for rank := range ranks {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("record.%d", rank)))
		if err != nil {
			text = nil // it ended before it had one
		}
		all = append(all, string(bytes.TrimRight(text, "\x00")))
	}
	return all
}

// where says in which system calls the processes of a batch wait.
func where(dir string, ranks int) string {
	var b strings.Builder
	for rank := range ranks {
		pid, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("pid.%d", rank)))
		if err != nil {
			continue
		}
		call, _ := os.ReadFile("/proc/" + string(pid) + "/syscall")
		channel, _ := os.ReadFile("/proc/" + string(pid) + "/wchan")
		fmt.Fprintf(&b, "rank %d (pid %s) is in %s, system call %s\n", rank, pid, channel, bytes.TrimSpace(call))
	}
	return b.String()
}

// last is the end of each record.
func last(records []string, lines int) string {
	var b strings.Builder
	for rank, text := range records {
		all := strings.Split(strings.TrimSpace(text), "\n")
		fmt.Fprintf(&b, "the last calls of rank %d:\n%s\n", rank, strings.Join(all[max(0, len(all)-lines):], "\n"))
	}
	return b.String()
}

func first(text string, n int) string {
	if len(text) > n {
		return text[:n] + "...\n"
	}
	return text
}
