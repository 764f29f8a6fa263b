package toolchain

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"gompi/tests/conformance/suite"
)

// handlerSource gives a routine of Fortran what the configuration gives the function of C: a handler that a
// test sets for MPI_COMM_WORLD is that of MPI_COMM_SELF, too, where MPI is 4.0 or later. The linker puts it
// in front of the routine of the name SETTER.
const handlerSource = `#include <mpi.h>
#define JOIN(a, b) a##b
#define NAMED(prefix, name) JOIN(prefix, name)
void NAMED(__real_, SETTER)(MPI_Fint *comm, MPI_Fint *handler, MPI_Fint *ierr);
void NAMED(__wrap_, SETTER)(MPI_Fint *comm, MPI_Fint *handler, MPI_Fint *ierr);
void NAMED(__wrap_, SETTER)(MPI_Fint *comm, MPI_Fint *handler, MPI_Fint *ierr)
{
#if MPI_VERSION >= 4
    if (MPI_Comm_f2c(*comm) == MPI_COMM_WORLD) {
        MPI_Fint self = MPI_Comm_c2f(MPI_COMM_SELF), ignored;
        NAMED(__real_, SETTER)(&self, handler, &ignored);
    }
#endif
    NAMED(__real_, SETTER)(comm, handler, ierr);
}
`

// handlerSetters are the names of the routine: in mpif.h and the module mpi, and in mpi_f08.
var handlerSetters = []string{"mpi_comm_set_errhandler_", "mpi_comm_set_errhandler_f08_"}

// fortran builds a program of Fortran, which may have parts in C: these are compiled on their own.
func (b *Builder) fortran(ctx context.Context, language suite.Language, file string, t suite.Test,
	r suite.Recipe) error {
	modules := file + ".modules" // of the program itself; other programs may have ones of the same name
	if err := os.MkdirAll(modules, 0o755); err != nil {
		return err
	}
	args := []string{"-fcray-pointer", "-J" + modules}
	for _, name := range handlerSetters {
		args = append(args, "-Wl,--wrap="+name)
	}
	for _, s := range r.Sources {
		source := b.source(t.Folder, s)
		if filepath.Ext(s) == ".c" {
			object := file + "-" + strings.TrimSuffix(filepath.Base(s), ".c") + ".o"
			if err := b.make(ctx, suite.C, object, "-c", source); err != nil {
				return err
			}
			source = object
		}
		args = append(args, source)
	}
	if support := languageSupport[language]; b.support[support] {
		args = append(args, b.object(support))
	}
	return b.program(ctx, language, file, append(args, b.library())...)
}

// source finds a source file, in the suite or among those that are generated.
func (b *Builder) source(folder, name string) string {
	made := filepath.Join(b.generated(folder), name)
	if _, err := os.Stat(made); err == nil {
		return made
	}
	return filepath.Join(b.suite, folder, name)
}
