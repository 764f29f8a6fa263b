package main

import (
	"errors"
	"os"
	"strings"
)

// A request is what one command line asks of the wrapper.
type request struct {
	query    query    // the question, queryNone when there is something to compile
	args     []string // what goes to the compiler
	compiler string   // from -cc=, with its arguments
	profile  string   // from -profile=: the library of a profiler, named without "lib"
	echo     bool     // show the command, then run it
	banner   bool     // -v: say who we are, then let the compiler do the same
	static   bool     // -static-mpi
	plain    bool     // -no-descriptors: Fortran's buffers are passed by their address
	work     work     // what the arguments make the compiler do
}

// compiles reports whether the flags for compiling belong on the command line.
func (r *request) compiles() bool {
	return r.work.input || r.query != queryNone
}

// links reports whether the flags for linking belong on the command line: exactly
// when the compiler gets something to link, or when a query is about it.
func (r *request) links() bool {
	switch r.query {
	case queryNone:
		return r.work.links()
	case queryCompileCommand:
		return false
	}
	return r.work.links() || !r.work.input && !r.work.stops
}

// parse sorts the arguments into the wrapper's own and the compiler's.
func parse(args []string) (*request, error) {
	r := &request{profile: os.Getenv("MPICC_PROFILE")}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		own, err := r.takeOwn(arg)
		if err != nil {
			return nil, err
		}
		if own {
			continue
		}
		r.args = append(r.args, arg)
		if takesValue(arg) && i+1 < len(args) {
			// The next word is this option's value, whatever it looks like.
			i++
			r.args = append(r.args, args[i])
		}
	}
	r.work = workOf(r.args, 0)
	return r, nil
}

// takeOwn handles one argument if it is the wrapper's own. Both families of
// options may be written with one or two dashes, MPICH's with - or _ inside.
func (r *request) takeOwn(arg string) (bool, error) {
	name, ok := strings.CutPrefix(arg, "-")
	if !ok {
		return false, nil
	}
	double := strings.HasPrefix(name, "-")
	name = strings.TrimPrefix(name, "-")
	if double && name == "help" {
		return false, nil // build systems learn from it which compiler it is
	}
	if q, ok := queries[strings.ReplaceAll(name, "_", "-")]; ok {
		r.query = q
		return true, nil
	}
	if strings.HasPrefix(name, "show") {
		return false, errors.New("unknown option " + arg + "; -showme:help lists what can be asked")
	}

	switch strings.ReplaceAll(name, "_", "-") {
	case "echo":
		r.echo = true
		return true, nil
	case "v":
		r.banner = true
		return false, nil // the compiler gets it too
	case "mpi-abi", "nativelinking":
		// The standard ABI is what there is, and the compiler's own way of linking too.
		return true, nil
	case "no-descriptors":
		r.plain = true
		return true, nil
	case "static-mpi":
		r.static = true
		return true, nil
	}

	key, value, ok := strings.Cut(name, "=")
	if !ok {
		return false, nil
	}
	switch key {
	case "cc", "cxx", "CC", "fc", "f77", "f90":
		if strings.TrimSpace(value) == "" {
			return false, errors.New(arg + ": names no compiler")
		}
		r.compiler = value
		return true, nil
	case "config":
		if double {
			return false, nil // clang's own
		}
		// In MPICH the name of a file that names a compiler, and by custom of that
		// compiler itself.
		if value == "" {
			return false, errors.New(arg + ": names no compiler")
		}
		r.compiler = value
		return true, nil
	case "profile":
		if value == "" {
			return false, errors.New(arg + ": names no library")
		}
		r.profile = value
		return true, nil
	}
	return false, nil
}
