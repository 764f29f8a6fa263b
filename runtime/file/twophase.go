package file

import (
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
	"gompi/runtime/sharedmem"
)

// Collective buffering in two phases: what the ranks access is split by offset into file domains, one for
// each aggregator. An aggregator reads one part of its domain after the other into a buffer that all ranks
// share, or writes the buffer to the file, in one call; the ranks move their pieces between that buffer and
// their own memory at the same time.

// aggregators are the ranks that read and write for all, and their buffers.
type aggregators struct {
	storage *storage
	barrier *fileBarrier
	comm    *comm.Comm
	node    sharedmem.Node
	buffers *sharedmem.Memory // nil until the first access by aggregators
	made    plan              // the hints by which the buffers were made
}

// domains are the file domains of one such access, the same on all ranks.
type domains struct {
	lo, hi      int64 // the bytes of the file that anybody accesses
	share       int64 // bytes of each aggregator
	buffer      int64 // of which so many at a time
	aggregators int
}

// carryOut carries out a collective access with aggregators, if pieces of different ranks interleave.
func (g *aggregators) carryOut(a *access) (int64, error) {
	if g.buffers == nil {
		if err := g.makeBuffers(); err != nil {
			return 0, first(a.err, err) // all ranks fail
		}
	}
	d, interleaved, err := g.split(a)
	if err != nil {
		return 0, err
	}
	if !interleaved {
		n, err := g.storage.do(a)
		return n, g.barrier.agree(err)
	}
	return g.rounds(d, a)
}

// makeBuffers makes the memory of the aggregators.
func (g *aggregators) makeBuffers() error {
	p := g.storage.hints.Load()
	m, err := sharedmem.New(g.comm, g.node, int64(p.aggregators)*p.buffer)
	if err == nil {
		g.buffers, g.made = m, *p
	}
	return err
}

// close gives their memory back.
func (g *aggregators) close() {
	if g.buffers != nil {
		g.buffers.Close()
	}
}

// split finds out what the ranks access, and whether that interleaves: in the order of the ranks, one begins
// before another ends.
func (g *aggregators) split(a *access) (d domains, interleaved bool, err error) {
	var mine words
	mine[0], mine[3] = int64(mpierr.CodeOf(a.err)), a.n
	if a.n > 0 {
		mine[1], mine[2] = a.view.locate(a.at), a.view.end(a.at, a.n)
		if !a.view.apart {
			mine[4] = 1 // bytes that are seen twice are not found by their offset
		}
	}
	o, err := g.barrier.wait(&mine, func(b *fileBarrier) outcome {
		o := firstFailure(b)
		if o[0] != 0 {
			return o
		}
		some, never := false, false
		for r := range b.n {
			if b.word(r, 3) == 0 {
				continue
			}
			lo, hi := b.word(r, 1), b.word(r, 2)
			never = never || b.word(r, 4) != 0
			if !some {
				o[2], o[3], some = lo, hi, true
				continue
			}
			if lo < o[3] {
				o[1] = 1
			}
			o[2], o[3] = min(o[2], lo), max(o[3], hi)
		}
		if never {
			o[1] = 0
		}
		return o
	})
	if err = g.barrier.verdict(a.err, o, err); err != nil || o[1] == 0 {
		return domains{}, false, err
	}
	if o[2] < 0 || o[3] < o[2] {
		return domains{}, false, mpierr.New(mpierr.ErrIntern,
			"the ranks are said to access bytes %d to %d: shared memory is corrupted", o[2], o[3])
	}
	p := &g.made
	d = domains{lo: o[2] / p.stripe * p.stripe, hi: o[3], buffer: p.buffer, aggregators: p.aggregators}
	d.share = (d.hi - d.lo + int64(d.aggregators) - 1) / int64(d.aggregators)
	d.share = (d.share + p.stripe - 1) / p.stripe * p.stripe
	// There are no rounds for what lies behind the end of all, however long a stripe is.
	d.share = min(d.share, d.hi-d.lo)
	return d, true, nil
}

// part is what aggregator i has in its buffer in a round; empty when its domain is done.
func (d *domains) part(i int, round int64) (lo, hi int64) {
	end := min(d.lo+int64(i+1)*d.share, d.hi)
	lo = min(d.lo+int64(i)*d.share+round*d.buffer, end)
	return lo, min(lo+d.buffer, end)
}

// aggregator is the rank that is aggregator i: they are spread over the ranks.
func (g *aggregators) aggregator(d *domains, i int) int { return i * g.barrier.n / d.aggregators }

// ownDomain is which aggregator this rank is, -1 for none.
func (g *aggregators) ownDomain(d *domains) int {
	for i := range d.aggregators {
		if g.aggregator(d, i) == g.barrier.rank {
			return i
		}
	}
	return -1
}

// area is the buffer of an aggregator.
func (g *aggregators) area(i int) uintptr { return g.buffers.Base + uintptr(int64(i)*g.made.buffer) }

// rounds carries out the access. All ranks go through the same rounds; after a failure they stop together.
func (g *aggregators) rounds(d domains, a *access) (done int64, err error) {
	own := g.ownDomain(&d)
	end := int64(-1) // where the file ends, as far as a read has found out
	for round := int64(0); round*d.buffer < d.share && err == nil; round++ {
		var mine words
		var lo, hi int64
		if own >= 0 {
			lo, hi = d.part(own, round)
			mine[1], err = g.load(g.area(own), lo, hi, a.write)
			mine[1] += lo
		}
		mine[0] = int64(mpierr.CodeOf(err))
		o, e := g.barrier.wait(&mine, firstFailure)
		loaded := err == nil
		if err = g.barrier.verdict(err, o, e); err == nil {
			for i := range d.aggregators {
				from, to := d.part(i, round)
				if got := g.barrier.word(g.aggregator(&d, i), 1); !a.write && got < to {
					if to = got; end < 0 || got < end {
						end = got
					}
				}
				if err == nil {
					err = g.contribute(a, g.area(i), from, to)
				}
			}
			err = g.barrier.agree(err)
		}
		if a.write && loaded && hi > lo {
			if err == nil {
				_, err = g.storage.system.write(memory(g.area(own), hi-lo), lo)
			}
			g.storage.system.unlock(lo, hi)
		}
		if a.write {
			err = g.barrier.agree(err)
		}
	}
	if err != nil {
		return 0, err
	}
	done = a.n
	if end >= 0 && a.n > 0 {
		done = max(min(a.view.before(end)-a.at, a.n), 0)
	}
	return done, nil
}

// load brings bytes [lo, hi) of the file into a buffer and returns how many there were. For writing nobody
// else changes them from then on, and what lies behind the end of the file is zero.
func (g *aggregators) load(buffer uintptr, lo, hi int64, write bool) (int64, error) {
	system := g.storage.system
	if hi <= lo {
		return 0, nil
	}
	if write {
		if err := system.lock(lo, hi, true); err != nil {
			return 0, err
		}
	}
	mem := memory(buffer, hi-lo)
	n, err := system.read(mem, lo)
	if write {
		clear(mem[n:])
		if err != nil {
			system.unlock(lo, hi)
		}
	}
	return n, err
}

// contribute moves this rank's bytes in [from, to) of the file.
func (g *aggregators) contribute(a *access, buffer uintptr, from, to int64) error {
	if a.n == 0 || to <= from {
		return nil
	}
	first := max(a.view.before(from), a.at)
	last := min(a.view.before(to), a.at+a.n)
	if first >= last {
		return nil
	}
	return guarded(func() error {
		g.storage.exchange(a, buffer-uintptr(from), first-a.at, last-first)
		return nil
	})
}
