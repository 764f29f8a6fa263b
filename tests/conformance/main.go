// Conformance runs MPICH's test suite against an MPI implementation and reports what passes, beside what
// Debian's MPICH passes on the same machine. "make conformance" starts it; it is also a command of its own:
// go run ./tests/conformance.
//
// Settings come from the environment (or as arguments NAME=value), so that make hands them on:
//
//	DIRS=rma,coll   only these folders of the suite; f77, f90, f08 and cxx name those within errors, too;
//	                C, Fortran and C++ name all that is written in one
//	ONLY=regexp     only tests whose name (folder/program ranks arguments) matches
//	NP_MAX=n        only tests with at most n ranks
//	PART=2/4        only one of so many equal parts, with something of each folder; PART=rotate takes the
//	                one of four that the hash of the commit chooses
//	JOBS=n          tests that run at the same time (default: number of cores; four times that with CHECK or
//	                FAILING)
//	MPICC=, MPIEXEC=  the implementation (default: build/bin/mpicc, build/bin/mpiexec); mpifort and mpicxx
//	                  are looked for beside mpicc, by its name with that part exchanged
//	BASELINE_MPICC=, BASELINE_MPIEXEC=  the one to compare with (default: mpicc.mpich, mpiexec.mpich; "none"
//	                                    for none, which is the default over hosts)
//	MPICH_SUITE=dir MPICH's source, where it is there already: a release or a checkout
//	CHECK=file      tests that have to pass, one per line: run these alone and fail when one of them fails
//	FAILING=file    tests that may fail, one per line with the reason: fail when any other fails
//	RESULTS=file    keep results there, and do not run again what it has: a run may so be made in parts
//	NODES=n         mpiexec spreads ranks over so many hosts (make conformance NODES= makes them)
//	RECORD=file     add the tests that passed in less than a second to that file
//
// The parts of the suite are C, Fortran and C++. A run of a whole part with the default implementation writes
// it into docs/conformance.md, or, over hosts, into a page beside that, and leaves the others there as they
// are. The suite and its programs are kept in ${XDG_CACHE_HOME:-~/.cache}/gompi/mpich-suite, for all clones:
// programs that are built with the same headers run with each build of the library. A part that cannot be
// built, because there is no compiler or no bindings, is left out. The exit status is 0 when the run is
// complete, whatever passed; 1 when something kept it from being made, or a test fails that has to pass by
// CHECK or FAILING; 2 for a mistake in the settings; 3 when the suite cannot be obtained.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"gompi/tests/conformance/source"
)

func main() {
	s, err := readSettings(os.Args[1:], os.Getenv)
	if err != nil {
		fmt.Fprintf(os.Stderr, "conformance: %v\n", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = conform(ctx, s, os.Stdout)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "conformance: interrupted")
		os.Exit(130)
	case errors.Is(err, source.ErrUnobtainable):
		fmt.Fprintf(os.Stderr, "conformance: %v\n", err)
		os.Exit(3)
	case err != nil:
		fmt.Fprintf(os.Stderr, "conformance: %v\n", err)
		os.Exit(1)
	}
}
