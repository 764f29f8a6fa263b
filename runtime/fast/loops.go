//fast:go

package fast

import "gompi/shm"

// How the data of datatypes is moved where no C stub runs. The stubs have functions of the same names
// (capi/pack.c).

// packElements copies size bytes of data, whole elements of a datatype, from memory to a stream.
//
//fast:extern
func packElements(t *Type, memory uintptr, size uint32, stream uintptr) {
	t.elements(memory, size, stream, func(memory, stream uintptr, n int64) {
		shm.Copy(stream, memory, n)
	})
}

// unpackElements is the other way round.
//
//fast:extern
func unpackElements(t *Type, memory uintptr, size uint32, stream uintptr) {
	t.elements(memory, size, stream, func(memory, stream uintptr, n int64) {
		shm.Copy(memory, stream, n)
	})
}

// tryElements moves size bytes of whole elements from one buffer to another, each by a record if its data has
// gaps, and by way of scratch where both have. It reports false where one of the two is no memory. Some bytes
// may have been moved then.
//
//fast:extern
func tryElements(to uintptr, unpacked *Type, from uintptr, packed *Type, size uint32, scratch uintptr) bool {
	return tried(func() {
		if packed != nil && unpacked != nil {
			packElements(packed, from, size, scratch)
			from = scratch
		} else if packed != nil {
			packElements(packed, from, size, to)
			return
		}
		unpackElements(unpacked, to, size, from)
	})
}

// elements calls f for each run of the data of the elements that size bytes are.
func (t *Type) elements(memory uintptr, size uint32, stream uintptr,
	f func(memory, stream uintptr, n int64)) {
	for n := int64(size) / t.Size; n > 0; n-- {
		stream = loopsAt(t.All, t.Loops).runs(memory, stream, f)
		memory += uintptr(t.Extent)
	}
}

// body is loops in a row, each ahead of its own body.
type body []Loop

func (b body) runs(memory, stream uintptr, f func(memory, stream uintptr, n int64)) uintptr {
	for i := 0; i < len(b); i += 1 + int(b[i].Inner) {
		l := b[i]
		at := memory + uintptr(l.Off)
		for range l.Count {
			if l.Inner != 0 {
				stream = b[i+1:i+1+int(l.Inner)].runs(at, stream, f)
			} else {
				f(at, stream, l.Size)
				stream += uintptr(l.Size)
			}
			at += uintptr(l.Stride)
		}
	}
	return stream
}
