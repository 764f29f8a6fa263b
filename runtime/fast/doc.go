// Package fast is the engine of what is small and frequent: eager messages, requests, matching, waiting,
// collectives of little data and one-sided communication, on the memory that the ranks of a node share.
//
// It exists once and runs twice. Go code calls it directly; the C stubs of the library run its translation
// to C (capi/zz_fast.h, by internal/fastgen), because a call from C into Go takes longer than most of these
// operations. So the package is written in a restricted Go: integers, structs outside Go's heap, pointers
// to them, loops. fastgen refuses everything else.
//
// A function that carries out an MPI call returns a Reason. Done means that the whole call has been carried
// out. With every other reason the caller goes on in package p2p, which finds the state as if the function
// had not been called, unless the function says otherwise. Errors are found by package p2p as well: what is
// not plainly right is not Done here.
package fast

// Reason says how a call ended.
type Reason int32

// The reasons.
const (
	Done        Reason = iota // the call has been carried out
	NotPlain                  // the arguments are not of the kind that this package deals with
	NoRoom                    // the ring to the receiver is full, or there is no free request
	Waiting                   // the wait takes long, and package p2p has to go on with it
	NeedsEngine               // something has come, or is under way, that package p2p has to deal with
	SentOnly                  // of a send and a receive, the send has been carried out
	OtherNodes                // package p2p is to look at what other nodes have sent; see far.go
	Reasons     = iota
)

// MPI's constants (MPI 5.0, A.1.1 and the ABI, 20.3).
const (
	AnySource   int32   = -1
	ProcNull    int32   = -3
	AnyTag      int32   = -2
	Undefined   int32   = -32766
	NullRequest uintptr = 0x180
	FirstType   uintptr = 0x200 // handle of the first predefined datatype
	TagUB       int32   = 1<<30 - 1
)
