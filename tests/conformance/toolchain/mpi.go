package toolchain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// commandLimit bounds a compiler or a probe: neither should ever take that long.
const commandLimit = 2 * time.Minute

// MPI is an implementation of MPI.
type MPI struct {
	CC   []string // compiler wrapper and its options
	FC   []string // that of Fortran; empty where there is none beside that of C
	CXX  []string // that of C++; likewise
	Exec []string // launcher and its options

	Crowded []string // NAME=value, for runs with more ranks than cores; see SleepWhenIdle

	Library string // what MPI_Get_library_version says, first line
	Version string // of the standard, such as "4.0"
	Key     string // of compiler and mpi.h: programs built under one key are interchangeable
}

// Open finds the two commands, each a program with options separated by blanks, and asks the library who it
// is. Scratch is a folder for the program that asks.
func Open(ctx context.Context, cc, exec, scratch string) (*MPI, error) {
	m := &MPI{}
	var err error
	if m.CC, err = command(cc); err != nil {
		return nil, fmt.Errorf("compiler wrapper: %w", err)
	}
	if m.Exec, err = command(exec); err != nil {
		return nil, fmt.Errorf("launcher: %w", err)
	}
	m.FC, m.CXX = beside(m.CC[0], "mpifort"), beside(m.CC[0], "mpicxx")
	if m.Key, err = m.key(ctx); err != nil {
		return nil, err
	}
	return m, m.ask(ctx, scratch)
}

// command takes a command line apart and finds its program.
func command(text string) ([]string, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, errors.New("no command given")
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return nil, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	words[0] = program
	return words, nil
}

// key condenses what a built program depends on: the commands that compile and link, and mpi.h with all that
// it includes.
func (m *MPI) key(ctx context.Context) (string, error) {
	header, err := m.compile(ctx, "#include <mpi.h>\n", "-E", "-P", "-x", "c", "-")
	if err != nil {
		return "", fmt.Errorf("%s cannot compile a file that includes mpi.h: %w", m.CC[0], err)
	}
	sum := sha256.New()
	for _, words := range [][]string{m.CC, m.FC, m.CXX} {
		show, err := m.run(ctx, words, "", "-show")
		if err != nil {
			show = nil
		}
		fmt.Fprintf(sum, "%q\n%s\n", words, show)
	}
	sum.Write(header)
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}

// compile runs the compiler wrapper of C on a text; see run.
func (m *MPI) compile(ctx context.Context, text string, args ...string) ([]byte, error) {
	return m.run(ctx, m.CC, text, args...)
}

// run runs a compiler wrapper on a text and returns its standard output; the error holds the first complaint.
func (m *MPI) run(ctx context.Context, wrapper []string, text string, args ...string) ([]byte, error) {
	if len(wrapper) == 0 {
		return nil, &BuildError{Complaint: "there is no compiler wrapper of this language"}
	}
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, wrapper[0], append(wrapper[1:len(wrapper):len(wrapper)], args...)...)
	cmd.Stdin = strings.NewReader(text)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &BuildError{Complaint: firstComplaint(stderr.String(), err), Output: stderr.String()}
	}
	return stdout.Bytes(), nil
}

// asker prints two lines: the version of the standard, the version of the library.
const asker = `#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int version, subversion, length;
    MPI_Init(&argc, &argv);
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    printf("%d.%d\n%s\n", version, subversion, text);
    MPI_Finalize();
    return 0;
}
`

// ask builds and runs the asker: a test of the two commands at the same time.
func (m *MPI) ask(ctx context.Context, scratch string) error {
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(scratch, "ask-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "ask")
	if _, err := m.compile(ctx, asker, "-x", "c", "-", "-o", program); err != nil {
		return fmt.Errorf("%s cannot build a program: %w", m.CC[0], err)
	}
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, m.Exec[0], append(m.Exec[1:len(m.Exec):len(m.Exec)], "-n", "1", program)...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		complaint := ""
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			complaint = firstComplaint(string(exit.Stderr), err)
		}
		return fmt.Errorf("%s -n 1 cannot run a program: %w: %s", strings.Join(m.Exec, " "), err, complaint)
	}
	version, library, ok := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if !ok {
		return fmt.Errorf("%s -n 1: a program that prints its library's version printed %q", strings.Join(m.Exec, " "), out)
	}
	m.Version = version
	m.Library = tidy(library)
	return nil
}

// tidy makes a name of what a library says about itself: "MPICH Version:      4.0.2\nMPICH Release date: ..."
// is "MPICH 4.0.2".
func tidy(library string) string {
	first, _, _ := strings.Cut(library, "\n")
	first, _, _ = strings.Cut(first, ",")
	words := slices.DeleteFunc(strings.Fields(first), func(w string) bool { return strings.EqualFold(w, "version:") })
	return strings.Join(words, " ")
}
