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

// probe shows that the modules serve a compiler: it passes descriptors as they expect them, and the library
// is found.
const probe = `program probe
  use mpi_f08
  implicit none
  type pair
    integer(kind=2) :: a
    integer :: b
  end type
  type(pair) :: p(9)
  integer :: n
  call MPI_Sizeof(p(1:9:2)%b, n)
  if (n /= 4 .or. MPI_COMM_WORLD == MPI_COMM_SELF) stop 1
  write (*, '(a)') 'works'
end program
`

// modules is where a compiler's modules lie.
type modules struct {
	folder string // "" when there are none
	report string // what there is and why, a line for each module
	gnu    bool   // the compiler is gfortran, by whatever name
}

// modulesFor finds the modules for a compiler, or makes them. wide says that its REALs have 8 bytes.
func modulesFor(cc compilerCommand, t tree, wide bool) modules {
	version, ok := output(append(cc.commandLine(), "--version")...)
	if !ok {
		return modules{report: "the compiler does not answer --version, so that only mpif.h can be used\n"}
	}
	name, _, _ := strings.Cut(version, "\n")
	gnu := strings.HasPrefix(name, "GNU Fortran")
	key := fileName(name)
	if wide {
		key += "-r8"
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
	report, err := makeModules(cc, t, folder, wide)
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

// makeModules compiles the modules into folder, which appears when all of them are there.
func makeModules(cc compilerCommand, t tree, folder string, wide bool) (report string, err error) {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(filepath.Dir(folder), "making")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	// mpif.h is the same for all but compilers with wide REALs.
	files := []string{filepath.Join(t.include, "mpif.h")}
	for _, s := range moduleSources {
		files = append(files, filepath.Join(t.share, s.file))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if wide {
			text = []byte(widened(string(text)))
		} else if filepath.Base(file) == "mpif.h" {
			continue
		}
		if err := os.WriteFile(filepath.Join(work, filepath.Base(file)), text, 0o644); err != nil {
			return "", err
		}
	}
	compile := func(words ...string) (string, bool) {
		return outputIn(work, append(cc.commandLine(), words...)...)
	}
	lost := "" // why later modules cannot be made
	for _, s := range moduleSources {
		if lost == "" {
			if said, ok := compile("-fsyntax-only", s.file); !ok {
				lost = firstError(said)
			}
		}
		switch {
		case s.module == "":
		case lost == "":
			report += "module " + s.module + ": yes\n"
		default:
			report += "module " + s.module + ": no: " + lost + "\n"
			if s.module == "mpi" {
				lost = "" // the other one may do without
			}
		}
	}
	if lost == "" {
		if reason := try(work, t, compile); reason != "" {
			report = strings.Replace(report, "module mpi_f08: yes", "module mpi_f08: no: "+reason, 1)
			os.Remove(filepath.Join(work, "mpi_f08.mod"))
		}
	}
	made, _ := filepath.Glob(filepath.Join(work, "*"))
	for _, file := range made {
		if ext := filepath.Ext(file); ext != ".mod" && ext != ".h" {
			os.Remove(file)
		}
	}
	if err := os.WriteFile(filepath.Join(work, "report"), []byte(report), 0o644); err != nil {
		return "", err
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(work, folder); err != nil {
		if _, there := os.Stat(filepath.Join(folder, "report")); there != nil {
			return "", err
		} // another process has been faster
	}
	return report, nil
}

// try compiles, links and runs the probe; "" when it works.
func try(work string, t tree, compile func(...string) (string, bool)) string {
	if err := os.WriteFile(filepath.Join(work, "probe.f90"), []byte(probe), 0o644); err != nil {
		return err.Error()
	}
	said, ok := compile(append([]string{"-o", "probe", "probe.f90"}, t.fortranLinkFlags()...)...)
	if !ok {
		return firstError(said)
	}
	if said, ok = outputIn(work, filepath.Join(work, "probe")); !ok || strings.TrimSpace(said) != "works" {
		return "a program compiled with it gets wrong results"
	}
	return ""
}

// wideReals are the types that MPI_REAL and its kin are where a REAL has 8 bytes, and a DOUBLE PRECISION too.
var wideReals = []struct{ name, as string }{
	{"MPI_REAL", "MPI_REAL8"}, {"MPI_COMPLEX", "MPI_COMPLEX16"}, {"MPI_2REAL", "MPI_2DOUBLE_PRECISION"},
}

// widened changes the values of constants in a source.
func widened(text string) string {
	for _, w := range wideReals {
		for _, form := range []struct{ before, after string }{
			{"integer, parameter :: $ = ", "\n"},
			{"type(MPI_Datatype), parameter :: $ = ", "\n"},
			{"PARAMETER ($=", "\n"},
		} {
			_, value, found := strings.Cut(text, strings.Replace(form.before, "$", w.as, 1))
			if !found {
				continue
			}
			value, _, _ = strings.Cut(value, form.after)
			before := strings.Replace(form.before, "$", w.name, 1)
			head, tail, found := strings.Cut(text, before)
			if _, tail, ok := strings.Cut(tail, form.after); found && ok {
				text = head + before + value + form.after + tail
			}
		}
	}
	return text
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
