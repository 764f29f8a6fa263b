package tool

import (
	"fmt"
	"strings"
)

// Reason says how the fast path answered a call.
type Reason uint8

// The reasons, with the values of package fast.
const (
	CarriedOut  Reason = iota // which is not counted
	NotPlain                  // arguments that it does not deal with
	NoRoom                    // a full ring, or no free request
	Waiting                   // a wait that takes long
	NeedsEngine               // something else is to be done first
	SentOnly                  // the receive of a send and receive waits
	OtherNodes                // other nodes are to be looked at first
	Reasons                   // how many there are
)

// reasons tells of each its name and what it is, as the ending of a sentence.
var reasons = [Reasons]struct{ name, help string }{
	NotPlain: {"not_plain", "because of their arguments (a large message, a derived datatype, a rank of another " +
		"node, a request of another kind), because it is closed, or because another thread is in it"},
	NoRoom:  {"no_room", "because the ring to the receiver was full or no request was free"},
	Waiting: {"waiting", "because they had to wait for long"},
	NeedsEngine: {"needs_engine", "because something else had to be done, such as to connect a peer, to receive a " +
		"large message or, now and then, to look for failures"},
	SentOnly: {"sent_only", "but for their send: the message to be received had not come"},
	OtherNodes: {"other_nodes", "because what ranks of other nodes or jobs have sent was to be looked at first, " +
		"which happens from time to time where there are such ranks"},
}

// Refusals are how many calls the fast path has not carried out, by reason.
type Refusals [Reasons]uint64

// refusals lists the performance variables of the fast path.
func refusals() []Performance {
	const calls = "calls that the fast path has not carried out"
	list := []Performance{{"fast_path_refusals", calls, "fast_path", NoObject, Counter, Unsigned,
		func(c *Counters) uint64 { return sum(c.Refused[:]) }}}
	for r := NotPlain; r < Reasons; r++ {
		list = append(list, Performance{"fast_path_refusals_" + reasons[r].name, calls + " " + reasons[r].help,
			"fast_path", NoObject, Counter, Unsigned, func(c *Counters) uint64 { return c.Refused[r] }})
	}
	return list
}

// Report describes the refusals, a line for each reason that there was. Every line begins with prefix.
func (r *Refusals) Report(prefix string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%scalls that the fast path has not carried out: %d (GOMPI_TRACE=path)\n", prefix, sum(r[:]))
	for reason, n := range r {
		if n > 0 {
			fmt.Fprintf(&b, "%s  %d %s: %s\n", prefix, n, reasons[reason].name, reasons[reason].help)
		}
	}
	return b.String()
}
