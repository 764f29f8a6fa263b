package datatype

// Pack copies the bytes [at, at+len(dst)) of the buffer's data, gaps left out, to dst and returns how many
// there were: fewer than len(dst) only where the data ends. Any at >= 0 is allowed, in the middle of an
// element too. dst must not overlap the buffer.
func (b Buffer) Pack(at int64, dst []byte) int {
	return b.transfer(at, dst, pack)
}

// Unpack copies src to the bytes [at, at+len(src)) of the buffer's data, gaps left out and untouched, and
// returns how many there was room for: fewer than len(src) only where the data ends. Any at >= 0 is allowed,
// in the middle of an element too. src must not overlap the buffer.
func (b Buffer) Unpack(at int64, src []byte) int {
	return b.transfer(at, src, unpack)
}

func (b Buffer) transfer(at int64, stream []byte, dir direction) int {
	left := b.Bytes() - at
	if left <= 0 || len(stream) == 0 {
		return 0
	}
	if int64(len(stream)) > left {
		stream = stream[:left]
	}
	if b.Contiguous() {
		move(b.Start()+uintptr(at), stream, dir)
		return len(stream)
	}
	s := b.loop()
	return s.transfer(b.Addr, at, stream, dir)
}

// bounce is the room, in bytes, through which Copy takes data from one layout with gaps to another.
const bounce = 2048

// Copy copies the data of src to dst, whatever their types, and returns how many bytes that was: the lesser
// of what both hold. The buffers must not overlap, except that both may be the same dense memory.
func Copy(dst, src Buffer) int64 {
	n := min(dst.Bytes(), src.Bytes())
	switch {
	case n <= 0:
		return 0
	case src.Contiguous():
		dst.Unpack(0, memory(src.Start(), int(n)))
	case dst.Contiguous():
		src.Pack(0, memory(dst.Start(), int(n)))
	default:
		var room [bounce]byte
		for at := int64(0); at < n; {
			k := src.Pack(at, room[:min(n-at, bounce)])
			dst.Unpack(at, room[:k])
			at += int64(k)
		}
	}
	return n
}
