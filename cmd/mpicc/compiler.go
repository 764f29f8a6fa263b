package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// A language is what one name of the wrapper compiles.
type language struct {
	name      string   // as the query options spell it
	variables []string // of the environment, that name a compiler; the first one set wins
	compilers []string // tried in this order when nothing else is said
}

var (
	langC = language{
		name:      "C",
		variables: []string{"GOMPI_CC", "MPICH_CC", "OMPI_CC"},
		compilers: []string{"gcc", "cc", "clang"},
	}
	langCXX = language{
		name:      "C++",
		variables: []string{"GOMPI_CXX", "MPICH_CXX", "OMPI_CXX"},
		compilers: []string{"g++", "c++", "clang++"},
	}
)

// languageOf reads the language from the name the wrapper was called by. What
// follows a dot says which MPI the wrapper belongs to (mpicc.gompi), as in
// Debian's alternatives, and counts for nothing.
func languageOf(name string) language {
	name, _, _ = strings.Cut(name, ".")
	name = strings.TrimSuffix(name, "_abi")
	for _, ending := range []string{"fort", "f77", "f90", "f08"} {
		if strings.HasSuffix(name, ending) {
			return langFortran
		}
	}
	for _, ending := range []string{"cxx", "c++", "CC"} {
		if strings.HasSuffix(name, ending) {
			return langCXX
		}
	}
	return langC
}

// A compilerCommand starts a compiler.
type compilerCommand struct {
	path  string   // of the program
	words []string // the program as it was named, and arguments when there are some
}

// compiler finds the compiler to run. The option -cc= goes before the
// environment, the environment before what the system has. self is the path of
// the wrapper.
func compiler(lang language, option, self string) (compilerCommand, error) {
	if option != "" {
		return named(option, "-cc="+option, self)
	}
	for _, variable := range lang.variables {
		value := strings.TrimSpace(os.Getenv(variable))
		if value == "" {
			continue
		}
		cc, err := named(value, variable+"="+value, self)
		if errors.Is(err, errSelf) {
			// CMake's FindMPI sets MPICH_CC to the project's compiler while it asks,
			// and that compiler may well be this wrapper.
			continue
		}
		return cc, err
	}
	for _, name := range lang.compilers {
		if path := lookPath(name); path != "" {
			return compilerCommand{path, []string{name}}, nil
		}
	}
	return compilerCommand{}, errors.New("no " + lang.name + " compiler found (tried " + strings.Join(lang.compilers, ", ") +
		"): install one, or name yours with -cc= or " + lang.variables[0])
}

var errSelf = errors.New("names this wrapper itself: name the compiler that it is to run")

// named resolves the compiler that the user named; origin is how he did that.
func named(value, origin, self string) (compilerCommand, error) {
	words := []string{value}
	if lookPath(value) == "" {
		// Not a program by itself, so it is a program with arguments. This order
		// lets a path with spaces in it work unquoted.
		var err error
		if words, err = splitWords(value); err != nil {
			return compilerCommand{}, errors.New(origin + ": " + err.Error())
		}
		if len(words) == 0 {
			return compilerCommand{}, errors.New(origin + ": names no compiler")
		}
	}
	path := lookPath(words[0])
	if path == "" {
		return compilerCommand{}, errors.New(origin + ": there is no program " + words[0])
	}
	if same(path, self) {
		return compilerCommand{}, &originError{origin, errSelf}
	}
	return compilerCommand{path, words}, nil
}

type originError struct {
	origin string
	err    error
}

func (e *originError) Error() string { return e.origin + ": " + e.err.Error() }
func (e *originError) Unwrap() error { return e.err }

// lookPath finds a program as a shell would; "" when there is none. (os/exec
// would do the same at the price of a slower start.)
func lookPath(name string) string {
	if strings.Contains(name, "/") {
		if executable(name) {
			return name
		}
		return ""
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if folder == "" {
			folder = "."
		}
		if path := filepath.Join(folder, name); executable(path) {
			if !strings.Contains(path, "/") {
				path = "./" + path
			}
			return path
		}
	}
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

func same(a, b string) bool {
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}
