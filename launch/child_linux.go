package launch

import (
	"gompi/launch/process"
	"gompi/launch/world"
)

// A rank that ends inside MPI is noticed at once and reaped late. The other ranks of its world reach its
// memory by its process id (process_vm_writev), and as long as it has not been reaped no other process can
// get that number. So such a rank stays a zombie until no rank of its world is left. Ranks know whether
// this holds for a peer: shm.RankKept.

// reap takes note of the end of one rank.
func (j *job) reap(r *world.Rank) {
	if r.Exited {
		return
	}
	if pid, status := process.Ended(r.Pid); pid == r.Pid {
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
		r := j.RankOf(pid)
		if r != nil && !r.Exited {
			j.ended(r, status)
		}
		if r == nil || !r.Kept {
			process.Reap(pid)
			continue
		}
		// The kernel shows this one again and again, and none behind it.
		for _, other := range j.Ranks {
			if other.Child() {
				j.reap(other)
			}
		}
		if r.Kept {
			return
		}
	}
}

// exitWatch hears when a rank's process has ended.
type exitWatch struct {
	job *job
	r   *world.Rank
}

func (w exitWatch) Ready(uint32) { w.job.reap(w.r) }

// innerWatch hears when the process that speaks for a rank, below a wrapper script, has ended.
type innerWatch struct {
	job *job
	r   *world.Rank
}

func (w innerWatch) Ready(uint32) { w.job.innerEnded(w.r) }
