// Package check tests the examples the way a user runs them: each is compiled
// and started by the MPI that the environment names. MPICC is the compiler
// wrapper, MPIEXEC the launcher (both may carry arguments); without them the
// tests use build/bin of this tree, and skip when nothing is built there.
package check
