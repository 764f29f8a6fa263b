// Package suite reads MPICH's test suite (the folder test/mpi of its source) as data: which programs there
// are, how each is built, and with how many ranks, which arguments, time limit and expected result each is to
// be run.
//
// It reads the suite's own files (testlist, testlist.in, Makefile.am, maint/dtp-test-config.txt,
// maint/coll_cvars.txt), whether the suite has been configured or not. It knows nothing about any MPI
// implementation, starts no process and writes no file.
package suite
