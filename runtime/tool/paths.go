package tool

// Path is how a one-sided operation gets to the target's memory.
type Path uint8

// The paths, with the values of package fast.
const (
	Mapped        Path = iota // by loads and stores
	Kernel                    // by copies of the kernel
	ActiveMessage             // by active messages, which the target carries out
	Helper                    // by the target's progress thread
	Packets                   // by packets, which the target answers
	Paths                     // how many there are
)

// paths tells of each its name and what it is, as the ending of a sentence.
var paths = [Paths]struct{ name, help string }{
	Mapped:        {"mapped", "by loads, stores and atomic instructions on memory that is mapped in both processes"},
	Kernel:        {"kernel", "by copies that the kernel makes between the processes"},
	ActiveMessage: {"active_message", "by active messages, which the target carries out as it waits inside MPI"},
	Helper:        {"helper", "by a thread of the target's, where the kernel makes no copies"},
	Packets:       {"packets", "by packets, which targets on other nodes and in other jobs answer"},
}

// RMA is what the one-sided operations of a process, or on a window, come to.
type RMA struct {
	// operations that a rank has begun, and bytes at the targets that they were about
	Operations, Bytes [Paths]uint64
	TakenBack         uint64 // active messages for which the target did not come
}

// Add adds what others come to.
func (r *RMA) Add(other *RMA) {
	for p := range r.Operations {
		r.Operations[p] += other.Operations[p]
		r.Bytes[p] += other.Bytes[p]
	}
	r.TakenBack += other.TakenBack
}

// sum is the sum of numbers.
func sum(numbers []uint64) (n uint64) {
	for _, k := range numbers {
		n += k
	}
	return n
}

// oneSided lists the performance variables of one-sided operations: of the whole process and, bound to it, of
// a window; all together and by path.
func oneSided() []Performance {
	var list []Performance
	for _, of := range []struct {
		prefix, tail string
		bind         Bind
	}{{"rma", "", NoObject}, {"win", " of the window", BindWin}} {
		add := func(name, help string, class Class, read func(*Counters) uint64) {
			list = append(list, Performance{of.prefix + name, help, "rma", of.bind, class, Unsigned, read})
		}
		add("_operations", "one-sided operations"+of.tail+" that have moved data", Counter, func(c *Counters) uint64 { return sum(c.RMA.Operations[:]) })
		add("_bytes", "bytes at their targets that one-sided operations"+of.tail+" were about", Aggregate, func(c *Counters) uint64 { return sum(c.RMA.Bytes[:]) })
		for p := range paths {
			add("_"+paths[p].name+"_operations", "one-sided operations"+of.tail+" carried out "+paths[p].help,
				Counter, func(c *Counters) uint64 { return c.RMA.Operations[p] })
			add("_"+paths[p].name+"_bytes",
				"bytes of one-sided operations"+of.tail+" carried out "+paths[p].help, Aggregate, func(c *Counters) uint64 { return c.RMA.Bytes[p] })
		}
		add("_active_messages_taken_back", "active messages"+of.tail+" for which the target did not come in time, so that the origin did them itself", Counter, func(c *Counters) uint64 { return c.RMA.TakenBack })
	}
	return list
}
