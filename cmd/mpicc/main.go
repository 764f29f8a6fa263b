// Command mpicc is gompi's compiler wrapper. It runs the C, C++ or Fortran compiler of
// the user's choice with the flags that a program using MPI needs, and answers
// the questions that build systems put to the wrappers of MPICH and Open MPI.
//
// One program serves all the names it is installed under: mpicc and mpicc_abi
// compile C; mpicxx, mpic++, mpiCC and mpicxx_abi compile C++; mpifort, mpif77, mpif90
// and mpifort_abi compile Fortran.
//
// It knows nothing about MPI itself: only where its own installation lies,
// which is always worked out from the place of the running program, so that a
// build tree, an installation and a copy of either work wherever they are moved.
package main

import (
	"os"
	"path/filepath"
	"strings"
)

// version is gompi's version, three numbers with dots. The Makefile sets it.
var version = "0.1.0"

func main() {
	os.Exit(run(os.Args))
}

// run does what the command line asks and returns the exit code. When it comes
// to compiling it does not return: the compiler takes the place of this process,
// so that its exit code, its signals and its terminal are the compiler's own.
func run(argv []string) int {
	name := filepath.Base(argv[0])
	lang := languageOf(name)

	req, err := parse(argv[1:])
	if err != nil {
		return fail(name, 1, err)
	}
	exe, err := os.Executable()
	if err != nil {
		return fail(name, 1, err)
	}
	tree := treeOf(exe)

	if answer, ok := answerAbout(req.query, name, lang, tree); ok {
		return print(name, answer)
	}

	cc, err := compiler(lang, req.compiler, exe)
	if err != nil {
		return fail(name, 127, err)
	}
	flags := tree.flags()
	if lang.name == langFortran.name {
		if err := checkFortran(req.args); err != nil {
			return fail(name, 1, err)
		}
		var m modules
		if req.compiles() {
			m = modulesFor(cc, tree, variant{wide: hasWideReals(req.args), plain: req.plain})
		}
		if req.query == queryInfo {
			return print(name, strings.TrimSuffix(m.report, "\n"))
		}
		req.args = withoutR8(m, req.args)
		flags = wrapperFlags{tree.fortranCompileFlags(m, req.work.others), tree.fortranLinkFlags()}
	}
	command := commandLine(cc.words, req, tree, flags)
	switch {
	case req.query == queryCompileFlags:
		return print(name, showWords(flags.compile))
	case req.query == queryCompiler:
		return print(name, showWords(cc.words))
	case req.query != queryNone:
		return print(name, showWords(command))
	}
	if req.banner {
		// On stdout, as MPICH has it, unless that is where the compiler's result goes.
		out := os.Stderr
		if len(req.args) == 1 {
			out = os.Stdout
		}
		out.WriteString(name + " for gompi version " + version + "\n")
	}
	if req.static && req.links() {
		os.Stderr.WriteString(name + ": -static-mpi has no effect: gompi comes as a shared library only\n")
	}
	if req.echo {
		os.Stderr.WriteString(showWords(command) + "\n")
	}
	return fail(name, 126, replaceProcess(cc.path, command))
}

// wrapperFlags are the flags that the wrapper adds.
type wrapperFlags struct{ compile, link []string }

func (t tree) flags() wrapperFlags { return wrapperFlags{t.compileFlags(), t.linkFlags()} }

// commandLine puts the compiler's command together: our include directory ahead
// of the user's, so that no other MPI's mpi.h is found first; our library behind
// the user's objects, as linkers want it.
func commandLine(cc []string, req *request, t tree, flags wrapperFlags) []string {
	command := append([]string{}, cc...)
	if req.compiles() {
		command = append(command, flags.compile...)
	}
	command = append(command, req.args...)
	if req.links() {
		if req.profile != "" {
			command = append(command, "-L"+t.lib, "-l"+req.profile)
		}
		command = append(command, flags.link...)
	}
	return command
}

func print(name, line string) int {
	if _, err := os.Stdout.WriteString(line + "\n"); err != nil {
		return fail(name, 1, err)
	}
	return 0
}

func fail(name string, code int, err error) int {
	os.Stderr.WriteString(name + ": " + err.Error() + "\n")
	return code
}
