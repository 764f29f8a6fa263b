package datatype

// A step is one instruction of the program into which a type map is compiled: a loop of count turns whose
// addresses are stride bytes apart. A turn of a leaf, a step without body, moves one run of size bytes; a turn of
// any other step carries out the steps of its body. As every step knows how many bytes of the stream a turn
// takes (size) and how many the steps before it take (ahead), any byte of the stream is found without going
// through those before it, in time proportional to the depth of the program.
//
// The elements of a buffer are the outermost loop, which is made for each buffer (Buffer.loop). Every step has
// count > 0 and size > 0: what has no data is left out of a program.
type step struct {
	off    int64  // displacement of the first turn from the address of the enclosing turn
	ahead  int64  // bytes of the stream that the enclosing turn takes before this step
	count  int64  // turns
	stride int64  // bytes of memory from one turn to the next
	size   int64  // bytes of the stream in one turn
	body   []step // what a turn does, in the order of the stream; nil in a leaf
}

// direction says which way the bytes go.
type direction bool

const (
	pack   direction = true  // from memory to the stream
	unpack direction = false // from the stream to memory
)

// loop is the whole program of the buffer: its elements, one after the other. A body of a single run is merged
// into it, so that types such as MPI_DOUBLE_INT are one strided loop.
func (b *Buffer) loop() step {
	t := b.Type
	s := step{count: b.Count, stride: t.extent, size: t.size, body: t.body}
	if t.dense {
		s.body = nil
	} else if len(t.body) == 1 && t.body[0].count == 1 && t.body[0].body == nil {
		s.off, s.body = t.body[0].off, nil
	}
	return s
}

// transfer moves the bytes [at, at+len(stream)) of the step's own stream, or as many of them as there are, between
// stream and the memory of the step, whose enclosing turn is at base. It returns how many there were.
func (s *step) transfer(base uintptr, at int64, stream []byte, dir direction) int {
	turn, within := at/s.size, at%s.size
	addr := base + uintptr(s.off+turn*s.stride)
	done := 0
	for ; turn < s.count && done < len(stream); turn++ {
		if s.body == nil {
			n := int(min(s.size-within, int64(len(stream)-done)))
			move(addr+uintptr(within), stream[done:done+n], dir)
			done += n
		} else {
			done += s.turn(addr, within, stream[done:], dir)
		}
		addr += uintptr(s.stride)
		within = 0
	}
	return done
}

// turn carries out one turn of a step with a body, from byte at of the turn's stream on.
func (s *step) turn(addr uintptr, at int64, stream []byte, dir direction) int {
	done := 0
	for i := s.child(at); i < len(s.body) && done < len(stream); i++ {
		c := &s.body[i]
		done += c.transfer(addr, max(at-c.ahead, 0), stream[done:], dir)
	}
	return done
}

// child is the index of the step of the body to which byte at of a turn's stream belongs.
func (s *step) child(at int64) int {
	lo, hi := 0, len(s.body) // the answer lies in [lo, hi)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) / 2)
		if s.body[mid].ahead <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// move copies one run of memory to the stream or back.
func move(addr uintptr, stream []byte, dir direction) {
	if dir == pack {
		copy(stream, memory(addr, len(stream)))
	} else {
		copy(memory(addr, len(stream)), stream)
	}
}
