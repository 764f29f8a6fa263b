package collseg

// Whom a rank waits for, as it is told when somebody asks: the context of the communicator's collectives, and
// the ranks that have not done their part.

// Absent is those who have not published in the present operation.
func (a *Segment) Absent() (ctx uint32, ranks []int32) {
	return a.absent(a.next, a.end, func(r int) bool { return a.Published(r) })
}

// Absent is those who are not done with what would be overwritten.
func (r *Room) Absent() (ctx uint32, ranks []int32) {
	a := (*Segment)(r)
	return a.absent(0, a.n, func(r int) bool { return a.DoneBy(uint32(r))+Cells >= a.Seq })
}

// Absent is those who are not done.
func (d *Drain) Absent() (ctx uint32, ranks []int32) {
	a := (*Segment)(d)
	return a.absent(a.done, a.doneEnd, func(r int) bool { return a.DoneBy(uint32(r)) >= a.Seq })
}

// Absent is those who have not published the step.
func (s *Published) Absent() (ctx uint32, ranks []int32) {
	a := (*Segment)(s)
	return a.absent(a.next, a.end, func(r int) bool { return a.publishedAt(r, a.step) })
}

// Absent is those who still read the chunk.
func (s *StepRoom) Absent() (ctx uint32, ranks []int32) {
	a := (*Segment)(s)
	return a.absent(a.done, a.doneEnd, a.hasRead)
}

// absent is those of the ranks from first up to, not including, end of which here is false.
func (a *Segment) absent(first, end int, here func(r int) bool) (ctx uint32, ranks []int32) {
	for r := first; r < end; r++ {
		if r != a.me && !here(r) {
			ranks = append(ranks, int32(r))
		}
	}
	return a.Ctx, ranks
}
