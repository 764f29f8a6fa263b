// Package shmem carries packets between the ranks of one node through the job segment: a ring per pair of
// ranks, a doorbell per rank, single copy by the kernel where it allows that.
package shmem

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Config says who this rank is on its node.
type Config struct {
	Segment  *shm.Segment
	Rank     int   // rank in the job
	Size     int   // ranks in the job: the peers of other jobs have numbers from there on
	NodeRank int   // number on this node
	Ranks    []int // job ranks of this node, by node rank
	Cores    int   // processors that the ranks of this node share
	Spin     int   // polls before a waiting rank lets others run, 0 for the default
	Shared   bool  // several threads of this rank may call at once
	NoRead   bool  // do without single copy, as in a container that denies it
	Tracer   int   // as in AllowReaders
	Kept     bool  // the launcher keeps this process's id until no rank of the job is left
	Area     int64 // bytes of the area for long payloads, 0 for what suits the caches; or NoArea
	FarJobs  bool  // only packets shall reach the processes of other jobs

	// Malformed ends the process because a peer, -1 for some peer, has written what no process of gompi
	// writes. It does not return.
	Malformed func(peer int, what string)
}

// Provider implements transport.Provider for the peers of one node.
type Provider struct {
	seg      *shm.Segment
	me, n    int // node rank, ranks on the node
	jobRank  int
	jobSize  int // ranks in the job
	jobRanks []int32
	// by peer: its rings, opened when the pair first talks
	ends        []*fast.Peer
	connections []connection   // by peer
	endpoint    *fast.Endpoint // the rings of the ranks of the job, by node rank
	bridges     []*bridge      // to processes of other jobs
	free        []int          // numbers of peers that have gone
	turn        uint32         // whether Poll begins with the bridges
	outlive     bool           // a death at a bridge does not cut it
	epoch       *uint32
	probe       *[1]uint64     // the word that peers read to find out whether they can
	readable    []int8         // by peer: 0 unknown, 1 yes, -1 no
	processes   []*shm.Process // by peer, of those that are readable
	noRead      bool
	farJobs     bool   // as in Config
	crossed     uint64 // packets to processes of other jobs, if so
	waiter      Waiter
	blocked     []int // peers that know that this rank waits for room
	inside      *uint32
	shares      []shareState // copies from each peer
	areas       map[*shm.Segment]*fast.Area
	areaSize    int64 // as in Config; by the caches, once they are known
	sized       bool  // sizeAreas has been called

	malformed func(peer int, what string) // as in Config
	head      transport.Packet            // the packet that Poll has returned
}

var (
	_ transport.Provider    = (*Provider)(nil)
	_ transport.FlowControl = (*Provider)(nil)
	_ transport.Reader      = (*Provider)(nil)
	_ transport.Sharer      = (*Provider)(nil)
	_ transport.Grower      = (*Provider)(nil)
	_ transport.Bridger     = (*Provider)(nil)
	_ transport.Remote      = (*Provider)(nil)
)

// New attaches a rank to its node's segment. Peers may send to it from then on.
func New(c Config) (*Provider, error) {
	n := len(c.Ranks)
	if err := c.Segment.MapPairs(n, c.NodeRank); err != nil {
		return nil, err
	}
	endpoint, err := fast.New(c.Segment, c.NodeRank, n)
	if err != nil {
		return nil, err
	}
	p := &Provider{
		seg: c.Segment, me: c.NodeRank, n: n, jobRank: c.Rank, jobSize: c.Size,
		endpoint: endpoint,
		inside:   shm.Word32(c.Segment.Base + shm.RankOffset(c.NodeRank) + shm.RankInside),
		epoch:    shm.Word32(c.Segment.Base + shm.HdrEpoch),
		probe:    &[1]uint64{rand.Uint64()},
		areas:    map[*shm.Segment]*fast.Area{}, areaSize: c.Area,
		noRead: c.NoRead, farJobs: c.FarJobs, malformed: c.Malformed,
		waiter: Waiter{
			policy: newWaitPolicy(n, c.Cores, c.Spin, c.Shared), endpoint: endpoint,
			bell: shm.BellOf(c.Segment, c.NodeRank),
		},
	}
	endpoint.SetYields(c.Shared, n, c.Cores)
	p.waiter.policy.apply(endpoint)
	for len(p.ends) < c.Size {
		p.grow()
	}
	for r, job := range c.Ranks {
		p.ends[job] = endpoint.Peer(uint32(r))
		p.connections[job] = connection{seg: c.Segment, home: c.Segment, n: n, me: c.NodeRank, to: r, rank: r}
		p.jobRanks = append(p.jobRanks, int32(job))
	}
	block := c.Segment.Base + shm.RankOffset(c.NodeRank)
	p.AllowReaders(c.Tracer)
	atomic.StoreUint64(shm.Word64(block+shm.RankProbe), uint64(shm.AddressOf(&p.probe[0])))
	atomic.StoreUint64(shm.Word64(block+shm.RankProbeVal), p.probe[0])
	atomic.StoreUint32(shm.Word32(block+shm.RankJobRank), uint32(c.Rank))
	if c.Kept {
		atomic.StoreUint32(shm.Word32(block+shm.RankKept), 1)
	}
	atomic.StoreUint32(shm.Word32(block+shm.RankPid), uint32(os.Getpid()))
	return p, nil
}

// Endpoint is the state of the rings.
func (p *Provider) Endpoint() *fast.Endpoint { return p.endpoint }

// Waiter is how the threads of this rank wait.
func (p *Provider) Waiter() *Waiter { return &p.waiter }

// MaxPayload implements transport.Provider.
func (p *Provider) MaxPayload() int { return fast.MaxBulk }

// Reserve implements transport.Provider.
func (p *Provider) Reserve(peer, n int) (*transport.Packet, uintptr) {
	tx := &p.ends[peer].Tx
	if !tx.Ready() {
		p.connect(peer)
	}
	if n >= fast.MaxMessage && !p.sized {
		p.sized = true
		p.sizeAreas()
	}
	pk, at := tx.Reserve(uint32(n))
	if pk == nil && !tx.Sane() {
		p.malformed(peer, "an impossible count of emptied slots to a ring")
	}
	return pk, at
}

// connect opens the sending end of a ring and announces it to the receiver, which polls only the rings of
// ranks that have called. The receiver may look before the first packet is there; it finds nothing and looks
// again. Where the ring cannot be mapped, connect panics with a *shm.NoMemory.
func (p *Provider) connect(peer int) {
	c := &p.connections[peer]
	tx := &p.ends[peer].Tx
	if err := tx.Open(c.seg, c.n, c.to, c.me); err != nil {
		panic(err)
	}
	tx.Through(p.area(c))
	word := shm.Word64(c.seg.Base + shm.RankOffset(c.to) + shm.RankCalls + uintptr(c.me/64)*8)
	atomic.OrUint64(word, 1<<(c.me%64))
}

// Publish implements transport.Provider.
func (p *Provider) Publish(peer int, pk *transport.Packet, n int) {
	to := p.ends[peer]
	to.Tx.Publish(pk, uint32(n))
	if p.farJobs && p.connections[peer].far {
		p.crossed++
	}
	to.Ring()
}

// Crossed implements transport.Remote.
func (p *Provider) Crossed() uint64 { return p.crossed }

// Poll implements transport.Provider. It looks at the rings of those ranks that have ever sent something,
// each in its turn.
func (p *Provider) Poll() (int, *transport.Packet, uintptr) {
	if p.bridges == nil {
		return p.pollJob()
	}
	return p.pollAll()
}

// pollJob is Poll for the ranks of the job.
func (p *Provider) pollJob() (int, *transport.Packet, uintptr) {
	e := p.endpoint
	if e.Connecting() {
		p.answer()
	}
	if e.Next() == nil {
		return 0, nil, 0
	}
	from := e.ActivePeer(e.Turn)
	return int(p.jobRanks[from]), &p.head, e.Peer(from).Rx.Peek(&p.head)
}

// answer adds the ranks that have called to the rings that Poll looks at. Where the ring of one cannot be
// mapped, answer panics with a *shm.NoMemory, and the rank has not been answered.
func (p *Provider) answer() {
	for w := range p.endpoint.CallWords {
		for set := atomic.SwapUint64(p.endpoint.CallWord(w), 0); set != 0; set &= set - 1 {
			from := int(w)*64 + bits.TrailingZeros64(set)
			if from >= p.n || from == p.me {
				p.malformed(-1, "a call of a rank that there is not")
			}
			rx := &p.endpoint.Peer(uint32(from)).Rx
			if rx.Ready() {
				continue
			}
			if err := rx.Open(p.seg, p.n, p.me, from); err != nil {
				atomic.OrUint64(p.endpoint.CallWord(w), set)
				panic(err)
			}
			p.endpoint.Activate(from)
		}
	}
}

// Release implements transport.Provider. The next Poll begins with the same ring: its line is in the cache,
// and a ring holds few packets, so nobody waits long for a turn.
func (p *Provider) Release(peer int, pk *transport.Packet) {
	from := p.ends[peer]
	if from.Rx.Release(pk.InBulk()) {
		from.Ring()
	}
}

// Arm implements transport.Provider. Peers ring the bell on which the waiter sleeps.
func (p *Provider) Arm(blocked []int) (wakes bool) {
	for _, peer := range blocked {
		if p.ends[peer] == nil {
			continue // on another machine
		}
		if tx := &p.ends[peer].Tx; tx.Ready() && !tx.Blocked() {
			tx.Block()
			p.blocked = append(p.blocked, peer)
		}
	}
	return true
}

// Pending implements transport.Provider.
func (p *Provider) Pending(blocked []int) bool {
	for _, peer := range blocked {
		if p.ends[peer] == nil {
			continue
		}
		if tx := &p.ends[peer].Tx; tx.Ready() && tx.Room() {
			return true
		}
	}
	_, pk, _ := p.Poll()
	return pk != nil
}

// Disarm implements transport.Provider.
func (p *Provider) Disarm() {
	for _, peer := range p.blocked {
		p.ends[peer].Tx.Unblock()
	}
	p.blocked = p.blocked[:0]
}

// Announce implements transport.FlowControl.
func (p *Provider) Announce(peer int, from uint32) { p.ends[peer].Rx.Announce(from) }

// Failed implements transport.Provider.
func (p *Provider) Failed() int {
	if atomic.LoadUint32(p.epoch) == p.endpoint.Heard {
		return -1
	}
	return shm.DeadRank(p.seg)
}

// EachFailed implements transport.FailureDetector.
func (p *Provider) EachFailed(f func(peer int)) { shm.FailedAmong(p.seg, p.jobSize, f) }

// Forget implements transport.FailureDetector.
func (p *Provider) Forget(peer int) {
	if end := p.ends[peer]; end != nil {
		end.Tx.Lose()
	}
}

// HasFailed implements transport.FailureDetector.
func (p *Provider) HasFailed(peer int) bool {
	if peer < p.jobSize {
		return shm.HasFailed(p.seg, peer)
	}
	c := &p.connections[peer]
	return c.home != nil && (shm.Perished(c.home, c.rank) || shm.IsLost(c.seg, c.to))
}

// connection is how a peer is reached: as member to of the n of a segment in which this rank is member me.
// rank is its number in home, the segment of its own job.
type connection struct {
	seg, home *shm.Segment
	n, me     int
	to, rank  int
	far       bool // only packets reach it
}

// block is what the peer tells all others.
func (c *connection) block() uintptr { return c.home.Base + shm.RankOffset(c.rank) }
