// Package pmi is the wire format of PMI version 1.1, the protocol in which MPI processes talk to the program
// that started them: one request per line of key=value words, one line back. The launcher (package launch)
// and the library's start-up (package runtime/boot) share it, so that the two cannot disagree.
//
// It knows lines and words. It must not know sockets, processes or what any command means.
package pmi
