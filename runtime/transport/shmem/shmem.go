// Package shmem carries packets between the ranks of one node through the job segment: a ring per pair of ranks, a
// doorbell per rank, single copy by the kernel where it allows that.
package shmem

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"sync/atomic"

	"gompi/runtime/transport"
	"gompi/shm"
)

// Config says who this rank is on its node.
type Config struct {
	Segment  *shm.Segment
	Rank     int   // rank in the job
	NodeRank int   // number on this node
	Ranks    []int // job ranks of this node, by node rank
	Cores    int   // processors that the ranks of this node share
	Spin     int   // polls before a waiting rank lets others run, 0 for the default
	NoRead   bool  // do without single copy, as in a container that denies it
}

// Provider implements transport.Provider for the peers of one node.
type Provider struct {
	seg      *shm.Segment
	me, n    int // node rank, ranks on the node
	jobRank  int
	nodeRank []int32 // node rank by job rank, -1 for ranks of other nodes
	jobRanks []int32
	tx       []*shm.Tx // by node rank, made when the pair first talks
	rx       []*shm.Rx
	talkers  []int32 // node ranks that have sent something, in the order in which they began
	turn     int     // index in talkers of the next ring to look at
	calls    []*uint64
	bell     shm.Bell
	bells    []shm.Bell
	epoch    *uint32
	probe    *[1]uint64 // the word that peers read to find out whether they can
	readable []int8     // by node rank: 0 unknown, 1 yes, -1 no
	noRead   bool
	wait     waitPolicy
	sleepers int // threads between Arm and Disarm
}

var _ transport.Provider = (*Provider)(nil)

// New attaches a rank to its node's segment. Peers may send to it from then on.
func New(c Config) *Provider {
	n := len(c.Ranks)
	p := &Provider{
		seg: c.Segment, me: c.NodeRank, n: n, jobRank: c.Rank,
		tx: make([]*shm.Tx, n), rx: make([]*shm.Rx, n),
		bells: make([]shm.Bell, n), bell: shm.BellOf(c.Segment, c.NodeRank),
		epoch:    shm.Word32(c.Segment.Base + shm.HdrEpoch),
		probe:    &[1]uint64{rand.Uint64()},
		readable: make([]int8, n), noRead: c.NoRead,
		wait: newWaitPolicy(n, c.Cores, c.Spin),
	}
	for r, job := range c.Ranks {
		for len(p.nodeRank) <= job {
			p.nodeRank = append(p.nodeRank, -1)
		}
		p.nodeRank[job] = int32(r)
		p.jobRanks = append(p.jobRanks, int32(job))
		p.bells[r] = shm.BellOf(c.Segment, r)
	}
	block := c.Segment.Base + shm.RankOffset(c.NodeRank)
	for w := range (n + 63) / 64 {
		p.calls = append(p.calls, shm.Word64(block+shm.RankCalls+uintptr(w)*8))
	}
	shm.AllowReaders()
	atomic.StoreUint64(shm.Word64(block+shm.RankProbe), uint64(shm.AddressOf(&p.probe[0])))
	atomic.StoreUint64(shm.Word64(block+shm.RankProbeVal), p.probe[0])
	atomic.StoreUint32(shm.Word32(block+shm.RankJobRank), uint32(c.Rank))
	atomic.StoreUint32(shm.Word32(block+shm.RankPid), uint32(os.Getpid()))
	return p
}

// MaxPayload is the largest payload of one packet in bytes.
func (p *Provider) MaxPayload() int { return shm.MaxBulk }

// Reserve implements transport.Provider.
func (p *Provider) Reserve(peer, n int) (*transport.Packet, uintptr) {
	to := p.nodeRank[peer]
	tx := p.tx[to]
	if tx == nil {
		tx = p.connect(int(to))
	}
	return tx.Reserve(n)
}

// connect makes the sending end of a ring and announces it to the receiver, which polls only the rings of ranks
// that have called. The receiver may look before the first packet is there; it finds nothing and looks again.
func (p *Provider) connect(to int) *shm.Tx {
	tx := shm.NewTx(p.seg, p.n, to, p.me)
	p.tx[to] = tx
	word := shm.Word64(p.seg.Base + shm.RankOffset(to) + shm.RankCalls + uintptr(p.me/64)*8)
	atomic.OrUint64(word, 1<<(p.me%64))
	return tx
}

// Publish implements transport.Provider.
func (p *Provider) Publish(peer int, pk *transport.Packet, n int) {
	to := p.nodeRank[peer]
	p.tx[to].Publish(pk, n)
	p.bells[to].Ring()
}

// Poll implements transport.Provider. It looks at the rings of those ranks that have ever sent something, each in
// its turn.
func (p *Provider) Poll() (int, *transport.Packet, uintptr) {
	for _, word := range p.calls {
		if atomic.LoadUint64(word) != 0 {
			p.answer()
			break
		}
	}
	for range p.talkers {
		if p.turn >= len(p.talkers) {
			p.turn = 0
		}
		from := p.talkers[p.turn]
		rx := p.rx[from]
		if slot := rx.Peek(); slot != nil {
			return int(p.jobRanks[from]), slot, rx.Payload(slot)
		}
		p.turn++
	}
	return 0, nil, 0
}

// answer adds the ranks that have called to the rings that Poll looks at.
func (p *Provider) answer() {
	for w, word := range p.calls {
		for set := atomic.SwapUint64(word, 0); set != 0; set &= set - 1 {
			from := w*64 + bits.TrailingZeros64(set)
			if p.rx[from] == nil {
				p.rx[from] = shm.NewRx(p.seg, p.n, p.me, from)
				p.talkers = append(p.talkers, int32(from))
			}
		}
	}
}

// Release implements transport.Provider. The next Poll begins with the same ring: its line is in the cache, and a
// ring holds few packets, so nobody waits long for a turn.
func (p *Provider) Release(peer int, pk *transport.Packet) {
	from := p.nodeRank[peer]
	if p.rx[from].Release(pk) {
		p.bells[from].Ring()
	}
}

// Failed implements transport.Provider.
func (p *Provider) Failed() int {
	if atomic.LoadUint32(p.epoch) == 0 {
		return -1
	}
	return shm.DeadRank(p.seg)
}
