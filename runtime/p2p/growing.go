package p2p

import (
	"time"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/transport"
)

// Where every rank has a core, a long payload is published before it is there: the receiver copies it out
// while the sender copies it in, step by step (transport.Grower). The sender does nothing else meanwhile, so
// the receiver waits no longer than a copy takes, unless the sender loses its processor or dies.

// publishEarly publishes a packet with n bytes of b's data before these are there, if that is worth it. It
// reports false, and has done nothing, otherwise; growData follows at once.
func (p *protocols) publishEarly(l *link, peer int, pk *transport.Packet, b *datatype.Buffer, size int,
	n int64) bool {
	if n <= fast.MaxMessage || p.crowded || l.grower == nil || !b.Contiguous() {
		return false
	}
	took := pk.Data[2]
	pk.Data[2] = fast.Growing
	if l.grower.PublishEarly(peer, pk, size) {
		return true
	}
	pk.Data[2] = took
	return false
}

// growData copies n bytes of b's data, from byte at on, to the payload of a packet that was published early.
func (p *protocols) growData(l *link, peer int, b *datatype.Buffer, at int64, payload uintptr,
	n int64) error {
	for done := int64(0); done < n; {
		k := min(n-done, fast.GrowStep)
		if err := b.PackAt(at+done, payload+uintptr(done), k); err != nil {
			l.grower.GrowNever(peer)
			return err
		}
		done += k
		l.grower.Grow(peer, int(done))
	}
	return nil
}

// stallNap is how long a receiver sleeps at a time whose sender has no processor.
const stallNap = 50 * time.Microsecond

// isGrowing reports whether a packet of a peer was published early, by what its sender says that it took.
func (p *protocols) isGrowing(peer int, took uint64) bool {
	return took == fast.Growing && p.to(peer).grower != nil
}

// unpackGrowing puts the first n bytes of a payload into a buffer, from byte at of its data on, as they come.
func (p *protocols) unpackGrowing(b *datatype.Buffer, peer int, at int64, payload uintptr,
	n int64) (err error) {
	l := p.to(peer)
	for done, polls := int64(0), 0; done < n; {
		there, ok := l.grower.Grown(peer, int(n))
		if !ok {
			return lostData()
		}
		if k := int64(there) - done; k > 0 {
			if err == nil {
				err = b.UnpackAt(at+done, payload+uintptr(done), k)
			}
			done, polls = done+k, 0
			continue
		}
		if p.waiter.Spin(polls) {
			polls++
			continue
		}
		if err := p.failures.goneAmid(peer); err != nil {
			return err
		}
		time.Sleep(stallNap)
	}
	return err
}
