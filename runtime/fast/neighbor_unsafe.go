//fast:go

package fast

// SetNeighbors says who the neighbors of this rank are, and lets this package carry out neighborhood
// collectives on the ring, of contributions of up to most bytes. Without memory for that they are left to
// package coll. DropNeighbors follows.
func (s *CellRing) SetNeighbors(e *Endpoint, sources, destinations []int32, crossed bool, most uint32) {
	n := Neighborhood{In: uint32(len(sources)), Out: uint32(len(destinations))}
	for _, r := range destinations {
		if r >= 0 {
			n.Readers++
		}
	}
	if crossed {
		n.Crossed = 1
	}
	both, err := e.arena.ints(sources, destinations)
	if err != nil {
		return
	}
	if n.Sources = both; both != nil {
		n.Destinations = intAt(both, int32(len(sources)))
	}
	s.Neighborhood = n
	s.Most[Neighbors], s.Most[NeighborsV] = most, most
}

// DropNeighbors gives back what SetNeighbors has taken, if it has been called.
func (s *CellRing) DropNeighbors(o *Objects) {
	o.arena.putInts(s.Neighborhood.Sources, int(s.Neighborhood.In+s.Neighborhood.Out))
	s.Neighborhood = Neighborhood{}
	s.Most[Neighbors], s.Most[NeighborsV] = 0, 0
}

// SetNeighborsAlone is SetNeighbors for the communicator behind a handle, if it has one rank.
func SetNeighborsAlone(e *Endpoint, handle uintptr, sources, destinations []int32, crossed bool) {
	if c := e.known(handle); c != nil && c.Alone != nil {
		c.Alone.SetNeighbors(e, sources, destinations, crossed, mostAlone)
	}
}
