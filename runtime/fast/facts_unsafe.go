//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// numbersAt is the numbers at an address.
//
//fast:c ((int32_t *)(%0))
func numbersAt(addr uintptr) *int32 { return (*int32)(at(addr)) }

// SetFacts writes the facts: the thread level, the kernel's number of the main thread, the name of the
// processor, and the texts of the predefined error classes below MostClasses. An error is a *shm.NoMemory.
func (o *Objects) SetFacts(level int32, main uintptr, name string, texts map[int32]string) error {
	f := &o.Facts
	f.Level, f.Main = level, main
	f.NameLength = uint32(copy(f.Name[:nameRoom-1], name))
	return o.setTexts(texts)
}

// setTexts writes the texts behind a row of their distances from its begin by class, each between its length
// and a zero.
func (o *Objects) setTexts(texts map[int32]string) error {
	const row, number = MostClasses * 4, 4
	size := row
	for _, text := range texts {
		size += number + len(text) + 1 + number // with a gap for the alignment of the next one
	}
	base, err := o.arena.get(uintptr(size))
	if err != nil {
		return err
	}
	next := row
	for class, text := range texts {
		at := base + uintptr(next)
		*shm.Word32(at) = uint32(len(text))
		copy(shm.Bytes(at+number, int64(len(text))), text)
		*shm.Word32(base + uintptr(class)*unsafe.Sizeof(class)) = uint32(next + number)
		next += (number + len(text) + 1 + number - 1) &^ (number - 1)
	}
	o.Facts.Texts = base
	return nil
}

// SetClass notes the class of a code that the program has added; 0 for one that it has removed. Without
// memory there is none, and package mpi deals with the code.
func (c *Codes) SetClass(code, class int32) {
	i := codeIndex(code)
	if i <= objectMask && grow(&c.Classes, i) == nil {
		atomic.StoreInt32(intAt(c.Classes[i>>ChunkBits], int32(i&chunkMask)), class)
	}
}

// Tell leaves the text of an error class to package mpi, which knows more of it from now on.
func (o *Objects) Tell(class int32) {
	if off := o.text(class); off > 0 {
		atomic.StoreInt32(intAt(numbersAt(o.Facts.Texts), class), -off)
	}
}
