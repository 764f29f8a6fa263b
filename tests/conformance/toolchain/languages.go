package toolchain

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"

	"gompi/tests/conformance/suite"
)

// beside finds another wrapper of the same implementation: it stands beside that of C, and its name differs
// in "mpicc". The result is empty where there is none.
func beside(cc, name string) []string {
	dir, base := filepath.Split(cc)
	if !strings.Contains(base, "mpicc") {
		return nil
	}
	found, err := exec.LookPath(dir + strings.Replace(base, "mpicc", name, 1))
	if err != nil {
		return nil
	}
	return []string{found}
}

// wrapper gives the command that compiles and links programs of a language.
func (m *MPI) wrapper(l suite.Language) []string {
	switch {
	case l.Fortran():
		return m.FC
	case l == suite.CXX:
		return m.CXX
	}
	return m.CC
}

// Lacks says why programs of a part of the suite cannot be built at all: there is no compiler, or no bindings
// to C++. The result is empty where they can be.
func (m *MPI) Lacks(ctx context.Context, part string) (reason string, err error) {
	language, text, form := suite.F90, "program p\nend\n", "f95"
	switch part {
	case "C":
		return "", nil
	case "C++":
		language, text, form = suite.CXX, "#include <mpi.h>\nMPI::Intracomm *c;\n", "c++"
	}
	_, err = m.run(ctx, m.wrapper(language), text, "-w", "-fsyntax-only", "-x", form, "-")
	if refused, ok := errors.AsType[*BuildError](err); ok {
		return refused.Complaint, nil
	}
	return "", err
}
