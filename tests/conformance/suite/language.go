package suite

import (
	"slices"
	"strings"
)

// Language is what the tests of a folder are written in. Their programs may hold C beside it.
type Language int

// The languages of the suite; those of Fortran differ in the way in which they get at MPI.
const (
	C   Language = iota
	F77          // include 'mpif.h'
	F90          // use mpi
	F08          // use mpi_f08
	CXX
)

// languageFolders are the names of folders that hold tests of another language than C, at the top of the
// suite or within a folder of C tests.
var languageFolders = map[string]Language{"f77": F77, "f90": F90, "f08": F08, "cxx": CXX}

// LanguageOf gives the language of a folder's tests.
func LanguageOf(folder string) Language {
	for name := range strings.SplitSeq(folder, "/") {
		if l, ok := languageFolders[name]; ok {
			return l
		}
	}
	return C
}

// Fortran reports whether the language is one of Fortran's.
func (l Language) Fortran() bool { return l == F77 || l == F90 || l == F08 }

// Parts are the parts of the suite that are reported apart, in the order of a run.
var Parts = []string{"C", "Fortran", "C++"}

// part gives the place of a language's part in Parts.
func (l Language) part() int {
	switch {
	case l.Fortran():
		return 1
	case l == CXX:
		return 2
	}
	return 0
}

// PartOf names the part of the suite that a folder, or a test in it, belongs to.
func PartOf(name string) string { return Parts[LanguageOf(name).part()] }

// Within reports whether a folder is meant by the name of another: itself, the one that it lies in, or its
// language's ("f77" is that of errors/f77/io, too).
func Within(folder, name string) bool {
	if _, ok := languageFolders[name]; ok {
		return slices.Contains(strings.Split(folder, "/"), name)
	}
	return folder == name || strings.HasPrefix(folder, name+"/")
}
