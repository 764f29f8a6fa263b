// Package toolchain is an MPI implementation as its user sees it, a compiler wrapper and a launcher, and the
// building of MPICH's test programs with it.
//
// It takes any implementation; nothing in it depends on whose it is. It knows how a program is built, not how
// it is run or judged.
package toolchain
