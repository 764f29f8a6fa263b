package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"gompi/launch/live"
	"gompi/launch/output"
	"gompi/launch/process"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// plainInterval is how often a line tells how a job gets on where there is no terminal, at least.
const plainInterval = 10 * time.Second

// watch runs a command, which is mpiexec, and shows what its ranks do below their output. It returns the exit
// code of the command. Without a terminal a line tells of the job now and then, on standard error.
func watch(name string, argv []string, o options) int {
	if len(argv) == 0 {
		fmt.Fprintf(os.Stderr, "%s: there is no command\n", name)
		return process.ExitSetup
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var err error
	if term.IsTerminal(1) && term.IsTerminal(2) {
		err = belowOutput(cmd, o)
	} else {
		err = besideOutput(cmd, o)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return process.ExitSignal + int(status.Signal())
		}
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	return 0
}

// started is what the user has started, of the command that this has become.
func started(argv []string) string {
	own := func(word string) bool { return strings.HasPrefix(word, "--gompi-") }
	argv = slices.DeleteFunc(slices.Clone(argv), own)
	return strings.Join(argv, " ")
}

// passSignals passes signals on to the command until it has ended.
func passSignals(cmd *exec.Cmd, keys bool) (stop func()) {
	all := make(chan os.Signal, 4)
	wanted := []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
	if keys {
		wanted = append(wanted, syscall.SIGINT, syscall.SIGQUIT)
	}
	signal.Notify(all, wanted...)
	go func() {
		for s := range all {
			_ = cmd.Process.Signal(s)
		}
	}()
	return func() { signal.Stop(all); close(all) }
}

// besideOutput lets the command write where it likes.
func besideOutput(cmd *exec.Cmd, o options) error {
	signal.Ignore(syscall.SIGINT, syscall.SIGQUIT) // keys of a terminal reach the command as well
	defer signal.Reset(syscall.SIGINT, syscall.SIGQUIT)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer passSignals(cmd, false)()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var before *live.Sample
	for tick := time.NewTicker(max(o.every, plainInterval)); ; {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
		}
		now, err := sample(cmd.Process.Pid)
		if err != nil {
			continue // it has not begun, or is about to end
		}
		if before != nil {
			fmt.Fprintf(os.Stderr, "mpiexec: %s\n", live.Between(before, now).Summary())
		}
		before = now
	}
}

// belowOutput shows the output of the command, and the table below it.
func belowOutput(cmd *exec.Cmd, o options) error {
	window, err := unix.IoctlGetWinsize(1, unix.TIOCGWINSZ)
	if err != nil {
		return fmt.Errorf("the terminal: %w", err)
	}
	ours, theirs, ok := output.OpenTerminal(window)
	if !ok {
		return errors.New("the system has no pseudo-terminal")
	}
	_ = unix.SetNonblock(ours, true)
	from, to := os.NewFile(uintptr(ours), "terminal"), os.NewFile(uintptr(theirs), "terminal")
	defer from.Close()
	cmd.Stdout, cmd.Stderr = to, to
	if term.IsTerminal(0) {
		cmd.Stdin = nil // the keys are for the table
	}
	// In a process group of its own, as the terminal is not the command's.
	cmd.SysProcAttr.Setpgid = true
	err = cmd.Start()
	to.Close()
	if err != nil {
		return err
	}
	defer passSignals(cmd, true)()
	o.inline = true
	v := &view{job: job{cmd.Process.Pid, started(cmd.Args)}, options: o}
	v.interrupt = func() { _ = cmd.Process.Signal(syscall.SIGINT) }
	keys, _, err := tea.OpenTTY()
	if err != nil {
		keys = os.Stdin
	}
	p := tea.NewProgram(v, tea.WithInput(keys), tea.WithoutSignalHandler())
	v.output = newRelay(func() { p.Send(written{}) })
	go v.output.run(from)
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		<-v.output.done
		ended <- err
		p.Send(finished{})
	}()
	_, wrong := p.Run()
	v.output.plain(os.Stdout)
	if err := <-ended; err != nil {
		return err
	}
	if wrong != nil {
		return fmt.Errorf("the terminal: %w", wrong)
	}
	return nil
}
