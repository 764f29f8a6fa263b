package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// What is particular to Fortran.

var langFortran = language{
	name:      "Fortran",
	variables: []string{"GOMPI_FC", "MPI_FC", "MPICH_FC", "OMPI_FC"},
	compilers: []string{"gfortran", "flang", "flang-new", "ifx", "f95"},
}

// fortranLibrary is the name that the MPI 5.0 ABI gives to the library of the Fortran routines (21.4.2).
const fortranLibrary = "mpifort_abi"

// wideIntegers are the options that make an INTEGER 8 bytes long.
var wideIntegers = []string{"-i8", "-fdefault-integer-8", "-integer-size", "-qintsize=8"}

// wideReal and wideDouble are those that make a REAL so, in the forms of several compilers.
var wideReal = []string{"-r8", "-fdefault-real-8", "-real-size"}

// checkFortran refuses what the library cannot serve.
func checkFortran(args []string) error {
	for _, arg := range args {
		if slices.Contains(wideIntegers, arg) {
			return errors.New(arg + ": INTEGER has 4 bytes in gompi's Fortran library; " +
				"declare as integer(8) what has to be wider")
		}
	}
	return nil
}

// hasWideReals reports whether the arguments make a REAL 8 bytes long.
func hasWideReals(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return slices.Contains(wideReal, arg) })
}

// withoutR8 spells -r8 as gfortran does; DOUBLE PRECISION keeps its 8 bytes then.
func withoutR8(m modules, args []string) []string {
	if !m.gnu {
		return args
	}
	var all []string
	for _, arg := range args {
		switch arg {
		case "-r8":
			all = append(all, "-fdefault-real-8", "-fdefault-double-8")
		case "-fdefault-real-8":
			all = append(all, arg, "-fdefault-double-8")
		default:
			all = append(all, arg)
		}
	}
	return all
}

// fortranCompileFlags are the flags for compiling: where mpif.h and the modules lie, and leave to pass
// buffers of different types to routines that mpif.h declares by their use alone. gfortran's compilers of
// other languages warn of that option, so it is in a file of specs for what has sources of theirs.
func (t tree) fortranCompileFlags(m modules, others bool) []string {
	var flags []string
	if m.folder != "" {
		flags = append(flags, "-I"+m.folder)
	}
	flags = append(flags, "-I"+t.include)
	specs := filepath.Join(t.share, "gfortran.specs")
	_, err := os.Stat(specs)
	switch {
	case m.gnu && others && err == nil:
		flags = append(flags, "-specs="+specs)
	case m.gnu:
		flags = append(flags, "-fallow-argument-mismatch")
	}
	return flags
}

// fortranLinkFlags name the library of C as well, for what calls MPI from C in the same program.
func (t tree) fortranLinkFlags() []string {
	flags := append([]string{"-L" + t.lib}, t.rpathFlags()...)
	return append(flags, "-l"+fortranLibrary, "-l"+libraryName)
}
