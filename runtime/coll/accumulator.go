package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// accumulator is the value that a rank has combined so far. It begins as the rank's own contribution, which
// may be memory that must not be written; results go to two buffers in turn, so that neither operand need be
// copied.
type accumulator struct {
	o       *op.Op
	value   datatype.Buffer
	results [2]datatype.Buffer // where results can go
	have    [2]bool            // which of them there are already
	at      int                // the index of value, -1 while it is the contribution itself
}

// accumulate begins with the contribution send; result, if there is one, is used as one of them and is where
// the outcome goes in the end. In place, the contribution stands in result.
func accumulate(o *op.Op, send datatype.Buffer, result *datatype.Buffer) accumulator {
	a := accumulator{o: o, value: send, at: -1}
	if result != nil {
		a.results[0], a.have[0] = *result, true
		if send.InPlace() {
			a.value, a.at = *result, 0
		}
	}
	return a
}

func (a *accumulator) ensure(t *Team, i int) {
	if !a.have[i] {
		a.results[i], a.have[i] = t.like(a.value), true
	}
}

// room is where another rank's value can be received.
func (a *accumulator) room(t *Team) datatype.Buffer {
	i := 0
	if a.at == 0 {
		i = 1
	}
	a.ensure(t, i)
	return a.results[i]
}

// combine takes in the value received in room, which comes from ranks above or below those combined so far.
func (a *accumulator) combine(t *Team, above bool) {
	theirs := 0
	if a.at == 0 {
		theirs = 1
	}
	in := a.results[theirs]
	if above {
		t.apply(a.o, a.value, in)
		a.value, a.at = in, theirs
		return
	}
	a.own(t, 1-theirs)
	t.apply(a.o, in, a.value)
}

// own makes sure that value may be written, by copying it to results[i] if it is the contribution itself.
func (a *accumulator) own(t *Team, i int) {
	if a.at >= 0 {
		return
	}
	a.ensure(t, i)
	t.copy(a.results[i], a.value)
	a.value, a.at = a.results[i], i
}

// settle puts the outcome into the result that accumulate was given.
func (a *accumulator) settle(t *Team) {
	if a.at != 0 {
		t.copy(a.results[0], a.value)
		a.value, a.at = a.results[0], 0
	}
}
