// Package am is the active messages of one-sided communication: what a rank of a window asks another one to
// do in memory that only that one reaches. A message has a header, a list of runs of the target's memory
// where that has gaps, and data. The target hands it to the handler of its kind.
//
// # Carriers
//
//	ring     one for each pair of ranks of a node, in the window's allocation (fast.Packet). A rank that
//	         waits inside MPI carries out the messages in its rings. When it does not come, the origin takes
//	         its message back and does the same by single copy
//	packets  to far ranks, those of other nodes and jobs (p2p.ActiveMessages). The target carries them out
//	         as they arrive, under the engine's lock
//
// Window.Do sends an operation by the carrier of its target, in as many messages as it takes. The messages of
// a pair of ranks are carried out in the order in which they were posted, whatever carries them. What they
// say is the same: a handler reads a Message, and need not know how that has come.
//
// # Completion
//
// Puts and accumulates end when they are posted. Settle waits until the target has carried them out: it looks
// at the packets of the ring, or asks the far rank to answer when everything that came before is done.
// Programs flush in a rhythm, so the operation that was the last one before the last flush of its target asks
// with its own packet what a flush would. Messages that bring something back are answered, and Do waits for
// that.
//
// # Far ranks
//
// The counters that far ranks tell (Tell) stand where those of near ones are read: instead of a far rank's
// block there is a small one of this process's own. So fences, exposures and locks are waited for in the same
// way, whoever it is. A packet whose handler has to wait is queued with everything behind it of the same
// origin.
package am
