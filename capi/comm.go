package main

import (
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// Communicators (MPI 5.0, 7.4).

// Results of comparing communicators, with the values of the standard ABI.
const (
	ident     = 201
	congruent = 202
	similar   = 203
	unequal   = 204
)

func mpiComm_rank(c *comm.Comm) (int, error) { return c.Rank(), nil }

func mpiComm_size(c *comm.Comm) (int, error) { return c.Size(), nil }

func mpiComm_compare(a, b *comm.Comm) (int, error) {
	if a == b {
		return ident, nil
	}
	if a.Size() != b.Size() {
		return unequal, nil
	}
	members := make(map[int]bool, a.Size())
	sameOrder := true
	for r := range a.Size() {
		members[a.P2P.Peers.Of(r)] = true
		sameOrder = sameOrder && a.P2P.Peers.Of(r) == b.P2P.Peers.Of(r)
	}
	if sameOrder {
		return congruent, nil
	}
	for r := range b.Size() {
		if !members[b.P2P.Peers.Of(r)] {
			return unequal, nil
		}
	}
	return similar, nil
}

func mpiComm_get_name(c *comm.Comm) (string, error) { return c.Name(), nil }

func mpiComm_set_name(c *comm.Comm, name string) error {
	if len(name) > maxObjectName-1 {
		return mpierr.New(mpierr.ErrArg, "comm_name has %d characters, at most %d are allowed", len(name), maxObjectName-1)
	}
	c.SetName(name)
	return nil
}

// mpiComm_test_inter is false for every communicator that can be made so far.
func mpiComm_test_inter(c *comm.Comm) (bool, error) { return false, nil }
