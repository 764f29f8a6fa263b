// Command driver measures gompi beside Debian's MPICH and Open MPI.
//
// It compiles the programs of bench/c with each MPI and runs them in turn, one
// run of each MPI after the other, round by round, so that whatever else the
// machine does hits all of them. It writes tables to the terminal and a report
// with charts to docs/performance.md, or to build/bench when only a part was measured.
//
// Nothing here fails on a time. The exit code is 1 when a benchmark could not be
// run under gompi, and 2 when nothing could be measured at all.
//
// The driver knows MPI libraries by their commands only; it shares no code with
// gompi.
package main
