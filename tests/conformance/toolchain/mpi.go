package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gompi/tests/conformance/suite"
)

// commandLimit bounds a compiler or a probe: neither should ever take that long.
const commandLimit = 2 * time.Minute

// MPI is an implementation of MPI.
type MPI struct {
	CC   []string // compiler wrapper and its options
	FC   []string // that of Fortran; empty where there is none beside that of C
	CXX  []string // that of C++; likewise
	Exec []string // launcher and its options

	Env     []string // NAME=value, for all runs: where programs find the library
	Crowded []string // NAME=value, for runs with more ranks than cores; see SleepWhenIdle

	Library string // what MPI_Get_library_version says, first line
	Version string // of the standard, such as "4.0"
	Key     string // of compiler and headers: programs built under one key are interchangeable

	places []string // folders of the library, where wrappers would write them into programs
}

// Open finds the two commands, each a program with options separated by blanks, and asks the library who it
// is, on as many ranks as stated. Scratch is a folder for the program that asks.
func Open(ctx context.Context, cc, exec string, ranks int, scratch string) (*MPI, error) {
	m := &MPI{}
	var err error
	if m.CC, err = command(cc); err != nil {
		return nil, fmt.Errorf("compiler wrapper: %w", err)
	}
	if m.Exec, err = command(exec); err != nil {
		return nil, fmt.Errorf("launcher: %w", err)
	}
	m.FC, m.CXX = beside(m.CC[0], "mpifort"), beside(m.CC[0], "mpicxx")
	m.findLibraries(ctx)
	if m.Key, err = m.key(ctx); err != nil {
		return nil, err
	}
	return m, m.ask(ctx, ranks, scratch)
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

// asker prints on each rank where it has the library from, and on the first the version of the standard and
// that of the library.
const asker = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int version, subversion, length, rank;
    Dl_info place;
    void *function = dlsym(RTLD_DEFAULT, "MPI_Init");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    if (function && dladdr(function, &place))
        printf("` + loadedMark + `%s\n", place.dli_fname);
    if (rank == 0)
        printf("%d.%d\n%s\n", version, subversion, text);
    MPI_Finalize();
    return 0;
}
`

// loadedMark begins a line with a library's file.
const loadedMark = "loaded from "

// ask builds and runs the asker: a test of the two commands at the same time.
func (m *MPI) ask(ctx context.Context, ranks int, scratch string) error {
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(scratch, "ask-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source, program := filepath.Join(dir, "ask.c"), filepath.Join(dir, "ask")
	if err := os.WriteFile(source, []byte(asker), 0o644); err != nil {
		return err
	}
	if err := m.link(ctx, suite.C, program, source, "-ldl"); err != nil {
		return fmt.Errorf("%s cannot build a program: %w", m.CC[0], err)
	}
	out, err := m.launch(ctx, ranks, program)
	if err != nil {
		return err
	}
	var libraries []string
	text := ""
	for line := range strings.Lines(out) {
		if library, ok := strings.CutPrefix(line, loadedMark); ok {
			libraries = append(libraries, strings.TrimSpace(library))
		} else {
			text += line
		}
	}
	if err := m.loaded(libraries); err != nil {
		return err
	}
	version, library, ok := strings.Cut(strings.TrimSpace(text), "\n")
	if !ok {
		return fmt.Errorf("%s -n %d: a program that prints its library's version printed %q", strings.Join(m.Exec, " "),
			ranks, text)
	}
	m.Version = version
	m.Library = tidy(library)
	return nil
}

// launch runs a program and returns what it prints.
func (m *MPI) launch(ctx context.Context, ranks int, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	args := append(m.Exec[1:len(m.Exec):len(m.Exec)], "-n", strconv.Itoa(ranks), program)
	cmd := exec.CommandContext(ctx, m.Exec[0], args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), m.Env...)
	out, err := cmd.Output()
	if err != nil {
		complaint := ""
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			complaint = firstComplaint(string(exit.Stderr), err)
		}
		return "", fmt.Errorf("%s -n %d cannot run a program: %w: %s", strings.Join(m.Exec, " "), ranks, err, complaint)
	}
	return string(out), nil
}

// tidy makes a name of what a library says about itself: "MPICH Version:      4.0.2\nMPICH Release date: ..."
// is "MPICH 4.0.2".
func tidy(library string) string {
	first, _, _ := strings.Cut(library, "\n")
	first, _, _ = strings.Cut(first, ",")
	words := slices.DeleteFunc(strings.Fields(first), func(w string) bool { return strings.EqualFold(w, "version:") })
	return strings.Join(words, " ")
}
