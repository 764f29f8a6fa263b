package shm

import "sync/atomic"

// Errands are what the ranks of a window ask each other for in memory that only its owner has mapped. Each rank has a ring
// of errands for each other one in the window's extent. It writes one, and whoever comes first carries it out: the target,
// which looks for errands whenever it waits inside MPI, or the rank itself by other means, when the target does not come.
// The errands of a ring are carried out in the order of their numbers.
//
//	done, of an older number    the origin may write the errand
//	posted                      by the origin; may be taken. Pairs with Take
//	taken                       by one of the two, which carries it out
//	done or failed              by who has taken it; the origin may read what came of it. Pairs with Phase
//
// The phase and the number are one word, so nobody takes an errand for another one of the same place in the ring. A rank
// looks at an errand only when it has seen the one before done: so the order is kept whoever carries them out.
const (
	ErrandDone = iota
	ErrandPosted
	ErrandTaken
	ErrandFailed // the target has refused it, or could not touch the memory
)

// What an errand is for, in Errand.Kind.
const (
	ErrandPut        = iota // the data to the target's memory
	ErrandGet               // the target's memory to the data
	ErrandAccumulate        // the data combined with the target's memory
	ErrandFetch             // the same, and what was there before to the data
	ErrandSwap              // Small[0:2] to the target's memory if that equals Small[2:4], and what was there before to Small[0:2]
)

// Sizes of the ring of errands of a pair of ranks.
const (
	Errands      = 16      // places
	ErrandRoom   = 8 << 10 // bytes of data of one errand
	ErrandSmall  = 32      // bytes of data that stand in the errand itself
	ErrandStride = CacheLine + ErrandRoom + CacheLine
	ErrandsSize  = Errands * ErrandStride
)

// Errand is one errand, in shared memory, one cache line. Larger data follows behind it.
type Errand struct {
	State uint32 // number << 2 | phase
	Kind  uint32
	Addr  uint64 // in the target's own address space
	Bytes uint32
	Type  uint32 // of the elements of accumulates: handle of a predefined datatype without gaps
	Op    uint32 // of accumulates: handle
	_     uint32
	Small [4]uint64
}

// Order is what an errand asks for, as it was when it was looked at.
type Order struct {
	Kind, Bytes, Type, Op uint32
	Addr                  uint64
}

// Order reads each word of an errand once. Whoever carries it out goes by that, whatever is written to the
// errand meanwhile.
func (e *Errand) Order() Order {
	return Order{
		Kind: atomic.LoadUint32(&e.Kind), Bytes: atomic.LoadUint32(&e.Bytes), Addr: atomic.LoadUint64(&e.Addr),
		Type: atomic.LoadUint32(&e.Type), Op: atomic.LoadUint32(&e.Op),
	}
}

// Post gives an errand to whoever comes first, when everything else of it is written.
func (e *Errand) Post(number uint32) { StoreRel32(&e.State, number<<2|ErrandPosted) }

// Phase is how far the errand of that number is; ok is false when another one stands here.
func (e *Errand) Phase(number uint32) (phase uint32, ok bool) {
	s := atomic.LoadUint32(&e.State)
	return s & 3, (s^number<<2)&^3 == 0
}

// Overtaken tells whether the errand of that number is long done: a later one stands in its place.
func (e *Errand) Overtaken(number uint32) bool {
	return int32(atomic.LoadUint32(&e.State)&^3-number<<2) > 0
}

// Take takes a posted errand; false when somebody else was first.
func (e *Errand) Take(number uint32) bool {
	return atomic.CompareAndSwapUint32(&e.State, number<<2|ErrandPosted, number<<2|ErrandTaken)
}

// End says what has become of an errand that was taken.
func (e *Errand) End(number uint32, phase uint32) { StoreRel32(&e.State, number<<2|phase) }
