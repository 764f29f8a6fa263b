package mpi

import (
	"gompi/runtime/check"
	"gompi/runtime/request"
	"gompi/runtime/tool"
)

// GOMPI_CHECK=buffers: pages of receive buffers that the program must not use until the message has come.
// From the moment at which a receive waits until it has found its message, they can be neither read nor
// written.

// Guards takes memory away from the program for a while.
type Guards interface {
	// Guard takes the pages [lo, hi). The result is the number of the guard, negative when there are too
	// many. Whoever uses the memory gets it back, and the program's use is noted.
	Guard(lo, hi uintptr) int
	// Unguard gives the memory back, and tells how the program has used it, and by which instruction.
	Unguard(guard int) (how Usage, at uintptr)
	// GuardsHit counts the guards whose memory the program has used.
	GuardsHit() uint32
}

// Usage is how the program has used guarded memory.
type Usage int

// The ways, with the values of capi/guard.h.
const (
	Unused  Usage = iota
	Used          // read or written: the processor does not tell
	Read          //
	Written       //
)

var usages = map[Usage]string{Used: "used", Read: "read", Written: "written"}

// guarded is the memory of a receive that waits.
type guarded struct {
	guard int
	name  string // of the parameter
	use   *check.Use
}

// guard guards the buffer of a receive if it waits for its message.
func (k *checks) guard(handle uintptr, t *tracked) {
	r := lookupRequest(handle)
	if r == nil || !t.receives || t.parts != nil || t.running == nil || !k.kinds.Has(tool.CheckBuffers) {
		return
	}
	engine().WhilePosted(r, func() {
		for i := range t.running.Uses {
			u := &t.running.Uses[i]
			lo, hi, ok := u.Pages()
			if !u.Writes || !ok {
				continue
			}
			if g := host.Guard(lo, hi); g >= 0 {
				k.mu.Lock()
				k.guards[t.running] = guarded{g, u.Name, u}
				k.mu.Unlock()
				return
			}
		}
	})
}

// unguard gives the program the buffer of a receive, and tells of its use until now.
func (k *checks) unguard(o *check.Operation) {
	k.mu.Lock()
	g, ok := k.guards[o]
	delete(k.guards, o)
	k.mu.Unlock()
	if !ok {
		return
	}
	how, at := host.Unguard(g.guard)
	if how == Unused {
		return
	}
	g.use.Unseal() // one line is enough
	k.Report(tool.CheckBuffers.Name(), check.Place{Function: "the program", PC: at + 1}, o.Place,
		"%[2]s of %[1]s (%[3]s) was %[4]s before the message came", g.name, o.Text, usages[how])
}

// unguardHit tells of all guarded buffers that the program has used meanwhile, each once.
func (k *checks) unguardHit() {
	hits := host.GuardsHit()
	if k.hits.Swap(hits) == hits {
		return
	}
	var all []*check.Operation
	k.mu.Lock()
	for o := range k.guards {
		all = append(all, o)
	}
	k.mu.Unlock()
	for _, o := range all {
		k.unguard(o)
	}
}

// release ends an operation: its memory is the program's again.
func (k *checks) release(o *check.Operation) {
	k.unguard(o)
	k.buffers.End(o)
}

// begun follows a call that has started the operation of a request.
func begun(r *request.Request) {
	k := checking.Load()
	if k == nil {
		return
	}
	h := requestHandle(r)
	if t := k.tracked(h); t != nil {
		k.guard(h, t)
	}
}
