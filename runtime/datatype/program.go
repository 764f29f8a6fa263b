package datatype

import "gompi/shm"

// A step is one instruction of the program into which a type map is compiled: a loop of count turns whose
// addresses are stride bytes apart, or at the displacements that offs lists. A turn of a leaf, a step without
// body, moves one run of size bytes; a turn of any other step carries out the steps of its body. As every
// step knows how many bytes of the stream a turn takes (size) and how many the steps before it take (ahead),
// any byte of the stream is found without going through those before it, in time proportional to the depth of
// the program.
//
// A leaf of runs of different sizes has one turn and a list of them.
//
// The elements of a buffer are the outermost loop, which is made for each buffer (Buffer.loop). Every step
// has count > 0 and size > 0: what has no data is left out of a program.
type step struct {
	off    int64       // displacement of the first turn from the address of the enclosing turn
	ahead  int64       // bytes of the stream that the enclosing turn takes before this step
	count  int64       // turns
	stride int64       // bytes of memory from one turn to the next; 0 for one turn
	size   int64       // bytes of the stream in one turn
	body   []step      // what a turn does, in the order of the stream; nil in a leaf
	list   []listedRun // runs of different sizes; nil where they are equal
	offs   []int64     // displacements of the turns from off, where they follow no stride; nil where they do
}

// listedRun is a run in a list.
type listedRun struct {
	off int64 // displacement from that of the step
	end int64 // bytes of the stream up to the run's end, from the step's first on
}

// direction says which way the bytes go.
type direction bool

const (
	pack   direction = true  // from memory to the stream
	unpack direction = false // from the stream to memory
)

// loop is the whole program of the buffer: its elements, one after the other. A body of a single loop is
// merged with it where that can be done without memory of its own, so that types such as MPI_DOUBLE_INT are
// one strided loop.
func (b *Buffer) loop() step {
	t := b.Type
	s := step{count: b.Count, stride: t.extent, size: t.size, body: t.body}
	if len(t.body) != 1 {
		return s
	}
	u := t.body[0]
	switch {
	case b.Count == 1:
		return u
	case u.isRun():
		s.off, s.body = u.off, nil
	case u.offs == nil && u.list == nil && t.extent == u.count*u.stride:
		s = u
		s.count *= b.Count
	}
	return s
}

// displacement is that of a turn from the address of the enclosing turn.
func (s *step) displacement(turn int64) int64 {
	if s.offs != nil {
		return s.off + s.offs[turn]
	}
	return s.off + turn*s.stride
}

// transfer moves the bytes [at, at+len(stream)) of the step's own stream, or as many of them as there are,
// between stream and the memory of the step, whose enclosing turn is at base. It returns how many there were.
func (s *step) transfer(base uintptr, at int64, stream []byte, dir direction) int {
	var turn, within int64
	if at > 0 {
		turn, within = at/s.size, at%s.size
	}
	if s.list != nil {
		if turn > 0 {
			return 0
		}
		return s.listed(base+uintptr(s.off), within, stream, dir)
	}
	if s.body == nil {
		return s.runs(base, turn, within, stream, dir)
	}
	done := 0
	if within > 0 && turn < s.count {
		done = s.turn(base+uintptr(s.displacement(turn)), within, stream, dir)
		turn++
	}
	if n := min(s.count-turn, int64(len(stream)-done)/s.size); n > 0 &&
		s.wholeTurns(base, turn, n, stream[done:], dir) {
		turn, done = turn+n, done+int(n*s.size)
	}
	for ; turn < s.count && done < len(stream); turn++ {
		done += s.turn(base+uintptr(s.displacement(turn)), 0, stream[done:], dir)
	}
	return done
}

// wholeTurns moves n whole turns together where there is a way for that, and false is returned where there is
// none.
func (s *step) wholeTurns(base uintptr, turn, n int64, stream []byte, dir direction) bool {
	switch {
	case s.flat():
		s.flatTurns(base, turn, n, stream[:n*s.size], dir)
		return true
	case s.grid():
		return gridTurns(base+uintptr(s.displacement(turn)+s.body[0].off), s, n, stream[:n*s.size], dir)
	}
	return false
}

// turn carries out one turn of a step with a body, from byte at of the turn's stream on.
func (s *step) turn(addr uintptr, at int64, stream []byte, dir direction) int {
	i, done := 0, 0
	if at > 0 {
		i = s.child(at)
	}
	for ; i < len(s.body) && done < len(stream); i++ {
		c := &s.body[i]
		if at <= c.ahead && c.isRun() && c.size <= int64(len(stream)-done) {
			moveRun(addr+uintptr(c.off), stream[done:done+int(c.size)], dir)
			done += int(c.size)
			continue
		}
		done += c.transfer(addr, max(at-c.ahead, 0), stream[done:], dir)
	}
	return done
}

// runs is transfer for a leaf: the rest of a run, whole runs, and the begin of one.
func (s *step) runs(base uintptr, turn, within int64, stream []byte, dir direction) int {
	done := int64(0)
	left := int64(len(stream))
	if within > 0 && turn < s.count {
		done = min(s.size-within, left)
		move(base+uintptr(s.displacement(turn)+within), stream[:done], dir)
		turn++
	}
	whole := s.count - turn
	if whole*s.size > left-done {
		whole = (left - done) / s.size
	}
	if whole > 0 {
		n := whole * s.size
		moveRuns(base+uintptr(s.off), s, turn, whole, stream[done:done+n], dir)
		done, turn = done+n, turn+whole
	}
	if turn < s.count && done < left {
		move(base+uintptr(s.displacement(turn)), stream[done:], dir)
		done = left
	}
	return int(done)
}

// flat reports whether the step is a loop over runs at equal distances, such as an array of structs.
func (s *step) flat() bool {
	if s.offs != nil || s.count < 4 || len(s.body) > 16 {
		return false
	}
	for i := range s.body {
		if !s.body[i].isRun() {
			return false
		}
	}
	return true
}

// grid reports whether the step is a loop over loops of runs, all at equal distances, such as a face of a
// cube.
func (s *step) grid() bool {
	if s.offs != nil || len(s.body) != 1 {
		return false
	}
	c := &s.body[0]
	return c.body == nil && c.list == nil && c.offs == nil
}

// flatBatch is how many turns of a flat loop are taken at a time, so that their memory stays near.
const flatBatch = 256

// flatTurns moves whole turns of a flat loop: for some turns at a time, one run of all, then the next.
func (s *step) flatTurns(base uintptr, turn, n int64, stream []byte, dir direction) {
	for n > 0 {
		k := min(n, flatBatch)
		for i := range s.body {
			c := &s.body[i]
			column := base + uintptr(s.displacement(turn)+c.off)
			moveColumn(column, s.stride, stream[c.ahead:], s.size, c.size, k, dir)
		}
		stream = stream[k*s.size:]
		turn, n = turn+k, n-k
	}
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
	to, from := shm.Address(stream), addr
	if dir == unpack {
		to, from = from, to
	}
	shm.Copy(to, from, int64(len(stream)))
}
