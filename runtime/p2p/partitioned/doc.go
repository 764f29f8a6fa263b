// Package partitioned is partitioned communication (MPI 5.0, chapter 4), over the messages of package p2p.
//
// Each partition of the sender is a message of its own, in contexts that belong to partitioned operations
// alone, and goes as soon as it is ready. Its tag says to which operation and partition it belongs, so the
// receiver posts a receive for each of them, straight into the offset of its data, however it has partitioned
// its own buffer. Both rounds of an operation and operations that were started in another order on the two
// sides keep apart by themselves: messages with the same tag are received in the order sent.
package partitioned
