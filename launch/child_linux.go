package launch

import "gompi/launch/process"

// A rank that ends inside MPI is noticed at once and reaped late. The other ranks of its world reach its
// memory by its process id (process_vm_writev), and as long as it has not been reaped no other process can
// get that number. So such a rank stays a zombie until no rank of its world is left. Ranks know whether
// this holds for a peer: shm.RankKept.

// reap takes note of the end of one rank.
func (j *job) reap(r *rank) {
	if r.exited {
		return
	}
	if pid, status := process.Ended(r.pid); pid == r.pid {
		j.ended(r, status)
	}
}

// reapAll takes note of every child that has ended: ranks, and processes that ranks left behind.
func (j *job) reapAll() {
	for {
		pid, status := process.Ended(0)
		if pid == 0 {
			return
		}
		if c := j.hosts.CommandOf(pid); c != nil {
			c.Note(status)
		}
		r := j.rankOf(pid)
		if r != nil && !r.exited {
			j.ended(r, status)
		}
		if r == nil || !r.kept {
			process.Reap(pid)
			continue
		}
		// The kernel shows this one again and again, and none behind it.
		for _, other := range j.ranks {
			if other.child() {
				j.reap(other)
			}
		}
		if r.kept {
			return
		}
	}
}

// rankOf is the child of that number, nil for a process that some rank has left behind.
func (j *job) rankOf(pid int) *rank {
	for _, r := range j.ranks {
		if r.pid == pid && !r.guest && !r.away() && (!r.exited || r.kept) {
			return r
		}
	}
	return nil
}

// bury gives up the process id of a rank that has ended.
func (r *rank) bury() {
	r.kept = false
	if !r.guest && !r.away() {
		process.Reap(r.pid)
	}
}

// buryAll does so for all ranks of a world of which none lives.
func (w *world) buryAll() {
	for _, r := range w.ranks {
		if r.kept {
			r.bury()
		}
	}
}
