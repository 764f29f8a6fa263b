package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// base is the name of another state of gompi, which is no peer.
const base = "base"

// mpi is a library to measure, known by its commands.
type mpi struct {
	name     string   // short, in file names: gompi, mpich, openmpi
	label    string   // in tables and charts
	compiler []string // compiles and links a program
	launcher []string // starts ranks, "-n N program" comes behind it
	version  string   // what MPI_Get_library_version says, first line
}

// findMPIs lists what can be measured here, gompi first. What is missing is
// named on progress, with the way to get it.
func findMPIs(ctx context.Context, opt options, progress io.Writer) []mpi {
	var found []mpi
	bin := filepath.Join(opt.gompi, "bin")
	mpicc, mpiexec := filepath.Join(bin, "mpicc"), filepath.Join(bin, "mpiexec")
	if executable(mpicc) && executable(mpiexec) {
		found = append(found, mpi{name: "gompi", label: "gompi", compiler: []string{mpicc},
			launcher: []string{mpiexec}})
	} else {
		fmt.Fprintf(progress, "gompi is not built: %s and %s are needed; the peers are measured alone\n", mpicc, mpiexec)
	}

	if opt.base != "" {
		bin := filepath.Join(opt.base, "bin")
		found = append(found, mpi{name: base, label: "before",
			compiler: []string{filepath.Join(bin, "mpicc")}, launcher: []string{filepath.Join(bin, "mpiexec")}})
	}
	if opt.alone {
		return found
	}

	// The flags are each library's best on one machine that others may share:
	// no binding by the launcher (the programs pin themselves, see bench.h), and
	// what Open MPI wants to be told to run more ranks than cores, as root.
	peers := []struct {
		mpi
		packages []string
	}{
		{mpi{name: "mpich", label: "MPICH",
			compiler: []string{"mpicc.mpich"},
			launcher: []string{"mpiexec.hydra", "-bind-to", "none"}},
			[]string{"mpich", "libmpich-dev"}},
		{mpi{name: "openmpi", label: "Open MPI",
			compiler: []string{"mpicc.openmpi"},
			launcher: []string{"mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"}},
			[]string{"openmpi-bin", "libopenmpi-dev"}},
	}
	for _, p := range peers {
		if !inPath(p.compiler[0], p.launcher[0]) && opt.install {
			installPackages(ctx, p.packages, progress)
		}
		if !inPath(p.compiler[0], p.launcher[0]) {
			fmt.Fprintf(progress, "%s is not measured: install it by: apt-get install %s\n", p.label, strings.Join(p.packages, " "))
			continue
		}
		found = append(found, p.mpi)
	}
	return found
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

func inPath(names ...string) bool {
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			return false
		}
	}
	return true
}

// installPackages tries apt-get, without a question; whether it worked the
// caller sees by what is there afterwards.
func installPackages(ctx context.Context, packages []string, progress io.Writer) {
	command := []string{"apt-get", "install", "-y", "--no-install-recommends"}
	if os.Geteuid() != 0 {
		command = append([]string{"sudo", "-n"}, command...)
	}
	if !inPath(command[0]) {
		return
	}
	fmt.Fprintf(progress, "installing %s\n", strings.Join(packages, " "))
	environment := []string{"DEBIAN_FRONTEND=noninteractive"}
	if _, err := execute(ctx, 10*time.Minute, environment, append(command, packages...)...); err != nil {
		fmt.Fprintf(progress, "apt-get: %v\n", err)
	}
}

// buildPrograms compiles all of bench/c with each MPI, into folder/<mpi>/, as far as
// a source or the compiler is newer than what was compiled before. It
// returns the libraries for which that worked, with their versions.
func buildPrograms(ctx context.Context, mpis []mpi, sources, folder string, progress io.Writer) []mpi {
	var usable []mpi
	for _, m := range mpis {
		if err := buildFor(ctx, &m, sources, folder); err != nil {
			fmt.Fprintf(progress, "%s is not measured: %v\n", m.label, err)
			continue
		}
		fmt.Fprintf(progress, "%-9s %s\n", m.label, m.version)
		usable = append(usable, m)
	}
	return usable
}

func buildFor(ctx context.Context, m *mpi, sources, folder string) error {
	into := filepath.Join(folder, m.name)
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(sources, "*.c"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("there are no programs in %s", sources)
	}
	newest, err := newestOf(append(files, filepath.Join(sources, "bench.h"), m.compiler[0])...)
	if err != nil {
		return err
	}
	problems := make([]error, len(files))
	var compilers sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU())
	for i, source := range files {
		program := filepath.Join(into, strings.TrimSuffix(filepath.Base(source), ".c"))
		if info, err := os.Stat(program); err == nil && info.ModTime().After(newest) {
			continue
		}
		compilers.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			command := append(append([]string{}, m.compiler...), "-O2", "-o", program, source, "-lm", "-lpthread", "-ldl")
			_, problems[i] = execute(ctx, 2*time.Minute, nil, command...)
		})
	}
	compilers.Wait()
	for _, err := range problems {
		if err != nil {
			return err
		}
	}
	command := append(append([]string{}, m.launcher...), "-n", "1", filepath.Join(into, "version"))
	text, err := execute(ctx, time.Minute, nil, command...)
	if err != nil {
		return err
	}
	m.version = firstLine(text)
	return nil
}

// newestOf is the time of the last change to any of the files; commands are looked
// for as the shell does, and files that are not there do not count.
func newestOf(files ...string) (time.Time, error) {
	var newest time.Time
	for _, name := range files {
		if found, err := exec.LookPath(name); err == nil {
			name = found
		}
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return newest, err
		}
		if info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	return newest, nil
}

// firstLine is the first line, its runs of white space made single blanks.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.Join(strings.Fields(line), " ")
}
