package fortran

import (
	"path/filepath"
	"testing"
)

// hosts are programs that open plug-ins, by the compiler and the options that make them.
var hosts = []struct {
	name    string
	command []string
}{
	{"c", []string{"mpicc", "-DMPI"}},
	{"c-no-pie", []string{"mpicc", "-DMPI", "-fno-pie", "-no-pie"}},
	{"cxx", []string{"mpicxx", "-DMPI", "-DMPI_NO_CPPBIND", "-x", "c++", "-fPIE", "-pie"}},
	{"without-mpi", []string{"gcc"}},
}

// The constants that are addresses are recognized in plug-ins that a program in another language opens. Of
// plug-ins with mpif.h only the first has those that the library knows (docs/fortran.md).
func TestPlugins(t *testing.T) {
	needCompiler(t)
	folder := t.TempDir()
	plugins, _ := filepath.Abs("plugins")
	for _, i := range interfaces {
		must(t, folder, filepath.Join(build, "bin/mpifort"), "-w", "-O2", "-shared", "-fPIC", i.define, "-o", i.name+".so",
			filepath.Join(plugins, "plugin.F90"))
	}
	for _, h := range hosts {
		compiler := h.command[0]
		if compiler != "gcc" {
			compiler = filepath.Join(build, "bin", compiler)
		}
		command := append([]string{compiler}, h.command[1:]...)
		must(t, folder, append(command, "-Wall", "-Werror", "-o", h.name, filepath.Join(plugins, "host.c"), "-ldl")...)
		for _, opened := range [][]string{{"./mpif.h.so"}, {"./mpi.so", "./mpi_f08.so"}, {"./mpi_f08.so", "./mpi.so"}, {"./mpif.h.so", "./mpi.so"}} {
			run := []string{filepath.Join(build, "bin/mpiexec"), "-n", "2", "./" + h.name}
			if out, err := try(t, folder, append(run, opened...)...); err != nil || out != "" {
				t.Errorf("%s, %v: %v\n%s", h.name, opened, err, out)
			}
		}
	}
}

// A compiler whose .TRUE. is another value.
func TestLogicals(t *testing.T) {
	needCompiler(t)
	folder := t.TempDir()
	must(t, folder, filepath.Join(build, "bin/mpicc"), "-Wall", "-Wextra", "-Werror", "-o", "logicals", source("logicals.c"),
		"-lmpifort_abi")
	for _, np := range []string{"1", "2", "3"} {
		if out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", np, "./logicals"); err != nil || out != "" {
			t.Errorf("np %s: %v\n%s", np, err, out)
		}
	}
}
