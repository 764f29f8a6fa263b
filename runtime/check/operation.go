package check

import (
	"hash/maphash"
	"slices"
)

// Use is what an operation does with the memory that one parameter names.
type Use struct {
	Name   string // of the parameter
	Writes bool
	Sealed bool // its content must not change until the operation has it
	Memory

	sum    uint64
	summed bool
	stands []*interval // while the operation is under way
}

// Operation is one that uses memory of the program.
type Operation struct {
	Place Place
	Text  string // its arguments
	Uses  []Use

	active bool
	seed   maphash.Seed
}

// Restarted is the operation once more, which another call starts.
func (o *Operation) Restarted(at Place) *Operation {
	return &Operation{Place: at, Text: o.Text, Uses: slices.Clone(o.Uses)}
}

// Unseal has the content of a use no longer compared.
func (u *Use) Unseal() { u.summed = false }

// seal notes the content of what must not change.
func (o *Operation) seal() {
	o.seed = maphash.MakeSeed()
	for i := range o.Uses {
		if u := &o.Uses[i]; u.Sealed {
			u.sum, u.summed = u.Memory.sum(o.seed)
		}
	}
}

// SealWritten notes the content of what the operation has written.
func (o *Operation) SealWritten() {
	for i := range o.Uses {
		if u := &o.Uses[i]; u.Writes {
			u.sum, u.summed = u.Memory.sum(o.seed)
		}
	}
}

// Changed is the first use, of those that write or those that read, whose content is no longer what it was
// when the operation began; nil when there is none.
func (o *Operation) Changed(writes bool) *Use {
	for i := range o.Uses {
		u := &o.Uses[i]
		if u.Writes != writes || !u.summed {
			continue
		}
		if now, ok := u.Memory.sum(o.seed); ok && now != u.sum {
			return u
		}
	}
	return nil
}
