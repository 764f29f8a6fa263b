// Command driver measures gompi beside Debian's MPICH and Open MPI.
//
// It compiles the programs of bench/c with each MPI and runs them in turn, one
// run of each MPI after the other, round by round, so that whatever else the
// machine does hits all of them. A point is repeated until its confidence interval
// is narrow or decides the comparison. It writes tables to the terminal, a file of
// results for the kind of processor, and a report with charts on all kinds to
// docs/reports/performance, or to build/bench when only a part was measured.
//
// Nothing here fails on a time. The exit code is 1 when a benchmark could not be
// run under gompi, and 2 when nothing could be measured at all.
//
// The driver knows MPI libraries by their commands only; it shares no code with
// gompi.
package main
