package datatype

import "slices"

// Lists of runs: what indexed types and structs of many members are made of. As long as a list is being made
// it has 16 bytes per run; it becomes loops where it is regular, and stays a list where it is not.

// shortList is how many runs stay steps of their own, which an array of structs is moved by (step.flat).
const shortList = 16

// compileRuns appends steps for a list of runs, no two of which touch. It may keep the list.
func compileRuns(steps []step, list []listedRun) []step {
	loops, equal := regularity(list)
	switch {
	case len(list) <= shortList || loops*progression <= len(list):
		return loopsOf(steps, list, loops)
	case equal:
		s := step{off: list[0].off, count: int64(len(list)), size: list[0].end,
			offs: make([]int64, len(list))}
		for i := range list {
			s.offs[i] = list[i].off - s.off
		}
		return append(steps, s)
	}
	if cap(list) > len(list)+len(list)/4 {
		list = append(make([]listedRun, 0, len(list)), list...)
	}
	s := step{off: list[0].off, count: 1, size: list[len(list)-1].end, list: list}
	for i := range list { // so that the step's address is always that of data
		list[i].off -= s.off
	}
	return append(steps, s)
}

// beginOf is where run i begins in the step's stream.
func beginOf(list []listedRun, i int) int64 {
	if i == 0 {
		return 0
	}
	return list[i-1].end
}

// sizeOf is the number of bytes of run i.
func sizeOf(list []listedRun, i int) int64 { return list[i].end - beginOf(list, i) }

// regularity is of how many loops over equal runs at equal distances a list consists, single runs included,
// and whether all runs have the same size.
func regularity(list []listedRun) (loops int, equal bool) {
	equal = true
	size := list[0].end
	distance, length := int64(0), 1 // of the loop at hand; any distance does as long as it has one run
	for i := 1; i < len(list); i++ {
		n, d := list[i].end-list[i-1].end, list[i].off-list[i-1].off
		if n == size && (length == 1 || d == distance) {
			distance = d
			length++
			continue
		}
		equal = equal && n == size
		loops++
		size, length = n, 1
	}
	return loops + 1, equal
}

// loopsOf appends a list as steps: loops over equal runs at equal distances, and single runs.
func loopsOf(steps []step, list []listedRun, loops int) []step {
	steps = slices.Grow(steps, min(loops*progression, len(list)))
	for i := 0; i < len(list); {
		n, distance := sizeOf(list, i), int64(0)
		j := i + 1
		for ; j < len(list) && sizeOf(list, j) == n; j++ {
			d := list[j].off - list[j-1].off
			if j == i+1 {
				distance = d
			} else if d != distance {
				break
			}
		}
		if j-i >= progression && len(list) > shortList {
			steps = append(steps, run(list[i].off, n).repeated(int64(j-i), distance))
			i = j
			continue
		}
		steps = append(steps, run(list[i].off, n))
		i++
	}
	return steps
}

// listed is transfer for a leaf with a list: the rest of a run, whole runs, and the begin of one.
func (s *step) listed(base uintptr, at int64, stream []byte, dir direction) int {
	list, done := s.list, 0
	i := 0
	if at > 0 {
		i = holder(list, at)
	}
	begin := int64(0) // of run i in the step's stream
	if i > 0 {
		begin = list[i-1].end
	}
	if at > begin {
		done = int(min(list[i].end-at, int64(len(stream))))
		move(base+uintptr(list[i].off+at-begin), stream[:done], dir)
		begin = list[i].end
		i++
	}
	if done == len(stream) || i == len(list) {
		return done
	}
	end := len(list) // of the whole runs that fit
	if begin+int64(len(stream)-done) < list[end-1].end {
		end = i + holder(list[i:], begin+int64(len(stream)-done))
	}
	if end > i {
		n := int(list[end-1].end - begin)
		moveListed(base, list[i:end], begin, stream[done:done+n], dir)
		done, begin = done+n, list[end-1].end
	}
	if end < len(list) && done < len(stream) {
		n := min(len(stream)-done, int(list[end].end-begin))
		move(base+uintptr(list[end].off), stream[done:done+n], dir)
		done += n
	}
	return done
}

// holder is the index of the run to which byte at of the stream belongs.
func holder(list []listedRun, at int64) int {
	lo, hi := 0, len(list)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); list[mid].end <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
