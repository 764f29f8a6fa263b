package main

import "strings"

// A query is a question that a build system puts to the wrapper instead of
// compiling something.
type query int

const (
	queryNone           query = iota
	queryCommand              // the whole command that the other arguments amount to
	queryCompileCommand       // the same without the flags for linking
	queryCompiler             // the compiler alone
	queryCompileFlags         // the flags added for compiling
	queryLinkFlags            // the flags added for linking
	queryIncludeDirs
	queryLibDirs
	queryBinDir
	queryRpath
	queryLibs
	queryVersion
	queryInfo // which modules there are for the compiler, and why not
	queryHelp
)

// queries holds every spelling, without leading dashes and with - for _.
var queries = map[string]query{
	// MPICH's family. What follows the compiler's name on these lines is what
	// callers look at.
	"show":              queryCommand,
	"compile-info":      queryCompileCommand,
	"show-compile-info": queryCompileCommand,
	"link-info":         queryCommand,
	"show-link-info":    queryCommand,
	"help":              queryHelp,
	"info":              queryInfo,

	// Open MPI's family.
	"showme":         queryCommand,
	"showme:command": queryCompiler,
	"showme:compile": queryCompileFlags,
	"showme:link":    queryLinkFlags,
	"showme:incdirs": queryIncludeDirs,
	"showme:libdirs": queryLibDirs,
	"showme:libs":    queryLibs,
	"showme:version": queryVersion,
	"showme:help":    queryHelp,

	// The family of the MPI Forum's ABI stubs.
	"show-incdir":   queryIncludeDirs,
	"show-libdir":   queryLibDirs,
	"show-bindir":   queryBinDir,
	"show-rpath":    queryRpath,
	"show-libs":     queryLibs,
	"showme:incdir": queryIncludeDirs,
	"showme:libdir": queryLibDirs,
	"showme:bindir": queryBinDir,
	"showme:rpath":  queryRpath,
}

// answerAbout answers the queries that need no compiler; false for the others.
func answerAbout(q query, name string, lang language, t tree) (string, bool) {
	if lang.name == langFortran.name {
		switch q {
		case queryCompileFlags:
			return "", false // the modules depend on the compiler
		case queryLinkFlags:
			return showWords(t.fortranLinkFlags()), true
		case queryLibs:
			return fortranLibrary + " " + libraryName, true
		}
	}
	switch q {
	case queryCompileFlags:
		return showWords(t.compileFlags()), true
	case queryLinkFlags:
		return showWords(t.linkFlags()), true
	case queryIncludeDirs:
		return t.include, true
	case queryLibDirs, queryRpath:
		return t.lib, true
	case queryBinDir:
		return t.bin, true
	case queryLibs:
		return libraryName, true
	case queryVersion:
		return name + ": gompi " + version + " (Language: " + lang.name + ")", true
	case queryHelp:
		return help(name, lang), true
	}
	return "", false
}

// exampleSource is the end of the name of a source file in the help, by language; of equal width.
var exampleSource = map[string]string{langC.name: ".c  ", langCXX.name: ".cpp", langFortran.name: ".f90"}

func help(name string, lang language) string {
	return strings.NewReplacer("{name}", name, "{version}", version, "{language}", lang.name,
		"{source}", exampleSource[lang.name],
		"{variables}", strings.Join(lang.variables, ", "), "{compiler}", lang.compilers[0]).Replace(helpText)
}

const helpText = `{name} compiles and links {language} programs that use MPI (gompi {version}).

    {name} -O2 -o prog prog{source}      compile and link
    {name} -c part{source}               compile
    {name} -o prog main.o part.o     link

All arguments go to the compiler, with the flags for MPI added. What the wrapper
keeps for itself, with one or two dashes:

  -cc=COMMAND          use this compiler ("clang", "ccache gcc"); otherwise the first
                       of {variables} that is set, or {compiler}
  -show                print the command instead of running it (also -showme)
  -echo                print the command, then run it
  -v                   print the version, then pass -v on
  -help                this text (--help is the compiler's)

  -compile-info        the command for compiling, nothing run (-show-compile-info)
  -link-info           the command for linking, nothing run (-show-link-info)
  -showme:command      the compiler
  -showme:compile      the flags added for compiling
  -showme:link         the flags added for linking
  -showme:incdirs      the folder of mpi.h          (-show-incdir)
  -showme:libdirs      the folder of the library    (-show-libdir, -show-rpath)
  -showme:libs         the library's name           (-show-libs)
  -show-bindir         the folder of this program
  -showme:version      the version
  -info                Fortran: which modules the compiler can use, and why not
  -no-descriptors      Fortran: mpi_f08 for a compiler that passes no sections of arrays

  -profile=NAME        link libNAME, a profiler, ahead of the MPI library
  -config=COMPILER     as -cc=
  -mpi-abi, -nativelinking, -static-mpi
                       accepted for the sake of scripts that were written for MPICH`
