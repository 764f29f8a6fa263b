package p2p

// Drain waits until every packet that found no room has gone out and no send is in flight any more: peers may
// still have to fetch data from this process. MPI_Finalize begins with it (MPI 5.0, 11.2.2).
func (e *Engine) Drain() error {
	e.lock()
	defer e.unlock()
	return wait(e, drained{e}, 0)
}

// drained is the condition that everything has gone out.
type drained struct{ e *Engine }

// Ready implements Condition.
func (d drained) Ready() bool { return len(d.e.busy) == 0 && d.e.endpoint.Sending == 0 }
