package comm

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"gompi/runtime/collseg"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
)

// contextIDs is which CIDs are in use on a process, and what else the ranks of a new communicator agree on
// together with its CID: the memory for its collectives, and its birth.
type contextIDs struct {
	single   bool          // one thread at a time calls
	segments *collseg.Node // nil when there is no shared memory for collectives
	asking   atomic.Int32  // searches under way for which no thread waits

	mu    sync.Mutex // taken under the engine's lock too
	used  []uint64   // bit u: CID u is in use
	clock uint64     // of births
	spare []uint64   // for the words of a search, of an earlier one; nil when there is none
}

// maxWords bounds the CIDs, which are counted in words of 64.
const maxWords = 1 << 12

// mark notes that a CID is in use. The lock is held.
func (ids *contextIDs) mark(cid uint32) {
	w := int(cid / 64)
	for len(ids.used) <= w {
		ids.used = append(ids.used, 0)
	}
	ids.used[w] |= 1 << (cid % 64)
}

// claim takes a CID if it is free.
func (ids *contextIDs) claim(cid uint32) bool {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	return ids.take(cid)
}

// take is claim with the lock held.
func (ids *contextIDs) take(cid uint32) bool {
	if w := int(cid / 64); w < len(ids.used) && ids.used[w]>>(cid%64)&1 != 0 {
		return false
	}
	ids.mark(cid)
	return true
}

// free is the opposite of claim.
func (ids *contextIDs) free(cid uint32) {
	ids.mu.Lock()
	defer ids.mu.Unlock()
	ids.used[cid/64] &^= 1 << (cid % 64)
}

// offer writes into free which of the CIDs from word number first on nobody uses here. The lock is held.
func (ids *contextIDs) offer(first int, free []uint64) {
	for i := range free {
		free[i] = ^uint64(0)
		if w := first + i; w < len(ids.used) {
			free[i] = ^ids.used[w]
		}
	}
}

// Each communicator has a birth, a time of a logical clock: no process of it has a clock that is ahead of
// that, and each advances its clock past it. So two that have a process in common never have the same one.

// agreed is what the ranks of a new communicator have agreed on.
type agreed struct {
	cid       uint32
	addresses collseg.AddressRange // of this process, for the coll block
	hasBlock  bool                 // all processes have one
	birth     uint64
}

// giveBack gives up what was agreed on for a communicator that is not made here.
func (ids *contextIDs) giveBack(u agreed) {
	ids.returnAddresses(u.addresses)
	ids.free(u.cid)
}

// returnAddresses gives back addresses that were reserved for a communicator, if there are any.
func (ids *contextIDs) returnAddresses(addresses collseg.AddressRange) {
	if addresses != 0 {
		ids.segments.Return(addresses)
	}
}

// alone reports whether no other search of this process can be under way while a thread waits for one: a
// single thread calls, and no nonblocking search has begun.
func (ids *contextIDs) alone() bool { return ids.single && ids.asking.Load() == 0 }

// Bits of the first word that ranks combine.
const (
	saysAlone     = 1 << iota // no other search of this process is under way
	saysAddresses             // this process has reserved addresses
	saysTaken                 // in the second step: it has taken the CID
	saysSound                 // of MPIX_Comm_shrink: it has heard neither of a failure nor of a revocation
	// above these bits stands the complement of what the clock of the process says
	clockShift = 8
)

// A search uses windows of this many words of CIDs: usually there is a free one in the first window. Words
// of the largest ones fit into one packet.
const (
	firstWindow = 4
	mostWindow  = 1 << 9
)

// search finds a CID that is free on all ranks of a new communicator, and takes it on this one. In each step
// the ranks combine words, bit by bit: first which CIDs of a window are free, then, when each has tried to
// take the same one of these, whether all could.
//
// Several threads of a process may search for several communicators. None ever waits for another one: a CID
// that a thread has taken in the meantime is found out in the second step, and looked for again from another
// word. Where each process has one search at work the second step is left out.
type search struct {
	ids      *contextIDs
	seed     uint64
	waits    bool // a thread waits for the end
	alone    bool
	first, n int // window
	agreed
	taken   bool
	verdict bool // the second step is under way
	said    []uint64
}

// begin begins a search. seed is the same on all ranks, and differs between searches that may run at the same
// time. blocking says that the calling thread waits for the end.
func (s *search) begin(ids *contextIDs, seed uint64, blocking bool) {
	s.ids, s.seed, s.alone, s.n = ids, seed, blocking && ids.alone(), firstWindow
	if s.waits = blocking; !blocking {
		ids.asking.Add(1)
	}
	if ids.segments != nil {
		s.addresses = ids.segments.ReserveAddresses()
	}
}

// words is what this rank says in the next step. They are valid until the one after that.
func (s *search) words() []uint64 {
	if s.verdict {
		words := s.said[:1]
		if words[0] = 0; s.taken {
			words[0] = saysTaken
		}
		return words
	}
	s.n = min(s.n, maxWords-s.first)
	s.ids.mu.Lock()
	defer s.ids.mu.Unlock()
	if s.said == nil {
		s.said, s.ids.spare = s.ids.spare, nil
	}
	if cap(s.said) <= s.n {
		s.said = make([]uint64, 1+s.n)
	}
	words := s.said[:1+s.n]
	words[0] = ^s.ids.clock << clockShift
	if s.alone {
		words[0] |= saysAlone
	}
	if s.addresses != 0 {
		words[0] |= saysAddresses
	}
	s.ids.offer(s.first, words[1:])
	return words
}

// take goes on with what the words of all have given. done says that there is a CID, or an error: then the
// search has ended.
func (s *search) take(words []uint64) (done bool, err error) {
	if s.verdict {
		if done = len(words) == 1 && words[0]&saysTaken != 0; done {
			s.end()
		} else if s.taken {
			s.ids.free(s.cid)
		}
		s.verdict, s.taken = false, done
		return done, nil
	}
	if len(words) != 1+s.n {
		return true, s.fail(mpierr.New(mpierr.ErrIntern, "the ranks do not agree on what they agree on"))
	}
	s.birth = ^words[0] >> clockShift
	s.hasBlock = words[0]&saysAddresses != 0
	single, from := words[0]&saysAlone != 0, 0
	if !single {
		s.seed = scatter(s.seed)
		from = int(s.seed >> 33 % uint64(64*s.n))
	}
	at := oneFrom(words[1:], from)
	if at < 0 {
		if s.first, s.n = s.first+s.n, min(4*s.n, mostWindow); s.first >= maxWords {
			return true, s.fail(mpierr.New(mpierr.ErrNoMem, "more than %d communicators", maxWords*64))
		}
		return false, nil
	}
	s.cid = uint32(64*s.first + at)
	s.verdict = !single
	s.settle()
	return single, nil
}

// settle takes the CID if it is free, and ends the search unless a second step follows.
func (s *search) settle() {
	s.ids.mu.Lock()
	defer s.ids.mu.Unlock()
	s.ids.clock = max(s.ids.clock, s.birth+1)
	s.taken = s.ids.take(s.cid)
	if !s.verdict {
		s.ids.spare = s.said
		s.end()
	}
}

// end says that the search is not under way any more.
func (s *search) end() {
	if !s.waits {
		s.ids.asking.Add(-1)
	}
}

// fail ends a search without a CID, with an error that it returns. If that tells of a failure, others may
// have the communicator, and send on it.
func (s *search) fail(err error) error {
	s.end()
	s.ids.returnAddresses(s.addresses)
	if s.taken && !p2p.IsLoss(err) {
		s.ids.free(s.cid)
	}
	return err
}

// agree is a search by ranks whose words the function and combines.
func (ids *contextIDs) agree(seed uint64, and func(words []uint64) error) (agreed, error) {
	var s search
	s.begin(ids, seed, true)
	for {
		words := s.words()
		if err := and(words); err != nil {
			return agreed{}, s.fail(err)
		}
		if done, err := s.take(words); done {
			return s.agreed, err
		}
	}
}

// scatter is the next of a row of numbers that look random.
func scatter(seed uint64) uint64 { return seed*0x5851f42d4c957f2d + 0x14057b7ef767814f }

// oneFrom is the number of a bit that is set, looked for from bit number from on and around the end; -1 when
// none is.
func oneFrom(words []uint64, from int) int {
	for i := range len(words) + 1 {
		w := (from/64 + i) % len(words)
		word := words[w]
		switch i {
		case 0:
			word &= ^uint64(0) << (from % 64)
		case len(words):
			word &^= ^uint64(0) << (from % 64)
		}
		if word != 0 {
			return 64*w + bits.TrailingZeros64(word)
		}
	}
	return -1
}
