package p2p

// Drain waits until every packet that found no room has gone out and no send is in flight any more: peers may still
// have to fetch data from this process. MPI_Finalize begins with it (MPI 5.0, 11.2.2).
func (e *Engine) Drain() error {
	e.lock()
	defer e.unlock()
	for n := 0; len(e.busy) > 0 || e.sending > 0; {
		if e.poll() {
			n = 0
			continue
		}
		to := -1
		if len(e.busy) > 0 {
			to = e.busy[0]
		}
		if err := e.idle(n, to, packets{}); err != nil {
			return err
		}
		n++
	}
	return nil
}
