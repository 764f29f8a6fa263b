package datatype

import "sync"

// The data representation external32 (MPI 5.0, 14.5.2): big-endian, IEEE, with sizes of its own.

// encoding is how one basic element looks in external32: items of native bytes each become items of external
// bytes.
type encoding struct {
	items, native, external int64
	signed                  bool // a shorter integer is widened by its sign
	extended                bool // x87 extended precision becomes binary128
}

func (e encoding) nativeBytes() int64   { return e.items * e.native }
func (e encoding) externalBytes() int64 { return e.items * e.external }

const (
	longHandle         = 0x20a
	unsignedLongHandle = 0x20e
	wcharHandle        = 0x23c
)

// encodings is how an element of a predefined type looks in external32; a pair is two basic elements. A long
// has four bytes there, and a wide character two; what does not fit is cut.
func (t *Type) encodings() []encoding {
	switch t.handle {
	case longHandle:
		return []encoding{{1, 8, 4, true, false}}
	case unsignedLongHandle:
		return []encoding{{1, 8, 4, false, false}}
	case wcharHandle:
		return []encoding{{1, 4, 2, false, false}}
	}
	switch t.basic {
	case Complex32, Complex64, Complex128, Complex256, Float32Pair, Float64Pair:
		return []encoding{plain(2, t.size/2)}
	case Complex160:
		return []encoding{{2, 16, 16, false, true}}
	case Float80:
		return []encoding{{1, 16, 16, false, true}}
	case Float80Int:
		return []encoding{{1, 16, 16, false, true}, plain(1, 4)}
	case Int64Int:
		return []encoding{{1, 8, 4, true, false}, plain(1, 4)} // MPI_LONG_INT
	case Int16Int, Int32Int, Float32Int, Float64Int, Float128Int:
		return []encoding{plain(1, t.first()), plain(1, 4)}
	}
	return []encoding{plain(1, t.size)}
}

func plain(items, size int64) encoding { return encoding{items, size, size, false, false} }

// Reversed is the number of bytes of each number in the data of t where these are all alike, and external32
// does no more than reverse each of them; 0 for all other types.
func (t *Type) Reversed() int64 {
	if t.size == 0 {
		return 0
	}
	if t.parts != nil {
		n := t.parts[0].t.Reversed()
		for _, p := range t.parts[1:] {
			if p.t.Reversed() != n {
				return 0
			}
		}
		return n
	}
	return int64(reversed()[t.handle%256])
}

// reversed is Reversed of the predefined types, by the low byte of their handles.
var reversed = sync.OnceValue(func() (all [256]uint8) {
	for h := range all {
		if t := ByHandle(uint32(0x200 + h)); t != nil && t.size > 0 {
			all[h] = t.unit()
		}
	}
	return all
})

// unit is the number of bytes of each number of a predefined type, as Reversed has it.
func (t *Type) unit() (n uint8) {
	for _, e := range t.encodings() {
		if e.extended || e.native != e.external || n != 0 && int64(n) != e.native {
			return 0
		}
		n = uint8(e.native)
	}
	return n
}

// externalSize is the size of one element in external32.
func (t *Type) externalSize() int64 {
	n := int64(0)
	if t.parts == nil {
		if t.size > 0 {
			for _, e := range t.encodings() {
				n += e.externalBytes()
			}
		}
		return n
	}
	for _, p := range t.parts {
		n += p.n * p.t.externalSize()
	}
	return n
}

// ExternalBytes is the size of the buffer's data in external32, in bytes (MPI_Pack_external_size).
func (b Buffer) ExternalBytes() int64 { return b.Count * b.Type.externalSize() }

// PackExternal writes the data in external32 (MPI_Pack_external). to has room for ExternalBytes() bytes.
func (b Buffer) PackExternal(to []byte) {
	var room [bounce]byte
	at := int64(0)
	b.encode(func(e encoding, n int64) {
		for n > 0 {
			k := min(n, bounce/e.nativeBytes())
			native := room[:k*e.nativeBytes()]
			b.Pack(at, native)
			at += int64(len(native))
			for i := range k * e.items {
				e.write(to[i*e.external:][:e.external], native[i*e.native:][:e.native])
			}
			to = to[k*e.externalBytes():]
			n -= k
		}
	})
}

// UnpackExternal reads the data from external32 (MPI_Unpack_external). Where from holds fewer than
// ExternalBytes() bytes, it reads the basic elements that are whole.
func (b Buffer) UnpackExternal(from []byte) {
	var room [bounce]byte
	at := int64(0)
	b.encode(func(e encoding, n int64) {
		whole := int64(len(from)) / e.externalBytes()
		short := n > whole
		n = min(n, whole)
		for n > 0 {
			k := min(n, bounce/e.nativeBytes())
			native := room[:k*e.nativeBytes()]
			for i := range k * e.items {
				e.read(native[i*e.native:][:e.native], from[i*e.external:][:e.external])
			}
			b.Unpack(at, native)
			at += int64(len(native))
			from = from[k*e.externalBytes():]
			n -= k
		}
		if short {
			from = nil
		}
	})
}

// encode calls f for the encodings of the basic elements in their order, as many in a row as possible.
func (b Buffer) encode(f func(e encoding, n int64)) {
	b.Type.each(b.Count, func(basic *Type, n int64) {
		all := basic.encodings()
		if len(all) == 1 {
			f(all[0], n)
			return
		}
		for range n {
			for _, e := range all {
				f(e, 1)
			}
		}
	})
}

// write turns one item from the machine's representation, little-endian on all that gompi runs on, into
// external32.
func (e encoding) write(to, from []byte) {
	if e.extended {
		var quad [16]byte
		extendedToQuad(&quad, from)
		from = quad[:]
	}
	for i := range to {
		to[i] = from[len(to)-1-i]
	}
}

// read is the reverse of write.
func (e encoding) read(to, from []byte) {
	if e.extended {
		var quad [16]byte
		for i := range quad {
			quad[i] = from[15-i]
		}
		quadToExtended(to, &quad)
		return
	}
	fill := byte(0)
	if e.signed && from[0]&0x80 != 0 {
		fill = 0xff
	}
	for i := range to {
		if i < len(from) {
			to[i] = from[len(from)-1-i]
		} else {
			to[i] = fill
		}
	}
}
