package p2p

import "gompi/runtime/mpierr"

// Reach is the process id by which the kernel copies between this process and the rank with that number in the job; ok
// is false where it refuses.
func (e *Engine) Reach(peer int) (pid int, ok bool) {
	e.lock()
	defer e.unlock()
	return e.net.Reach(peer)
}

// Alive is the error for a job of which a rank has died, nil as long as all live. It is for those who wait by themselves,
// and shortly.
func (e *Engine) Alive() error {
	if dead := e.net.Failed(); dead >= 0 {
		return mpierr.New(mpierr.ErrProcAborted, "rank %d of the job has died", dead)
	}
	return nil
}
