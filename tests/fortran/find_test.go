package fortran

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const project = `cmake_minimum_required(VERSION 3.16)
project(found Fortran)
find_package(MPI REQUIRED COMPONENTS Fortran)
foreach(interface F77_HEADER F90_MODULE F08_MODULE)
  if(NOT MPI_Fortran_HAVE_${interface})
    message(FATAL_ERROR "CMake does not find ${interface}")
  endif()
endforeach()
add_executable(found checks_f08.f90 sections.f90)
target_link_libraries(found PRIVATE MPI::MPI_Fortran)
`

const mesonProject = `project('found', 'fortran')
test('found', executable('found', 'checks_f08.f90', 'sections.f90', dependencies: dependency('mpi', language: 'fortran')))
`

// Meson asks the mpifort in PATH.
func TestMeson(t *testing.T) {
	needCompiler(t)
	if _, err := exec.LookPath("meson"); err != nil {
		t.Skip("no meson")
	}
	folder := t.TempDir()
	copySources(t, folder)
	if err := os.WriteFile(filepath.Join(folder, "meson.build"), []byte(mesonProject), 0o666); err != nil {
		t.Fatal(err)
	}
	// Meson asks pkg-config for Open MPI's ompi-fort before it looks at any wrapper.
	env := []string{"env", "PATH=" + filepath.Join(build, "bin") + ":" + os.Getenv("PATH"), "PKG_CONFIG_LIBDIR=" + folder}
	must(t, folder, append(env, "meson", "setup", "out")...)
	must(t, folder, append(env, "meson", "test", "-C", "out")...)
	if out, err := try(t, folder, filepath.Join(build, "bin/mpiexec"), "-n", "2", "out/found"); err != nil || out != "" {
		t.Errorf("%v\n%s", err, out)
	}
}

// copySources puts the sources of a program into a folder.
func copySources(t *testing.T, folder string) {
	t.Helper()
	for _, s := range []string{"checks_f08.f90", "sections.f90"} {
		text, err := os.ReadFile(source(s))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, s), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// CMake's FindMPI asks the wrapper and then uses the compiler by itself; pkg-config says what that needs.
func TestFound(t *testing.T) {
	needCompiler(t)
	folder := t.TempDir()
	copySources(t, folder)
	if err := os.WriteFile(filepath.Join(folder, "CMakeLists.txt"), []byte(project), 0o666); err != nil {
		t.Fatal(err)
	}
	wrapper := filepath.Join(build, "bin/mpifort")
	must(t, folder, "cmake", "-S", ".", "-B", "out", "-DMPI_Fortran_COMPILER="+wrapper)
	must(t, folder, "cmake", "--build", "out")
	run := []string{filepath.Join(build, "bin/mpiexec"), "-n", "2"}
	if out, err := try(t, folder, append(run, "out/found")...); err != nil || out != "" {
		t.Errorf("by CMake: %v\n%s", err, out)
	}
	path := "PKG_CONFIG_PATH=" + filepath.Join(build, "lib/pkgconfig")
	flags := must(t, folder, "env", path, "pkg-config", "--cflags", "--libs", "mpi-fort")
	if !strings.Contains(flags, "-lmpifort_abi") {
		t.Errorf("pkg-config: %s", flags)
	}
}
