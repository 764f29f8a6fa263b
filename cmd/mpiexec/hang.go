package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"gompi/launch/ask"
	"gompi/launch/process"
)

// hangReport is what the command line says of reports on ranks that wait.
type hangReport struct {
	seconds float64
	given   bool
	form    string // ask.Text, which is the default, or ask.JSON
	attach  int    // process id of the mpiexec that is asked; 0 when none is
}

// defaultHang is for how long all ranks have to wait before the user is told what for.
const defaultHang = 10 * time.Second

func (h *hangReport) time() time.Duration {
	if !h.given {
		return defaultHang
	}
	return time.Duration(h.seconds * float64(time.Second))
}

func (l *commandLine) setReportHang(a []string) error {
	seconds, err := parseSeconds(a[0])
	if err == nil {
		l.hang.seconds, l.hang.given = seconds, true
	}
	return err
}

func (l *commandLine) setReportFormat(a []string) error {
	if a[0] != ask.Text && a[0] != ask.JSON {
		return fmt.Errorf("%q is neither text nor json", a[0])
	}
	l.hang.form = a[0]
	return nil
}

func (l *commandLine) setAttach(a []string) error {
	pid, err := strconv.Atoi(a[0])
	if err != nil || pid < 1 {
		return fmt.Errorf("%q is no process id", a[0])
	}
	l.hang.attach = pid
	return nil
}

// alone refuses a program beside --attach.
func (h *hangReport) alone(l *commandLine) error {
	if len(l.programs) > 0 {
		return errors.New("option --attach: it starts no program")
	}
	return nil
}

// ask shows what the ranks of another mpiexec wait for.
func (h *hangReport) ask(name string) int {
	text, err := ask.Ask(h.attach, cmp.Or(h.form, ask.Text))
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return process.ExitSetup
	}
	return tell(name, string(text))
}
