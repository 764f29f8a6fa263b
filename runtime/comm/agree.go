package comm

import (
	"math/bits"

	"gompi/runtime/collseg"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
)

func (r *Registry) mark(cid uint32) {
	w := int(cid / 64)
	for len(r.used) <= w {
		r.used = append(r.used, 0)
	}
	r.used[w] |= 1 << (cid % 64)
}

func (r *Registry) unmark(cid uint32) { r.used[cid/64] &^= 1 << (cid % 64) }

// claim takes a CID if it is free.
func (r *Registry) claim(cid uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w := int(cid / 64); w < len(r.used) && r.used[w]>>(cid%64)&1 != 0 {
		return false
	}
	r.mark(cid)
	return true
}

// giveBack gives up what agree has returned, for which there is no communicator.
func (r *Registry) giveBack(u agreed) {
	r.returnAddresses(u.addresses)
	r.unclaim(u.cid)
}

// unclaim is the opposite of claim.
func (r *Registry) unclaim(cid uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unmark(cid)
}

// offer writes into free which of the CIDs from word number first on nobody uses here.
func (r *Registry) offer(first int, free []uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range free {
		free[i] = ^uint64(0)
		if w := first + i; w < len(r.used) {
			free[i] = ^r.used[w]
		}
	}
}

// firstWindow is how many words of CIDs are looked at first; usually there is a free one among them.
const firstWindow = 4

// agreed is what the ranks of a new communicator have agreed on.
type agreed struct {
	cid       uint32
	addresses collseg.AddressRange // of this process, for the coll block
	hasBlock  bool                 // all processes have one
	birth     uint64
}

// Bits of the first word that ranks combine.
const (
	saysAlone     = 1 << iota // no other agreement of this process is under way
	saysAddresses             // this process has reserved addresses
	saysTaken                 // in the second step: it has taken the CID
	saysSound                 // of MPIX_Comm_shrink: it has heard neither of a failure nor of a revocation
	// above these bits stands the complement of what the clock of the process says (Registry.time)
	clockShift = 8
)

// reserveAddresses is addresses for the shared memory of a communicator that is about to be made; 0 when
// there is none.
func (r *Registry) reserveAddresses() collseg.AddressRange {
	if r.segments == nil {
		return 0
	}
	return r.segments.ReserveAddresses()
}

// returnAddresses gives back what reserveAddresses has returned.
func (r *Registry) returnAddresses(addresses collseg.AddressRange) {
	if addresses != 0 {
		r.segments.Return(addresses)
	}
}

// agree finds a CID that is free on all who take part and takes it on this one. and combines words of all
// who take part, bit by bit. seed is the same on all, and differs between agreements that may run at the same
// time.
//
// Several threads of a process may be at it for several communicators. None ever waits for another one: a
// CID that a thread has taken in the meantime is found out in a second step, and looked for again from
// another word. Where each process has one agreement at work the second step is left out.
func (r *Registry) agree(seed uint64, and func(words []uint64) error) (agreed, error) {
	u := agreed{addresses: r.reserveAddresses()}
	err := r.choose(&u, seed, and)
	if err != nil {
		r.returnAddresses(u.addresses)
		return agreed{}, err
	}
	return u, nil
}

func (r *Registry) choose(u *agreed, seed uint64, and func(words []uint64) error) error {
	for first, n := 0, firstWindow; first < maxWords; {
		n = min(n, maxWords-first)
		words := make([]uint64, 1+n)
		words[0] = ^r.time() << clockShift
		if r.alone() {
			words[0] |= saysAlone
		}
		if u.addresses != 0 {
			words[0] |= saysAddresses
		}
		r.sweep()
		r.offer(first, words[1:])
		if err := and(words); err != nil {
			return err
		}
		u.birth = r.passTime(^words[0] >> clockShift)
		single, free := words[0]&saysAlone != 0, words[1:]
		u.hasBlock = words[0]&saysAddresses != 0
		from := 0
		if !single {
			seed = scatter(seed)
			from = int(seed >> 33 % uint64(64*n))
		}
		at := oneFrom(free, from)
		if at < 0 {
			first, n = first+n, 4*n
			continue
		}
		u.cid = uint32(64*first + at)
		taken := r.claim(u.cid)
		if single {
			return nil
		}
		verdict := []uint64{0}
		if taken {
			verdict[0] = saysTaken
		}
		err := and(verdict)
		if err == nil && verdict[0] != 0 {
			return nil
		}
		if taken && !p2p.IsLoss(err) { // others may have the communicator, and send on it
			r.unclaim(u.cid)
		}
		if err != nil {
			return err
		}
	}
	return mpierr.New(mpierr.ErrNoMem, "more than %d communicators", maxWords*64)
}

// scatter is the next of a row of numbers that look random.
func scatter(seed uint64) uint64 { return seed*0x5851f42d4c957f2d + 0x14057b7ef767814f }

// alone reports whether no other agreement of this process can be under way while one is: a single thread
// calls, and no nonblocking agreement has begun.
func (r *Registry) alone() bool { return r.single && r.asking.Load() == 0 }

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
