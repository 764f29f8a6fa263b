package toolchain

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// configHeader is what the suite's configure would find out about the system. It asks for the tests of the
// standard alone (USE_STRICT_MPI), and for the neighborhood collectives, which the suite holds back from all
// but MPICH although MPI 3.0 has them.
//
// MPI 4.0 moved errors that belong to no communicator, window or file from the error handler of
// MPI_COMM_WORLD to that of MPI_COMM_SELF (MPI 4.0, 9.3). The suite still sets the former alone where it
// wants such errors returned; here it sets both.
const configHeader = `#ifndef MPITESTCONF_H_INCLUDED
#define MPITESTCONF_H_INCLUDED
#define STDC_HEADERS 1
#define HAVE_STDARG_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_INTTYPES_H 1
#if __has_include(<unistd.h>)
#define HAVE_UNISTD_H 1
#define HAVE_USLEEP 1
#endif
#if __has_include(<memory.h>)
#define HAVE_MEMORY_H 1
#endif
#if __has_include(<strings.h>)
#define HAVE_STRINGS_H 1
#endif
#if __has_include(<pthread.h>)
#define HAVE_PTHREAD_H 1
#endif
#if __has_include(<sys/time.h>)
#define HAVE_SYS_TIME_H 1
#endif
#if __has_include(<sys/types.h>)
#define HAVE_SYS_TYPES_H 1
#endif
#if __has_include(<sys/stat.h>)
#define HAVE_SYS_STAT_H 1
#endif
#if __has_include(<sys/resource.h>)
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_GETRUSAGE 1
#endif
#define HAVE_STRDUP 1
#define HAVE_H_ADDR_LIST 1
#define HAVE__BOOL 1
#define HAVE_LONG_LONG 1
#define HAVE_LONG_DOUBLE 1
#define HAVE_FLOAT__COMPLEX 1
#define HAVE_DOUBLE__COMPLEX 1
#define HAVE_LONG_DOUBLE__COMPLEX 1
#define USE_LONG_DOUBLE_COMPLEX 1
#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_MPI_OFFSET 8
#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX
#define HAVE_FORTRAN_BINDING 1
#define F77_NAME_LOWER_USCORE 1
#define HAVE_IOSTREAM 1
#define HAVE_NAMESPACE_STD 1
#define HAVE_CXX_EXCEPTIONS 1
#define HAVE_MPI_IO 1
#define HAVE_MPI_SPAWN 1
#define HAVE_MPI_WIN_CREATE 1
#define USE_STRICT_MPI 1
#define TEST_NEIGHB_COLL 1
#define MPIO_USES_MPI_REQUEST 1
#ifdef CONFORMANCE_MTEST
#define MTestSpawnPossible suite_spawn_possible
#endif
%s
#include <mpi.h>
#if MPI_VERSION >= 4
static inline int conformance_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    if (comm == MPI_COMM_WORLD)
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    return MPI_Comm_set_errhandler(comm, handler);
}
#define MPI_Comm_set_errhandler conformance_set_errhandler
#define MPI_Errhandler_set conformance_set_errhandler
#endif
#endif
`

// poolsHeader is the same for the library of datatypes.
const poolsHeader = `#ifndef DTPOOLSCONF_H_INCLUDED
#define DTPOOLSCONF_H_INCLUDED
#define STDC_HEADERS 1
#define HAVE_LIMITS_H 1
#define HAVE_MEMSET 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRDUP 1
#define HAVE_STRING_H 1
#endif
`

// spawnSource replaces the suite's own answer to whether processes can be spawned, in C and in Fortran. That
// one says no when MPI_UNIVERSE_SIZE leaves no room, which is a hint and no limit, and a test that is told so
// passes without having tested anything.
const spawnSource = `int MTestSpawnPossible(int *possible);
int MTestSpawnPossible(int *possible)
{
    *possible = 1;
    return 0;
}
void mtestspawnpossible_(int *possible, int *errs);
void mtestspawnpossible_(int *possible, int *errs)
{
    (void)errs;
    *possible = 1;
}
`

// probes are what depends on the implementation: where the text compiles, the definition is added.
var probes = []struct{ text, definition string }{
	{"MPI_Datatype type = MPI_INTEGER16;", "#define HAVE_MPI_INTEGER16 1\n"},
	{"MPI_Datatype type = MPI_REAL16;", "#define HAVE_MPI_REAL16 1\n"},
	{"MPI_Datatype type = MPI_COMPLEX32;", "#define HAVE_MPI_COMPLEX32 1\n"},
	{ // MPI 4.1 made MPICH's extensions standard under another name; the suite knows the old one alone
		"int (*a)(int) = MPI_Remove_error_class, (*b)(int) = MPI_Remove_error_code, (*c)(int) = MPI_Remove_error_string;",
		"#define MPIX_Delete_error_class MPI_Remove_error_class\n" +
			"#define MPIX_Delete_error_code MPI_Remove_error_code\n" +
			"#define MPIX_Delete_error_string MPI_Remove_error_string\n",
	},
}

// config makes the text of mpitestconf.h for the implementation.
func (m *MPI) config(ctx context.Context) (string, error) {
	var found strings.Builder
	for _, p := range probes {
		text := "#include <mpi.h>\nvoid probe(void);\nvoid probe(void) {\n" + p.text + "\n}\n"
		if _, err := m.compile(ctx, text, "-w", "-fsyntax-only", "-x", "c", "-"); err == nil {
			found.WriteString(p.definition)
		} else if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return fmt.Sprintf(configHeader, found.String()), nil
}

// writeConfig writes the headers that the suite includes and only configure makes, and the sources of the
// runner's own support code. The folder include is to be searched for headers; the library of datatypes asks
// for "../dtpoolsconf.h" from there.
func writeConfig(dir, config string) error {
	include := filepath.Join(dir, "include")
	if err := os.MkdirAll(include, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{"include/mpitestconf.h": config, "spawn.c": spawnSource,
		"handler.c": handlerSource, "dtpoolsconf.h": poolsHeader} {
		if err := writeOnce(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// writeOnce writes a file, unless it holds the text already: other processes may be reading it.
func writeOnce(file, text string) error {
	if there, err := os.ReadFile(file); err == nil && string(there) == text {
		return nil
	}
	partial, remove, err := beginFile(file)
	if err != nil {
		return err
	}
	defer remove()
	if err := os.WriteFile(partial, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(partial, file)
}
