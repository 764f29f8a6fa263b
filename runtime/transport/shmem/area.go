package shmem

import (
	"gompi/runtime/fast"
	"gompi/runtime/hardware"
	"gompi/runtime/transport"
	"gompi/shm"
)

// NoArea as Config.Area says that no payloads go through areas.
const NoArea = -1

// area is the area through which long payloads to a peer go, nil for none.
func (p *Provider) area(c *connection) *fast.Area {
	if p.areaSize == NoArea {
		return nil
	}
	if _, known := p.areas[c.seg]; !known {
		a := fast.NewArea(c.seg, c.n, c.me)
		if a != nil && p.areaSize > 0 {
			a.SetSize(p.areaSize)
		}
		p.areas[c.seg] = a
	}
	return p.areas[c.seg]
}

// dropArea forgets the area of a segment to which nothing is sent any more.
func (p *Provider) dropArea(s *shm.Segment) {
	if area := p.areas[s]; area != nil {
		area.Close()
	}
	delete(p.areas, s)
}

// sizeAreas finds out how much of the areas is used, before the first long payload goes: what the kernel
// knows of the caches takes a tenth of a millisecond to read.
func (p *Provider) sizeAreas() {
	if p.areaSize == 0 {
		p.areaSize = hardware.CopyArea()
	}
	for _, a := range p.areas {
		if a != nil && p.areaSize > 0 {
			a.SetSize(p.areaSize)
		}
	}
}

// PublishEarly implements transport.Grower. It is done within the job: whoever waits for a payload to grow
// has to hear of its sender's death.
func (p *Provider) PublishEarly(peer int, pk *transport.Packet, n int) bool {
	if peer >= p.jobSize || !p.ends[peer].Tx.PublishEarly(pk, uint32(n)) {
		return false
	}
	p.ends[peer].Ring()
	return true
}

// Grow implements transport.Grower.
func (p *Provider) Grow(peer, n int) { p.ends[peer].Tx.Grow(uint32(n)) }

// GrowNever implements transport.Grower.
func (p *Provider) GrowNever(peer int) { p.ends[peer].Tx.GrowNever() }

// Grown implements transport.Grower.
func (p *Provider) Grown(peer, n int) (there int, ok bool) {
	k := p.ends[peer].Rx.Grown(uint32(n))
	return int(k), k != fast.GrownNever
}
