package launch

import (
	"gompi/launch/process"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// bind has the next process that this thread starts run on the processors that are meant for the rank, and
// returns what undoes that for the thread. Where it is not allowed the rank runs unbound, which is said
// once.
func (j *job) bind(r *world.Rank) (free func()) {
	free = func() {}
	number := j.started
	j.started++
	cpus := r.Cpus
	if cpus == nil && j.spec.Binding != nil {
		cpus = j.spec.Binding(number)
	}
	if cpus == nil {
		return free
	}
	var own, set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	err := unix.SchedGetaffinity(0, &own)
	if err == nil {
		err = unix.SchedSetaffinity(0, &set)
	}
	if err != nil {
		j.Say("%s cannot be bound to processors: %v", r, err)
		j.spec.Binding = nil
		return free
	}
	r.Bound = true
	return func() { unix.SchedSetaffinity(0, &own) }
}

// nodeCores is how many processors the ranks of a node share, as far as the launcher knows: the same for
// all of them, whatever a wrapper does to one.
func (j *job) nodeCores() int {
	if s := j.spec; s.Binding != nil {
		return s.Cores
	}
	return process.UsableCores()
}
