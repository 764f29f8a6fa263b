package shmem

import (
	"errors"
	"math/bits"
	"slices"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Processes of other jobs are reached over bridges: segments of the same layout as the job's, with the
// members of a bridge instead of the ranks of a node. They are peers with numbers above those of the
// job's ranks. Where there is no bridge, polling costs one look at a nil slice more.

// bridge is one of them, as this rank sees it.
type bridge struct {
	transport.Bridge
	peers  []int       // by member; -1 on the own side
	ends   []fast.Peer // by member
	active []int       // members that have ever sent something
	turn   int
	dead   bool // it is cut: nothing that comes over it is looked at

	// Where deaths are outlived:
	jobs  []*shm.Segment // of the members, but the own one
	epoch uint32         // of all these and the bridge, as far as Lost has looked at them
	hurt  bool           // some member has died
	told  []bool         // by member: Lost has told of it
}

// Connect implements transport.Bridger.
func (p *Provider) Connect(b transport.Bridge) (peers []int, err error) {
	if err := b.Segment.HoldAlive(b.Me); err != nil {
		return nil, err
	}
	n := len(b.Members)
	if err := b.Segment.MapPairs(n, b.Me); err != nil {
		return nil, err
	}
	br := &bridge{Bridge: b, peers: make([]int, n), ends: make([]fast.Peer, n), told: make([]bool, n)}
	for i, m := range b.Members {
		br.peers[i] = -1
		if m.Home != b.Members[b.Me].Home && !slices.Contains(br.jobs, m.Home) {
			br.jobs = append(br.jobs, m.Home)
		}
		if m.Own {
			continue
		}
		br.ends[i].Bell = shm.BellOf(m.Home, m.Rank).Word()
		peer := p.number()
		p.ends[peer] = &br.ends[i]
		p.connections[peer] = connection{seg: b.Segment, home: m.Home, n: n, me: b.Me, to: i, rank: m.Rank,
			far: p.farJobs}
		p.readable[peer], p.processes[peer], p.shares[peer] = 0, nil, shareState{}
		br.peers[i] = peer
	}
	p.bridges = append(p.bridges, br)
	return br.peers, nil
}

// number is one that no peer has.
func (p *Provider) number() int {
	if n := len(p.free); n > 0 {
		peer := p.free[n-1]
		p.free = p.free[:n-1]
		return peer
	}
	return p.grow()
}

// grow makes room for one more peer, and returns its number.
func (p *Provider) grow() int {
	p.ends = append(p.ends, nil)
	p.connections = append(p.connections, connection{})
	p.readable, p.processes = append(p.readable, 0), append(p.processes, nil)
	p.shares = append(p.shares, shareState{})
	return len(p.ends) - 1
}

// Peers implements transport.Bridger.
func (p *Provider) Peers() int { return len(p.ends) }

// Home implements transport.Bridger.
func (p *Provider) Home(peer int) (*shm.Segment, int) {
	c := &p.connections[peer]
	return c.home, c.rank
}

// Disconnect implements transport.Bridger.
func (p *Provider) Disconnect(s *shm.Segment) {
	for i, b := range p.bridges {
		if b.Segment != s {
			continue
		}
		for _, peer := range b.peers {
			if peer >= 0 {
				p.ends[peer], p.connections[peer] = nil, connection{}
				p.free = append(p.free, peer)
				p.blocked = slices.DeleteFunc(p.blocked, func(s int) bool { return s == peer })
			}
		}
		p.bridges = append(p.bridges[:i:i], p.bridges[i+1:]...)
		p.dropArea(s)
		break
	}
	if len(p.bridges) == 0 {
		p.bridges = nil
	}
}

// pollAll is Poll where there are bridges. The job's ranks and the bridges are looked at first in turns.
func (p *Provider) pollAll() (int, *transport.Packet, uintptr) {
	p.turn++
	if p.turn%2 == 0 {
		if peer, pk, at := p.pollJob(); pk != nil {
			return peer, pk, at
		}
		return p.pollBridges()
	}
	if peer, pk, at := p.pollBridges(); pk != nil {
		return peer, pk, at
	}
	return p.pollJob()
}

func (p *Provider) pollBridges() (int, *transport.Packet, uintptr) {
	for _, b := range p.bridges {
		if b.dead {
			continue
		}
		if peer, at := b.poll(p); at != 0 {
			return peer, &p.head, at
		}
	}
	return 0, nil, 0
}

// poll is Poll for the members of one bridge; the packet is copied to p.head, and the address of its payload
// is 0 when there is none.
func (b *bridge) poll(p *Provider) (int, uintptr) {
	own := b.Segment.Base + shm.RankOffset(b.Me) + shm.RankCalls
	for w := range (len(b.Members) + 63) / 64 {
		calls := shm.Word64(own + uintptr(w)*8)
		if atomic.LoadUint64(calls) == 0 {
			continue
		}
		for set := atomic.SwapUint64(calls, 0); set != 0; set &= set - 1 {
			from := w*64 + bits.TrailingZeros64(set)
			if from >= len(b.peers) || b.peers[from] < 0 {
				p.malformed(-1, "a call of a process that is not at the bridge")
			}
			rx := &b.ends[from].Rx
			if rx.Ready() {
				continue
			}
			if err := rx.Open(b.Segment, len(b.Members), b.Me, from); err != nil {
				atomic.OrUint64(calls, set)
				panic(err)
			}
			b.active = append(b.active, from)
		}
	}
	for range b.active {
		if b.turn >= len(b.active) {
			b.turn = 0
		}
		from := b.active[b.turn]
		rx := &b.ends[from].Rx
		if payload := rx.Peek(&p.head); payload != 0 {
			return b.peers[from], payload
		}
		b.turn++
	}
	return 0, 0
}

// Cut implements transport.Bridger.
func (p *Provider) Cut() error {
	for _, b := range p.bridges {
		if err := b.cut(p.outlive); err != nil {
			return err
		}
	}
	return nil
}

// CutOff implements transport.Bridger.
func (p *Provider) CutOff(s *shm.Segment) error {
	for _, b := range p.bridges {
		if b.Segment == s {
			return b.cut(p.outlive)
		}
	}
	return nil
}

// errCut is what breaks a bridge.
var errCut = errors.New("a process of another job that this one is connected with has died")

func (b *bridge) cut(outlive bool) error {
	switch {
	case outlive:
		for i := 0; i < len(b.Members) && !b.hurt; i++ {
			b.hurt = i != b.Me && b.lost(i)
		}
	case !b.dead:
		b.dead = shm.Epoch(b.Segment) != 0
		for i := range b.Members {
			m := &b.Members[i]
			b.dead = b.dead || !m.Own && shm.Perished(m.Home, m.Rank) && !shm.Left(b.Segment, i)
		}
		if b.dead {
			shm.MarkLost(b.Segment, b.Me) // for those on the other side that outlive deaths
			b.Wake()
		}
	}
	if b.dead || b.hurt {
		return errCut
	}
	return nil
}

// lost reports whether a member has died, without having left before, or has cut the bridge.
func (b *bridge) lost(member int) bool {
	m := &b.Members[member]
	return shm.IsLost(b.Segment, member) || shm.Perished(m.Home, m.Rank) && !shm.Departed(b.Segment, member)
}

// BeyondCut implements transport.Bridger.
func (p *Provider) BeyondCut(peer int) bool {
	for _, b := range p.bridges {
		if i := slices.Index(b.peers, peer); i >= 0 {
			return b.dead || p.outlive && shm.Departed(b.Segment, i)
		}
	}
	return false
}

// Watch implements transport.Bridger.
func (p *Provider) Watch() {
	for _, b := range p.bridges {
		for i := range b.Members {
			m := &b.Members[i]
			if m.Own || p.absent(b, i) {
				continue
			}
			pid := shm.Attached(b.Segment, i)
			if pid == 0 || b.Segment.Alive(i, pid) || p.absent(b, i) {
				continue
			}
			shm.MarkLost(b.Segment, i)
			b.Wake()
		}
	}
}

// absent reports whether Watch need not look at a member any more.
func (p *Provider) absent(b *bridge, member int) bool {
	if p.outlive {
		return shm.Departed(b.Segment, member) || shm.IsLost(b.Segment, member)
	}
	return shm.Left(b.Segment, member) || shm.Epoch(b.Segment) != 0
}

// Outlive implements transport.Bridger.
func (p *Provider) Outlive() { p.outlive = true }

// FailurePending implements transport.Bridger.
func (p *Provider) FailurePending() bool {
	for _, b := range p.bridges {
		if b.epochs() != b.epoch {
			return true
		}
	}
	return false
}

// epochs is the sum of all failure epochs that tell of the members, each of which only rises.
func (b *bridge) epochs() uint32 {
	sum := shm.Epoch(b.Segment)
	for _, s := range b.jobs {
		sum += shm.Epoch(s)
	}
	return sum
}

// Lost implements transport.Bridger.
func (p *Provider) Lost(f func(peer int)) {
	for _, b := range p.bridges {
		b.epoch = b.epochs()
		for i, peer := range b.peers {
			if peer >= 0 && !b.told[i] && b.lost(i) {
				b.told[i] = true
				f(peer)
			}
		}
	}
}
