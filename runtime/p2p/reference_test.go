package p2p_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/tool"

	"pgregory.net/rapid"
)

// The engine beside an obvious model of it: one goroutine calls the engines of all ranks in turn, with random
// operations none of which waits, lets everything arrive, and then looks whether each request is where the
// model has it.

// sent is a send of the model.
type sent struct {
	from, to, tag int
	data          []byte
	sync          bool
	r             *request.Request
	matched       bool // a receive has found it
	probed        bool // a matched probe has
	cancelled     bool
}

// taken is a receive of the model, src and tag as the program gave them.
type taken struct {
	at, src, tag int
	memory       []byte
	r            *request.Request
	of           *sent
	cancelled    bool
}

// exchange is a composite request of the model: one message to the other rank and one from it.
type exchange struct {
	at, with int
	out, in  []byte
	r        *request.Request
	e        *p2p.Engine
	x        *p2p.Context
	begun    bool
	other    *exchange // nil as long as the other rank has not begun its one
}

func (c *exchange) Advance(r *request.Request) (bool, error) {
	if c.begun {
		return true, nil
	}
	c.begun = true
	c.e.Ops.PartRecv(r, c.x, buffer(c.in), c.with, 0, nil)
	c.e.Ops.PartSend(r, c.x, buffer(c.out), c.with, 0)
	return false, nil
}

type probe struct {
	m  p2p.Message
	of *sent
}

type model struct {
	t      *rapid.T
	ps     []*runtime.Process
	eager  int
	serial int

	arrived [][]*sent  // by rank: messages that nothing has found, in order
	posted  [][]*taken // by rank: receives that have found nothing, in order
	probed  [][]probe  // by rank: messages that a matched probe has found

	sends     []*sent
	receives  []*taken
	exchanges []*exchange
	unsettled int // rank whose sends have not been given the time to arrive, -1 if none
}

// settle has everything arrive: all ranks look until there is nothing under way, and some times more. A
// network may put off what it likes.
func (m *model) settle() {
	const more = 8
	all := make([]*p2p.Engine, len(m.ps))
	for i, p := range m.ps {
		all[i] = p.Engine
	}
	for quiet := 0; quiet < more; quiet++ {
		for _, e := range all {
			e.Progress()
		}
		if p2p.UnderWay(all) {
			quiet = 0
		}
	}
	m.unsettled = -1
}

func fits(want, got, wild int) bool { return want == got || want == wild }

func (k *taken) wants(s *sent) bool {
	return fits(k.src, s.from, p2p.AnySource) && fits(k.tag, s.tag, p2p.AnyTag)
}

// find takes the first message out of those at a rank that nothing has found.
func (m *model) find(k *taken, take bool) *sent {
	for i, s := range m.arrived[k.at] {
		if k.wants(s) {
			if take {
				m.arrived[k.at] = append(m.arrived[k.at][:i:i], m.arrived[k.at][i+1:]...)
			}
			return s
		}
	}
	return nil
}

func (m *model) send(from int) error {
	t := m.t
	s := &sent{from: from, to: rapid.IntRange(0, len(m.ps)-1).Draw(t, "to"),
		tag: rapid.IntRange(0, 2).Draw(t, "tag"), sync: rapid.IntRange(0, 3).Draw(t, "sync") == 0}
	size := rapid.SampledFrom([]int{0, 4, 60, 300, 5000, 40_000, 90_000}).Draw(t, "size")
	m.serial++
	s.data = pattern(size, uint64(m.serial))
	p := m.ps[from]
	start := p.Engine.Isend
	if s.sync {
		start = p.Engine.Issend
	}
	var err error
	if s.r, err = start(&p.World.P2P, buffer(s.data), s.to, s.tag); err != nil {
		return err
	}
	m.sends = append(m.sends, s)
	m.unsettled = from
	for i, k := range m.posted[s.to] {
		if k.wants(s) {
			m.posted[s.to] = append(m.posted[s.to][:i:i], m.posted[s.to][i+1:]...)
			k.of, s.matched = s, true
			return nil
		}
	}
	m.arrived[s.to] = append(m.arrived[s.to], s)
	return nil
}

func (m *model) pattern(at int) *taken {
	t := m.t
	src := rapid.IntRange(-1, len(m.ps)-1).Draw(t, "src")
	return &taken{at: at, src: src, tag: rapid.SampledFrom([]int{0, 1, 2, p2p.AnyTag}).Draw(t, "tag")}
}

func (m *model) receive(at int) (err error) {
	k := m.pattern(at)
	k.memory = bytes.Repeat([]byte{0xee}, 90_001)
	p := m.ps[at]
	if k.r, err = p.Engine.Irecv(&p.World.P2P, buffer(k.memory[:90_000]), k.src, k.tag); err != nil {
		return err
	}
	m.receives = append(m.receives, k)
	if k.of = m.find(k, true); k.of != nil {
		k.of.matched = true
	} else {
		m.posted[at] = append(m.posted[at], k)
	}
	return nil
}

// look probes, and takes the message if matched.
func (m *model) look(at int, matched bool) error {
	k := m.pattern(at)
	p := m.ps[at]
	var st request.Status
	var message p2p.Message
	var found bool
	var err error
	if matched {
		message, found, err = p.Engine.Improbe(&p.World.P2P, k.src, k.tag, &st)
	} else {
		found, err = p.Engine.Iprobe(&p.World.P2P, k.src, k.tag, &st)
	}
	s := m.find(k, matched)
	if err != nil || found != (s != nil) {
		return fmt.Errorf("probe at %d for %d, %d: %v %v, want %v", at, k.src, k.tag, found, err, s != nil)
	}
	if !found {
		return nil
	}
	if want := (request.Status{Source: int32(s.from), Tag: int32(s.tag),
		Bytes: int64(len(s.data))}); st != want {
		return fmt.Errorf("probe at %d: %+v, want %+v", at, st, want)
	}
	if matched {
		s.probed = true
		m.probed[at] = append(m.probed[at], probe{message, s})
	}
	return nil
}

func (m *model) receiveMatched(at int) (err error) {
	if len(m.probed[at]) == 0 {
		return nil
	}
	i := rapid.IntRange(0, len(m.probed[at])-1).Draw(m.t, "message")
	b := m.probed[at][i]
	m.probed[at] = append(m.probed[at][:i:i], m.probed[at][i+1:]...)
	k := &taken{at: at, src: b.of.from, tag: b.of.tag, memory: bytes.Repeat([]byte{0xee}, 90_001), of: b.of}
	b.of.matched = true
	k.r, err = b.m.Irecv(buffer(k.memory[:90_000]))
	m.receives = append(m.receives, k)
	return err
}

func (m *model) cancel() error {
	t := m.t
	n := len(m.sends) + len(m.receives)
	if n == 0 {
		return nil
	}
	i := rapid.IntRange(0, n-1).Draw(t, "request")
	if i >= len(m.sends) {
		k := m.receives[i-len(m.sends)]
		if k.of == nil && !k.cancelled {
			k.cancelled = true
			m.posted[k.at] = without(m.posted[k.at], k)
		}
		return m.ps[k.at].Engine.Cancel(k.r)
	}
	s := m.sends[i]
	if !s.matched && !s.probed && !s.cancelled {
		s.cancelled = true
		m.arrived[s.to] = without(m.arrived[s.to], s)
	}
	return m.ps[s.from].Engine.Cancel(s.r)
}

func without[T comparable](l []T, x T) []T {
	var rest []T
	for _, y := range l {
		if y != x {
			rest = append(rest, y)
		}
	}
	return rest
}

// exchange begins a composite request, the k-th of this rank with the other one meeting the other's k-th with
// this one.
func (m *model) exchange(at int) (err error) {
	p := m.ps[at]
	c := &exchange{at: at, with: rapid.IntRange(0, len(m.ps)-1).Draw(m.t, "with"), e: p.Engine, x: &p.World.Coll}
	if c.with == at {
		return nil
	}
	c.out, c.in = pattern(50_000, uint64(at)), make([]byte, 50_000)
	for _, o := range m.exchanges {
		if o.at == c.with && o.with == at && o.other == nil {
			c.other, o.other = o, c
			break
		}
	}
	c.r, err = p.Engine.Ops.Begin(c, p.World.Coll.ID)
	m.exchanges = append(m.exchanges, c)
	return err
}

func (s *sent) done(eager int) bool {
	return s.cancelled || s.matched || !s.sync && len(s.data) <= eager
}

// check compares all requests with the model, and gives back some of those that are done.
func (m *model) check(all bool) error {
	give := func() bool { return all || rapid.Bool().Draw(m.t, "complete") }
	sends := m.sends
	for _, s := range sends {
		e := m.ps[s.from].Engine
		if done, want := e.Done(s.r), s.done(m.eager); done != want {
			return fmt.Errorf("send of %d bytes from %d to %d with tag %d (sync %v): done is %v, want %v", len(s.data), s.from, s.to, s.tag, s.sync, done, want)
		}
		// One that can be cancelled yet stays until it is clear what becomes of it.
		if s.done(m.eager) && (s.matched || s.cancelled || all) && give() {
			var st request.Status
			if err := e.Wait(s.r, &st); err != nil || st.Cancelled != s.cancelled {
				return fmt.Errorf("send: %v, %+v", err, st)
			}
			m.sends = without(m.sends, s)
		}
	}
	for _, k := range m.receives {
		e := m.ps[k.at].Engine
		if done, want := e.Done(k.r), k.of != nil || k.cancelled; done != want {
			return fmt.Errorf("receive at %d for %d, %d: done is %v, want %v", k.at, k.src, k.tag, done, want)
		}
		if k.of == nil && !k.cancelled || !give() {
			continue
		}
		var st request.Status
		if err := e.Wait(k.r, &st); err != nil {
			return err
		}
		m.receives = without(m.receives, k)
		if k.cancelled {
			if !st.Cancelled {
				return fmt.Errorf("cancelled receive: %+v", st)
			}
			continue
		}
		if want := (request.Status{Source: int32(k.of.from), Tag: int32(k.of.tag),
			Bytes: int64(len(k.of.data))}); st != want {
			return fmt.Errorf("receive at %d for %d, %d: %+v, want %+v", k.at, k.src, k.tag, st, want)
		}
		if n := len(k.of.data); !bytes.Equal(k.memory[:n], k.of.data) || k.memory[n] != 0xee {
			return fmt.Errorf("receive at %d for %d, %d: wrong data", k.at, k.src, k.tag)
		}
	}
	for _, c := range m.exchanges {
		if done, want := c.e.Done(c.r), c.other != nil; done != want {
			return fmt.Errorf("exchange of %d with %d: done is %v, want %v", c.at, c.with, done, want)
		}
		if c.other != nil && give() {
			if err := c.e.Wait(c.r, nil); err != nil || !bytes.Equal(c.in, pattern(50_000, uint64(c.with))) {
				return fmt.Errorf("exchange of %d with %d: %v", c.at, c.with, err)
			}
			m.exchanges = without(m.exchanges, c)
		}
	}
	return nil
}

func (m *model) step() error {
	at := rapid.IntRange(0, len(m.ps)-1).Draw(m.t, "rank")
	what := rapid.SampledFrom([]string{"send", "send", "send", "receive", "receive", "probe", "mprobe", "mrecv", "cancel", "exchange"}).Draw(m.t, "what")
	if what == "send" && (m.unsettled < 0 || m.unsettled == at) {
		return m.send(at) // several of one rank may be on their way at once
	}
	m.settle()
	if err := m.check(false); err != nil {
		return err
	}
	switch what {
	case "send":
		return m.send(at)
	case "receive":
		return m.receive(at)
	case "probe", "mprobe":
		return m.look(at, what == "mprobe")
	case "mrecv":
		return m.receiveMatched(at)
	case "cancel":
		return m.cancel()
	}
	return m.exchange(at)
}

func (m *model) run() error {
	n := len(m.ps)
	m.arrived, m.posted, m.probed, m.unsettled = make([][]*sent, n), make([][]*taken, n), make([][]probe,
		n), -1
	for range rapid.IntRange(1, 80).Draw(m.t, "steps") {
		if err := m.step(); err != nil {
			return err
		}
	}
	m.settle()
	return m.check(true)
}

func TestAgainstReference(t *testing.T) {
	for name, o := range paths {
		o.Abandon = true
		eager := tool.DefaultEager
		if o.Settings.Eager != 0 {
			eager = o.Settings.Eager
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				n := rapid.IntRange(1, 4).Draw(rt, "ranks")
				ps := make([]*runtime.Process, n)
				var there sync.WaitGroup
				there.Add(n)
				over := make(chan struct{})
				var failure error
				var panicked any // which rapid does to give up
				testjob.Run(t, n, o, func(p *runtime.Process) error {
					ps[p.World.P2P.Rank] = p
					there.Done()
					if p.World.P2P.Rank > 0 {
						<-over
						return nil
					}
					defer close(over)
					defer func() { panicked = recover() }()
					there.Wait()
					m := &model{t: rt, ps: ps, eager: eager}
					failure = m.run()
					return nil
				})
				kept.memory = nil
				if panicked != nil {
					panic(panicked)
				}
				if failure != nil {
					rt.Fatal(failure)
				}
			})
		})
	}
}
