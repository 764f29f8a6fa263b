// Package p2p is point-to-point communication (MPI 5.0, chapter 3): matching, the protocols by which a
// message travels, and the waiting. It knows contexts and job ranks; communicators, handles and error
// handlers are above, and how a packet reaches its receiver is the transport's affair.
//
// # Protocols
//
//	eager       up to Engine.eager bytes: header and data in one packet. The receiver copies them into the
//	            posted buffer, or aside when no receive has been posted (the unexpected messages)
//	rendezvous  above: the first packet (RTS) only announces the message and says where it lies. Once it is
//	            matched, the receiver copies it out of the sender's memory and says so (FIN), or asks for it
//	            (CTS) and gets it from the sender in pieces; see protocol.go
//
// A message to the rank itself never becomes a packet.
//
// A receiver that has buffered too much from one peer makes that peer announce everything (flow.go). A send
// that is cancelled is asked back from its receiver (cancel.go).
//
// Packets of one pair arrive in the order sent, and every message begins with a packet that carries its match
// header, so messages of one context between two ranks match in the order sent, whatever their protocols (MPI
// 5.0, 3.5). A packet that finds no room waits in its peer's queue, and all later packets to that peer wait
// behind it.
//
// # Threads
//
// All state of an Engine is used under its lock, which exists only at MPI_THREAD_MULTIPLE. It is not held
// while a thread waits.
package p2p
