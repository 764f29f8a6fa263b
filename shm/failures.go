package shm

import "sync/atomic"

// Failures that the job survives. Where it does, the death of a rank is noted in a bitmap of the ranks of the
// job instead of HdrDeadRank, and the failure epoch moves as it does for a death that ends the job. Who reads
// an epoch that it does not know yet looks at both.

// MaxRecoverable bounds the ranks of a job that survives deaths.
const MaxRecoverable = 8 * failedBytes

const failedBytes = PageSize - HdrFailed

// MarkFailed tells all ranks of the node that the given job rank has failed and wakes those that sleep. Any
// process that has the segment may call it, more than once. It reports whether nobody has before.
func MarkFailed(s *Segment, jobRank int) (first bool) {
	if jobRank < 0 || jobRank >= MaxRecoverable {
		return false
	}
	word, bit := failedWord(s, jobRank/64), uint64(1)<<(jobRank%64)
	if first = atomic.OrUint64(word, bit)&bit == 0; first {
		Alarm(s)
	}
	return first
}

func failedWord(s *Segment, i int) *uint64 { return Word64(s.Base + HdrFailed + 8*uintptr(i)) }

// HasFailed reports whether a job rank is known to have failed.
func HasFailed(s *Segment, jobRank int) bool {
	return jobRank < MaxRecoverable && atomic.LoadUint64(failedWord(s, jobRank/64))>>(jobRank%64)&1 != 0
}

// FailedAmong calls f for each of the first n job ranks that has failed, in rising order.
func FailedAmong(s *Segment, n int, f func(jobRank int)) {
	for r := 0; r < min(n, MaxRecoverable); r += 64 {
		if atomic.LoadUint64(failedWord(s, r/64)) == 0 {
			continue
		}
		for i := r; i < min(r+64, n); i++ {
			if HasFailed(s, i) {
				f(i)
			}
		}
	}
}

// Perished reports whether a node rank has died, or its job does not survive a death.
func Perished(s *Segment, nodeRank int) bool {
	if Epoch(s) == 0 {
		return false
	}
	job := atomic.LoadUint32(Word32(s.Base + RankOffset(nodeRank) + RankJobRank))
	return Broken(s) || HasFailed(s, int(job))
}

// Broken reports whether a rank has died and the job does not survive it, or the job is being ended.
func Broken(s *Segment) bool {
	if Epoch(s) == 0 {
		return false
	}
	if DeadRank(s) >= 0 {
		return true
	}
	failed := false
	FailedAmong(s, MaxRecoverable, func(int) { failed = true })
	return !failed
}
