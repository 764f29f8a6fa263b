package p2p

import (
	"gompi/shm"
	"gompi/wire/state"
)

// Gauges is where this engine counts what the launcher shows of a rank that runs, by the indices of package
// state. The words live as long as the engine.
func (e *Engine) Gauges() []uintptr {
	p := e.endpoint
	at := [state.NumberOfGauges]*uint64{
		state.Operations:    &p.Acts,
		state.FastMessages:  &p.Sent,
		state.FastBytes:     &p.SentBytes,
		state.EagerMessages: &e.count.EagerSent,
		state.EagerBytes:    &e.count.EagerBytes,
		state.LongMessages:  &e.count.RendezvousSent,
		state.LongBytes:     &e.count.RendezvousBytes,
		state.FastWaited:    &p.Waited,
		state.Waited:        &e.count.WaitedNanoseconds,
		state.FastSleeps:    &p.Sleeps,
		state.Sleeps:        &e.count.Sleeps,
	}
	words := make([]uintptr, len(at))
	for i, w := range at {
		words[i] = shm.AddressOf(w)
	}
	return words
}
