// Package stack finds which calls the threads of another process are in, by the unwinding tables of the files
// that it has mapped. The process is stopped meanwhile, for as long as it takes to read its stacks.
package stack

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Thread is one thread of a process.
type Thread struct {
	Number int      // by which the kernel knows it
	Calls  []uint64 // where it is, then where each call returns to that it is in
}

// Bounds of what is read.
const (
	mostThreads = 16
	mostCalls   = 64
	// a thread that waits for a device stops when that has answered
	stopTime = 200 * time.Millisecond
	// and one that has no processor when it gets one; all of a process together
	turnTime = 2 * time.Second
)

// Tables are the unwinding tables of files, which are read once. The zero value has none.
type Tables struct{ files map[string]*table }

// What says that a thread has not stopped in time.
var (
	ErrSlow = errors.New("it does not stop: it waits for a device")
	ErrTurn = errors.New("it does not stop: it gets no processor")
)

// Of is the calls of those threads of a process that wanted names, by the numbers by which the kernel knows
// them. runs reports whether one of them runs or waits for a processor. The caller may trace the process: it
// is of the same user, and where the kernel asks for that a descendant. A process that a debugger traces
// gives EPERM.
func (t *Tables) Of(pid int, wanted, runs func(task int) bool) ([]Thread, error) {
	entries, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return nil, fmt.Errorf("the threads of process %d: %w", pid, err)
	}
	var tasks []int
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil && wanted(n) && len(tasks) < mostThreads {
			tasks = append(tasks, n)
		}
	}
	var threads []Thread
	onThread(func() { threads, err = t.trace(pid, tasks, runs) })
	return threads, err
}

// onThread calls f on a thread, and waits until that has ended: the kernel lets go then of what it traces,
// whatever has gone wrong. The main thread of a Go program does not end, so it is not that.
func onThread(f func()) {
	done, pid := make(chan int), os.Getpid()
	go func() {
		runtime.LockOSThread()
		me := unix.Gettid()
		if me == pid {
			onThread(f)
			runtime.UnlockOSThread()
		} else {
			f()
		}
		done <- me
	}()
	thread := <-done
	for end := time.Now().Add(time.Second); thread != pid && unix.Tgkill(pid, thread, 0) == nil &&
		time.Now().Before(end); {
		time.Sleep(100 * time.Microsecond)
	}
}

// trace is Of, on a thread of its own that ends afterwards.
func (t *Tables) trace(pid int, tasks []int, runs func(task int) bool) (all []Thread, err error) {
	defer func() {
		if wrong := recover(); wrong != nil { // package frame does not expect tables that make no sense
			err = fmt.Errorf("the unwinding tables of process %d: %v", pid, wrong)
		}
	}()
	memory, err := os.Open("/proc/" + strconv.Itoa(pid) + "/mem")
	if err != nil {
		return nil, fmt.Errorf("the memory of process %d: %w", pid, err)
	}
	defer memory.Close()
	space, err := mappings(pid)
	if err != nil {
		return nil, err
	}
	var last error
	turns := time.Now().Add(turnTime)
	for _, task := range tasks {
		var r registers
		err := stopped(task, turns, runs, func() error { return t.walk(&r, task, memory, space, &all) })
		if err != nil {
			last = fmt.Errorf("thread %d: %w", task, err)
		}
	}
	if len(all) == 0 {
		return nil, last
	}
	return all, nil
}

// walk adds the calls that a stopped thread is in.
func (t *Tables) walk(r *registers, task int, memory *os.File, space []mapping, all *[]Thread) error {
	if err := r.read(task); err != nil {
		return fmt.Errorf("its registers: %w", err)
	}
	thread := Thread{Number: task}
	for len(thread.Calls) < mostCalls {
		thread.Calls = append(thread.Calls, r.pc)
		if !t.up(r, memory, space, len(thread.Calls) == 1) {
			break
		}
	}
	*all = append(*all, thread)
	return nil
}

// stopped calls f while a thread is stopped. One that waits for a processor has until turns to get one.
func stopped(task int, turns time.Time, runs func(task int) bool, f func() error) error {
	if err := unix.PtraceSeize(task); err != nil {
		return fmt.Errorf("it cannot be traced: %w", err)
	}
	if err := unix.PtraceInterrupt(task); err != nil {
		return fmt.Errorf("it cannot be stopped: %w", err)
	}
	for end := time.Now().Add(stopTime); ; time.Sleep(100 * time.Microsecond) {
		var status unix.WaitStatus
		got, err := unix.Wait4(task, &status, unix.WALL|unix.WNOHANG, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return fmt.Errorf("it has ended: %w", err)
		case got == task && status.Stopped():
			err := f()
			sig := 0
			if status>>16 == 0 { // no event of the trace but a signal, which is the thread's to have
				sig = int(status.StopSignal())
			}
			detach(task, sig)
			return err
		case !time.Now().After(end):
		case !runs(task):
			return ErrSlow
		case time.Now().After(turns):
			return ErrTurn
		}
	}
}

// detach lets a stopped thread go on, with a signal that has come for it; 0 for none.
func detach(task, sig int) {
	unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(task), 0, uintptr(sig), 0, 0)
}
