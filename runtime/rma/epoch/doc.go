// Package epoch is the synchronization of windows (MPI 5.0, 12.5): the access and exposure epochs of a rank,
// and the calls that open and end them.
//
// The ranks synchronize through counters and locks in the window's allocation (fast/window_layout.go),
// without messages but for far ranks, which tell their counters in active messages. A wait is as for
// messages: it polls, yields, sleeps on its bell, and sees when a rank of the job dies.
package epoch
