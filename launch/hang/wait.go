package hang

import (
	"strings"
	"time"
)

// Wait is what one rank waits for, in words.
type Wait struct {
	Call  string        // the MPI function
	Place string        // of the call in the source, "" when it is not known
	For   time.Duration // how long it has lasted
	What  string        // what would end it
	Polls bool          // the rank does not sleep but asks again and again
}

// Waits is what the threads of rank i of Ranks wait for; none unless all of it is waiting.
func (j *Job) Waits(i int) (all []Wait) {
	s := j.Ranks[i].State
	if s == nil || j.busy(i) {
		return nil
	}
	for k := range s.Waits {
		w := &s.Waits[k]
		r := j.row(i, w)
		place := j.place(i, w)
		all = append(all, Wait{strings.TrimSuffix(r.Call, " at "+place), place, r.For, r.What, w.Asks > 0})
	}
	return all
}

// Ranges is the numbers of ranks of Ranks as texts name them, such as "0-3, 7".
func (j *Job) Ranges(of []int) string { return j.ranges(of) }

// What is what rank i of Ranks does that does not wait, in words.
func (j *Job) What(i int) string { return j.doing(i) }
