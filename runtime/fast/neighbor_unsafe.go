//fast:go

package fast

// Surround says who the neighbors of this rank are, and lets this package carry out neighborhood collectives
// on the ring, of contributions of up to most bytes. Without memory for that they are left to package coll.
// Leave follows.
func (s *CellRing) Surround(e *Endpoint, sources, destinations []int32, crossed bool, most uint32) {
	near := Neighborhood{In: uint32(len(sources)), Out: uint32(len(destinations))}
	for _, r := range destinations {
		if r >= 0 {
			near.Readers++
		}
	}
	if crossed {
		near.Crossed = 1
	}
	var err error
	if near.Sources, err = e.arena.ints(sources); err != nil {
		return
	}
	if near.Destinations, err = e.arena.ints(destinations); err != nil {
		e.arena.putInts(near.Sources, len(sources))
		return
	}
	s.Near = near
	s.Most[Neighbors], s.Most[NeighborsV] = most, most
}

// Leave gives back what Surround has taken, if it has been called.
func (s *CellRing) Leave(o *Objects) {
	o.arena.putInts(s.Near.Sources, int(s.Near.In))
	o.arena.putInts(s.Near.Destinations, int(s.Near.Out))
	s.Near = Neighborhood{}
	s.Most[Neighbors], s.Most[NeighborsV] = 0, 0
}

// SurroundAlone is Surround for the communicator behind a handle, if it has one rank.
func SurroundAlone(e *Endpoint, handle uintptr, sources, destinations []int32, crossed bool) {
	if c := e.known(handle); c != nil && c.Alone != nil {
		c.Alone.Surround(e, sources, destinations, crossed, mostAlone)
	}
}
