package runtime

import (
	"errors"
	"slices"
	"time"

	"gompi/fabric"
	"gompi/fabric/builtin"
	"gompi/runtime/p2p"
	"gompi/runtime/transport"
	"gompi/runtime/transport/network"
	"gompi/shm"
)

// farProvider leads to ranks of other nodes.
type farProvider interface {
	transport.Provider
	// Leave tells the peers that this rank ends as it should, and waits for those that have not failed, as
	// far as it has to and no longer than most. Close gives back what the kernel keeps.
	Leave(failed func(rank int) bool, most time.Duration)
	Close()
}

// leaving is for how long a rank that leaves waits for its peers to do so. They all have come to the end of
// MPI; one that takes longer has died, or still has a session.
const leaving = 2 * time.Second

// Cards exchanges what ranks of several machines have to know of each other before they can talk: each has a
// card with its address. boot.Job does so.
type Cards interface {
	// Exchange gives the card of this rank to all others and gets theirs. All ranks call it, once. After it
	// the segments of all machines have the job's one ID.
	Exchange(card []byte) error
	// Card is the card of a rank.
	Card(rank int) ([]byte, error)
}

// Launcher is one under which ranks may open the network when they need it. boot.Job is so where it can.
type Launcher interface {
	// UseNetwork tells all ranks that this one opens the network.
	UseNetwork() error
	// Tells reports whether the launcher says in shm.Network what the ranks do.
	Tells() bool
	// Rest tells a launcher that Tells that this rank is at its end and has not opened the network.
	Rest() error
}

// openLate opens the network once all ranks know that one does.
func (c *Config) openLate(open func() (*network.Provider, error)) (*network.Provider, error) {
	if err := c.Launcher.UseNetwork(); err != nil {
		return nil, err
	}
	return open()
}

// settling is how long after its start a rank opens the network, so that others find it however long it
// computes.
const settling = 20 * time.Millisecond

// restful is the condition that the launcher has said whether the network is used.
type restful struct{ segment *shm.Segment }

// Ready implements p2p.Condition.
func (r restful) Ready() bool { return shm.Network(r.segment) != shm.NetworkOpen }

// unused waits until all ranks of the job are at their end, or some rank uses the network, which this one has
// not done. It reports whether nobody has.
func (p *Process) unused() (bool, error) {
	late, ok := p.far.(*network.Late)
	if !ok || p.Settings.Recovery || !late.Rest() {
		return false, nil
	}
	if !p.Launcher.Tells() {
		late.Rise()
		return false, nil
	}
	if err := p.Launcher.Rest(); err != nil {
		return false, err
	}
	if err := p.Engine.WaitFor(restful{p.Segment}); err != nil {
		return false, err
	}
	if shm.Network(p.Segment) == shm.NetworkUnused {
		return true, nil
	}
	late.Rise()
	return false, nil
}

// nodeCards is for ranks of one machine that pretend to be on several: the cards stand in the segment.
type nodeCards struct{ c *Config }

// Exchange implements Cards. Nobody is waited for: a card that is not there yet is asked for again.
func (n nodeCards) Exchange(card []byte) error {
	shm.SetCard(n.c.Segment, n.c.NodeRank, card)
	return nil
}

// Card implements Cards.
func (n nodeCards) Card(rank int) ([]byte, error) {
	return shm.Card(n.c.Segment, slices.Index(n.c.Node, rank))
}

// combine is the node of each rank where some machines pretend to be several nodes each. Either may be nil.
func combine(machines, pretended []int) []int {
	if machines == nil || pretended == nil {
		return append(machines, pretended...)
	}
	number := map[[2]int]int{}
	nodes := make([]int, len(machines))
	for r := range nodes {
		pair := [2]int{machines[r], pretended[r]}
		k, known := number[pair]
		if !known {
			k = len(number)
			number[pair] = k
		}
		nodes[r] = k
	}
	return nodes
}

// openFar makes the provider to the ranks of other nodes, which is for the engine to come.
func (c *Config) openFar(e **p2p.Engine, isFar func(int) bool, wake func()) (farProvider, error) {
	malformed := func(peer int, what string) { (*e).Malformed(peer, "%s", what) }
	open := func() (*network.Provider, error) { return c.openFabric(e, isFar, malformed) }
	if c.Launcher == nil || c.Settings.Recovery { // all ranks live now, and may not do so later
		return open()
	}
	if c.PrepareFabric != nil {
		c.PrepareFabric()
	}
	return network.NewLate(isFar, func() (*network.Provider, error) {
		p, err := c.openLate(open)
		if err != nil {
			if dead := (*e).Alive(); dead != nil {
				err = dead // no network to that one is a consequence
			}
			c.Fatal(err)
		}
		return p, err
	}, wake), nil
}

// openFabric makes the provider once its endpoint is open.
func (c *Config) openFabric(e **p2p.Engine, isFar func(int) bool,
	malformed func(peer int, what string)) (*network.Provider, error) {
	alone := true
	for r := range c.Size {
		alone = alone && (r == c.Rank || isFar(r))
	}
	o, err := c.connect(c.opening(alone))
	if err != nil {
		return nil, err
	}
	cards := c.Cards
	if c.Machines == nil {
		cards = nodeCards{c}
	}
	cards = pinnedCards{cards, c}
	p, err := network.New(network.Config{
		Rank: c.Rank, Size: c.Size, Reaches: isFar, Survives: c.Settings.Recovery,
		Endpoint: o.Endpoint, Provider: o.Provider, Version: o.Version,
		Exchange: func(card []byte) (shm.JobID, error) {
			err := cards.Exchange(card)
			return c.Segment.ID(), err
		},
		Card:      cards.Card,
		Malformed: malformed, Unusable: func(err error) { (*e).Fail(err) },
	})
	if err != nil {
		o.Endpoint.Close()
		return nil, err
	}
	return p, nil
}

// connect opens an endpoint by libfabric, or the built-in one.
func (c *Config) connect(o fabric.Opening) (fabric.Opened, error) {
	if c.Fabric == nil || prefersBuiltIn(&o) {
		return builtin.Connect(o)
	}
	opened, err := c.Fabric(o)
	if err != nil && takesBuiltIn(&o, err) {
		return builtin.Connect(o)
	}
	return opened, err
}

// prefersBuiltIn reports whether libfabric is not even to be tried.
func prefersBuiltIn(o *fabric.Opening) bool {
	return o.Wish.Provider == fabric.BuiltIn || o.Wish.Provider == "" && o.Wish.Loopback
}

// takesBuiltIn reports whether the built-in endpoint takes the place of one that could not be opened:
// libfabric is not here, and the user has asked for nothing of it.
func takesBuiltIn(o *fabric.Opening, err error) bool {
	return errors.Is(err, fabric.ErrNoLibrary) && o.Wish.Provider == "" && o.File == ""
}

// thisMachine is the address by which ranks of pretended nodes talk.
const thisMachine = "127.0.0.1"

// opening says which network the settings want, for a rank that is alone on its node or not.
func (c *Config) opening(alone bool) fabric.Opening {
	s := &c.Settings
	o := fabric.Opening{
		File: s.Libfabric, Source: s.FabricAddress, Forced: s.FabricAddress != "",
		Wish:    fabric.Wish{Provider: s.Fabric, Loopback: c.Machines == nil},
		Options: network.Options(c.Size, alone, shm.BellOf(c.Segment, c.NodeRank).Word()),
	}
	switch {
	case o.Source != "":
	case o.Wish.Loopback:
		o.Source = thisMachine
	default:
		o.Source = c.Address
	}
	return o
}
