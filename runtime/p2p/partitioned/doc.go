// Package partitioned is partitioned communication (MPI 5.0, chapter 4), over the messages of package p2p.
//
// Data that fits into one packet is one message, which goes when the last partition is ready. Where the
// sender waits, or asks for something, while some partitions are ready and others are not, that message comes
// without data, and the partitions one by one behind it. So they do in all other cases: each partition is a
// message of its own, and goes as soon as it is ready.
//
// The messages are in contexts that belong to partitioned operations alone. The tag of a partition's message
// says to which operation and partition it belongs, so the receiver posts a receive for each of them,
// straight into the offset of its data, however it has partitioned its own buffer. The message that holds all
// has the tag of the first partition's. Both rounds of an operation and operations that were started in
// another order on the two sides keep apart by themselves: messages with the same tag are received in the
// order sent.
//
// The fast engine carries out the rounds of operations whose data fits into one packet and has no gaps,
// between ranks of one node (package fast, partitioned.go). This package makes them, and goes on with a round
// that is not plain.
package partitioned
