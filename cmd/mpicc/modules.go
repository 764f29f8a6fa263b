package main

import (
	"errors"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Fortran's modules mpi and mpi_f08 are made by the user's compiler, once: each compiler, and each version of
// one, has files of its own for them. They hold interfaces alone, so that no object belongs to them.

// moduleSources are the sources in the order of their dependences, with the module that a user names.
var moduleSources = []struct{ file, module string }{
	{"mpi_sentinels.f90", ""}, {"mpi_handle_types.f90", ""}, {"mpi.f90", "mpi"}, {"mpi_f08_types.f90", ""}, {"mpi_f08_callbacks.f90", ""}, {"mpi_f08.f90", "mpi_f08"},
}

// modules is where a compiler's modules lie.
type modules struct {
	folder string // "" when there are none
	report string // what there is and why, a line for each module
	gnu    bool   // the compiler is gfortran, by whatever name
}

// variant is what the command line makes of the modules.
type variant struct {
	wide  bool // REALs have 8 bytes
	plain bool // buffers are passed by their address, whatever the compiler can do
}

// modulesFor finds the modules for a compiler, or makes them.
func modulesFor(cc compilerCommand, t tree, v variant) modules {
	version, ok := output(append(cc.commandLine(), "--version")...)
	if !ok {
		return modules{report: "the compiler does not answer --version, so that only mpif.h can be used\n"}
	}
	name, _, _ := strings.Cut(version, "\n")
	gnu := strings.HasPrefix(name, "GNU Fortran")
	key := fileName(name)
	if v.wide {
		key += "-r8"
	}
	if v.plain {
		key += "-plain"
	}
	installed := filepath.Join(t.lib, "gompi", "fortran", key)
	if report, err := os.ReadFile(filepath.Join(installed, "report")); err == nil {
		return modules{installed, string(report), gnu}
	}
	sources := fnv.New64a()
	for _, s := range moduleSources {
		text, err := os.ReadFile(filepath.Join(t.share, s.file))
		if err != nil {
			return modules{report: "no modules: " + err.Error() + "\n", gnu: gnu}
		}
		sources.Write(text)
	}
	folder := filepath.Join(cacheFolder(), "gompi", "fortran", key+"-"+strconv.FormatUint(sources.Sum64(), 36))
	if report, err := os.ReadFile(filepath.Join(folder, "report")); err == nil {
		return modules{folder, string(report), gnu}
	}
	report, err := makeModules(cc, t, folder, v)
	if err != nil {
		return modules{report: "no modules: " + err.Error() + "\n", gnu: gnu}
	}
	return modules{folder, report, gnu}
}

// cacheFolder is the user's folder for what can be made again.
func cacheFolder() string {
	if folder, err := os.UserCacheDir(); err == nil {
		return folder
	}
	return os.TempDir()
}

// fileName turns what a compiler says of itself into a name for a folder.
func fileName(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		}
		return '_'
	}, text)
}

// firstError is the line in which a compiler says what is wrong.
func firstError(said string) string {
	first := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if strings.Contains(strings.ToLower(line), "error") {
			return line
		}
		if first == "" {
			first = line
		}
	}
	return first
}

func (c compilerCommand) commandLine() []string {
	return append([]string{c.path}, c.words[1:]...)
}

// output runs a command and returns what it prints.
func output(command ...string) (string, bool) { return outputIn("", command...) }

// outputIn is output in another folder.
func outputIn(folder string, command ...string) (string, bool) {
	file, err := os.CreateTemp("", "mpifort")
	if err != nil {
		return err.Error(), false
	}
	defer os.Remove(file.Name())
	defer file.Close()
	process, err := os.StartProcess(command[0], command,
		&os.ProcAttr{Dir: folder, Files: []*os.File{nil, file, file}})
	if err != nil {
		return err.Error(), false
	}
	state, err := process.Wait()
	text, readErr := os.ReadFile(file.Name())
	if errors.Join(err, readErr) != nil {
		return "", false
	}
	return string(text), state.Success()
}
