package lines

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// ranks says which rank runs.
type ranks struct {
	now   int
	turns []chan struct{} // one per rank, on which it waits for its turn
	ended []bool
	done  chan struct{}
	panic any
}

// Run runs body for each rank, in turns: a rank gives way where it would wait.
func (m *Machine) Run(body func(r int)) {
	n := len(m.counts)
	m.ranks = ranks{turns: make([]chan struct{}, n), ended: make([]bool, n), done: make(chan struct{})}
	for r := range n {
		m.ranks.turns[r] = make(chan struct{}, 1)
	}
	for r := range n {
		go func() {
			<-m.ranks.turns[r]
			defer func() {
				if v := recover(); v != nil {
					m.ranks.panic = fmt.Sprintf("rank %d: %v\n%s", r, v, debug.Stack())
					close(m.ranks.done)
					return
				}
				m.ranks.ended[r] = true
				m.next()
			}()
			body(r)
		}()
	}
	m.ranks.turns[0] <- struct{}{}
	<-m.ranks.done
	if m.ranks.panic != nil {
		panic(m.ranks.panic)
	}
}

// next lets the next rank run that has not ended and does not sleep. When all sleep, time wakes the next one.
func (m *Machine) next() {
	n := len(m.counts)
	from := m.ranks.now
	if m.Drawn != 0 {
		m.Drawn = m.Drawn*1664525 + 1013904223 | 1<<31
		from = int(m.Drawn>>8) % n
	}
	for _, naps := range []bool{false, true} {
		for i := 1; i <= n; i++ {
			r := (from + i) % n
			if m.ranks.ended[r] || !naps && m.Sleeps && atomic.LoadUint32(m.bells[r]) != 0 {
				continue
			}
			if naps {
				m.counts[r].Naps++
			}
			m.ranks.now = r
			m.ranks.turns[r] <- struct{}{}
			return
		}
	}
	close(m.ranks.done)
}

// GiveWay lets others run.
func GiveWay() {
	me := running.ranks.now
	running.next()
	<-running.ranks.turns[me]
}

// Pause lets others run while a rank waits, which sleeps if ranks do.
func Pause() {
	m := running
	bell := m.bells[m.ranks.now]
	if m.Sleeps {
		StoreUint32(bell, 1)
	}
	GiveWay()
	if m.Sleeps {
		StoreUint32(bell, 0)
	}
}

// Wake ends the sleep of the owner of a bell.
func Wake(bell *uint32) {
	StoreUint32(bell, 0)
	running.counts[running.ranks.now].Wakes++
}
