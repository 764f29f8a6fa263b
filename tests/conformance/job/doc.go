// Package job runs one command under supervision: in a process group of its own, with a time limit, its
// output collected, and with nothing left running afterwards, whatever groups and sessions the processes made
// for themselves. It then judges the outcome by the rule of a test.
//
// It knows nothing of MPI.
package job
