package coll

import "gompi/runtime/comm"

// Barrier returns once all ranks have called it (MPI_Barrier, MPI 5.0, 6.3).
func Barrier(c *comm.Comm) error {
	if c.Size() == 1 {
		return nil
	}
	if a := sharedArea(c, 0); a != nil {
		return sharedBarrier(c, a)
	}
	t := join(c, tagBarrier)
	// Dissemination: after round k every rank knows of the 2^(k+1) ranks up to its own.
	for k := 1; k < t.size; k <<= 1 {
		t.signal((t.rank+k)%t.size, (t.rank-k+t.size)%t.size)
	}
	return t.finish()
}
