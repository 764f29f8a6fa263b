package main

import (
	"slices"
	"strconv"
)

// axis says what the numbers of a benchmark's rows are.
type axis string

const (
	byBytes   axis = "bytes"
	byRanks   axis = "ranks"
	byWaiting axis = "others waiting"
	byThreads axis = "threads"
	byCall    axis = "call" // no number: each series is one row
)

// benchmark is one table of the report: a quantity over message sizes, over
// numbers of ranks and so on, for one or several series.
type benchmark struct {
	name  string // for -only, and the name of the chart
	group string // also for -only
	title string
	unit  string
	more  bool // more is better
	axis  axis
	apart bool   // only where -only names it
	turns int    // how often in a round, 0 is once
	about string // how it is measured, for the report
	runs  []launch
}

// launch is a program under mpiexec.
type launch struct {
	program string
	ranks   int
	args    []string
	numbers []int  // the last arguments: the numbers of the rows where the axis counts what a program is told
	beside  int    // so many busy programs run meanwhile
	series  string // of the results, instead of what the program prints
	wall    bool   // the result is the wall time of mpiexec in ms, not printed
	once    bool   // in the first round only
}

// plan builds the benchmarks of a whole or of a quick run.
type plan struct {
	quick bool
	batch string // milliseconds
	file  string // that the I/O programs may write and remove
}

// Sizes of messages in bytes.
var (
	allSizes      = powers(1, 64<<20, 2)
	quickSizes    = []int{1, 8, 64, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 4 << 20}
	bulkSizes     = powers(1, 64<<20, 4)
	coldSizes     = powers(64, 64<<20, 8)
	blockSizes    = []int{8, 1 << 10, 64 << 10}
	largestBlocks = []int{4 << 20}
)

// longBlocks are the collectives, by ranks, that are also measured with blocks of 1 MiB.
var longBlocks = map[int]string{2: "MPI_Alltoall,MPI_Allgather", 4: "MPI_Alltoall"}

// powers are the numbers from first to last, each so many times the one before.
func powers(first, last, factor int) []int {
	var all []int
	for n := first; n <= last; n *= factor {
		all = append(all, n)
	}
	return all
}

// either is the first value in a whole run and the second in a quick one.
func either[T any](p plan, whole, quick T) T {
	if p.quick {
		return quick
	}
	return whole
}

// run is a launch of a program that measures for at most some seconds; a quick
// run has a second for each.
func (p plan) run(program string, ranks, seconds int, words []string, numbers ...int) launch {
	args := append([]string{p.batch, strconv.Itoa(either(p, seconds, 1))}, words...)
	return launch{program: program, ranks: ranks, args: args, numbers: numbers}
}

// command is the launch's words behind the program's name.
func (l launch) command() []string {
	words := slices.Clone(l.args)
	for _, n := range l.numbers {
		words = append(words, strconv.Itoa(n))
	}
	return words
}

// only is the launch with those of its numbers alone that are wanted. A launch whose numbers are not on the
// axis stays whole.
func (l launch) only(on axis, wanted []int) launch {
	if on == byRanks || on == byCall {
		return l
	}
	other := func(n int) bool { return !slices.Contains(wanted, n) }
	kept := slices.DeleteFunc(slices.Clone(l.numbers), other)
	if len(kept) > 0 {
		l.numbers = kept
	}
	return l
}

// allBenchmarks is the plan, in the order of the report. The figures that gompi
// is held to have several turns in a round.
func allBenchmarks(p plan) []benchmark {
	p.batch = either(p, "3", "1")
	var all []benchmark
	for _, chapter := range [](func(plan) []benchmark){pointToPoint, beyondBytes, exchanges, objects,
		collectives, oneSided, files, processes, crowded, applications} {
		all = append(all, chapter(p)...)
	}
	return all
}

func pointToPoint(p plan) []benchmark {
	stream := func(kind string, ranks int, sizes []int) launch {
		return p.run("stream", ranks, 5, []string{kind}, sizes...)
	}
	rate := func(series string, ranks int) launch {
		l := stream("rate", ranks, []int{8, 64, 512})
		l.series = series
		return l
	}
	wake := func(by, series string) launch {
		l := p.run("wake", 2, 1, []string{by})
		l.series = series
		return l
	}
	const windows = "Windows of 64 messages by MPI_Isend, fewer from 256 KiB on, each window answered by an empty message. "
	return []benchmark{
		{name: "latency", group: "p2p", title: "Ping-pong latency", unit: "µs", axis: byBytes, turns: 3,
			about: "Half the time of a message to and fro, MPI_Send and MPI_Recv between two ranks.",
			runs:  []launch{p.run("pingpong", 2, 5, []string{"warm"}, either(p, allSizes, quickSizes)...)}},
		{name: "fabric", group: "p2p", title: "Ping-pong latency of libfabric alone", unit: "µs", axis: byBytes, turns: 3, apart: true,
			about: "The same between two hosts by messages of libfabric, over the provider that gompi takes for TCP. Each MPI only starts the program.",
			runs:  []launch{p.run("fabric", 2, 3, nil, 1, 8, 64, 1<<10, 8<<10, 64<<10, 1<<20, 4<<20)}},
		{name: "wake", group: "p2p", title: "Message to a rank that sleeps", unit: "µs", axis: byCall,
			turns: 3, apart: true,
			about: "Half the time from a send to its answer, by a rank that has waited for 20 ms in MPI_Recv; " +
				"and the same without MPI over a connection of TCP, whose reader sleeps in read(2).",
			runs: []launch{wake("recv", "MPI_Recv"), wake("read", "read(2)")}},
		{name: "latency-cold", group: "p2p", title: "Ping-pong latency, cold buffers", unit: "µs", axis: byBytes,
			about: "The same out of 256 MiB of memory, so that no message is in a cache before it is sent.",
			runs: []launch{p.run("pingpong", 2, 5, []string{"cold"},
				either(p, coldSizes, []int{8, 64 << 10, 4 << 20})...)}},
		{name: "bandwidth", group: "p2p", title: "Bandwidth, one way", unit: "MB/s", more: true, axis: byBytes,
			about: windows,
			runs:  []launch{stream("oneway", 2, either(p, bulkSizes, quickSizes))}},
		{name: "bandwidth-cold", group: "p2p", title: "Bandwidth, one way, cold buffers", unit: "MB/s", more: true, axis: byBytes,
			about: windows + "The messages go through 256 MiB of memory.",
			runs:  []launch{stream("cold", 2, either(p, coldSizes, []int{64 << 10, 4 << 20}))}},
		{name: "bothways", group: "p2p", title: "Bandwidth, both ways together", unit: "MB/s", more: true, axis: byBytes,
			about: windows + "Both ranks send and receive at once.",
			runs:  []launch{stream("bothways", 2, either(p, bulkSizes, quickSizes))}},
		{name: "rate", group: "p2p", title: "Message rate", unit: "messages/s", more: true, axis: byBytes,
			about: "Windows of 64 small messages by MPI_Isend, one way; with 4 ranks two pairs at once.",
			runs:  []launch{rate("2 ranks", 2), rate("4 ranks", 4)}},
		{name: "polled", group: "p2p", title: "Message rate of ranks that poll", unit: "messages/s", more: true, axis: byBytes,
			about: "Each of 2 ranks keeps one receive from anybody posted, asks for it by MPI_Test, and sends in between when its last send is over.",
			runs:  []launch{p.run("polled", 2, 3, nil, 8, 128, 512, 2<<10, 8<<10)}},
		{name: "threads", group: "p2p", title: "Message rate of several threads", unit: "messages/s", more: true, axis: byThreads,
			about: "Under MPI_THREAD_MULTIPLE, windows of 64 messages of 8 bytes from each thread of a rank to one of the other.",
			runs:  []launch{p.run("threads", 2, 3, []string{"8"}, 1, 2, 4)}},
	}
}

func beyondBytes(p plan) []benchmark {
	var waiting []launch
	for _, kind := range []string{"posted", "unexpected", "wildcards"} {
		waiting = append(waiting, p.run("matching", 2, 5, []string{kind}, either(p, powers(10, 100000, 10),
			[]int{10, 1000, 100000})...))
	}
	return []benchmark{
		{name: "matching", group: "p2p", title: "Latency while others wait to be matched", unit: "µs", axis: byWaiting,
			about: "Ping-pong of 8 bytes while at one rank so many receives of other tags are posted, with a source or with MPI_ANY_SOURCE (wildcards), or so many unexpected messages of other tags have come.",
			runs:  waiting},
		{name: "datatypes", group: "datatypes", title: "Messages of derived datatypes", unit: "µs", axis: byBytes,
			about: "Half of a ping-pong. Beside each datatype stands the same message when the program packs and unpacks it by hand.",
			runs: []launch{p.run("datatype", 2, 5, nil, either(p, []int{1 << 10, 16 << 10, 256 << 10,
				4 << 20}, []int{1 << 10, 256 << 10})...)}},
		{name: "pack", group: "datatypes", title: "MPI_Pack and MPI_Unpack", unit: "µs", axis: byBytes,
			about: "Beside each datatype stand the loops that a program would have written, compiled with -O3 and timed in turn with it.",
			runs: []launch{p.run("pack", 1, 5, nil, either(p, []int{4 << 10, 64 << 10, 1 << 20},
				[]int{64 << 10})...)}},
		{name: "overlap", group: "p2p", title: "Overlap of computation and communication", unit: "% hidden", more: true, axis: byBytes,
			about: "How much of an exchange by MPI_Isend and MPI_Irecv, or of MPI_Iallreduce, is hidden behind computation that takes as long.",
			runs: []launch{p.run("overlap", 2, 5, nil, either(p, []int{64, 8 << 10, 64 << 10, 1 << 20,
				8 << 20}, []int{64 << 10, 1 << 20})...)}},
	}
}

func collectives(p plan) []benchmark {
	var allreduce []launch
	for _, ranks := range []int{2, 4, 8} {
		l := p.run("collective", ranks, 2, []string{"blocking", "MPI_Allreduce"}, 8)
		l.series = " " // one curve over the ranks
		allreduce = append(allreduce, l)
	}
	all := []benchmark{{name: "allreduce", group: "collectives", title: "MPI_Allreduce of one double", unit: "µs", axis: byRanks, turns: 3,
		about: "One call after the other, MPI_SUM; the slowest rank counts.",
		runs:  allreduce}}
	for _, kind := range []string{"blocking", "nonblocking"} {
		for _, ranks := range either(p, []int{2, 4, 8}, []int{2, 4}) {
			name, title := "collectives-", "Collective operations, "
			if kind == "nonblocking" {
				name, title = "nonblocking-", "Nonblocking collective operations, "
			}
			runs := []launch{p.run("collective", ranks, 6, []string{kind, "all"},
				either(p, blockSizes, blockSizes[:1])...)}
			if !p.quick {
				large := p.run("collective", ranks, 5, []string{kind, "all"}, largestBlocks...)
				large.once = true
				runs = append(runs, large)
			}
			if names := longBlocks[ranks]; kind == "blocking" && names != "" && !p.quick {
				runs = append(runs, p.run("collective", ranks, 4, []string{kind, names}, 1<<20))
			}
			all = append(all, benchmark{name: name + strconv.Itoa(ranks), group: "collectives",
				title: title + strconv.Itoa(ranks) + " ranks", unit: "µs", axis: byBytes,
				about: "One call after the other; the slowest rank counts, and the root goes round. The bytes are those of the vector, or of the block of each rank where the operation has one.",
				runs:  runs})
		}
	}
	return all
}

func oneSided(p plan) []benchmark {
	window := func(kind, how string) benchmark {
		return benchmark{name: "rma-" + kind, group: "rma", title: "One-sided, " + how, unit: "µs", axis: byBytes,
			about: "An operation of one rank on the memory of another, with the synchronization that completes it. Windows of 64 KiB at least.",
			// The atomic operations come last, at 8 bytes.
			runs: []launch{p.run("rma", 2, 4, []string{kind},
				either(p, []int{1 << 20, 64 << 10, 4 << 10, 8}, []int{64 << 10, 8})...)}}
	}
	return []benchmark{
		window("allocated", "windows of MPI_Win_allocate"),
		window("alloc_mem", "windows over memory of MPI_Alloc_mem"),
		window("private", "windows over memory of malloc"),
	}
}

func files(p plan) []benchmark {
	l := p.run("io", 4, 6, []string{p.file}, either(p, []int{4 << 10, 64 << 10, 1 << 20}, []int{64 << 10})...)
	blocks := p.run("darray", 4, 3, []string{p.file}, 16<<20)
	return []benchmark{{name: "io", group: "io", title: "File access by 4 ranks", unit: "MB/s", more: true, axis: byBytes,
		about: "All ranks together, a file in the page cache. Strided is a view in which blocks of 512 bytes of the ranks alternate; collective is the same by the collective calls. Block-cyclic is a matrix of doubles, of which each rank of a grid has blocks of 32 x 32 by turns (MPI_Type_create_darray); its bytes are those of the whole matrix.",
		runs:  []launch{l, blocks}}}
}

func processes(p plan) []benchmark {
	var starts, memory, blocked []launch
	for _, ranks := range []int{4, 16, 64} {
		starts = append(starts, launch{program: "hello", ranks: ranks, wall: true, once: ranks == 64})
	}
	for _, ranks := range either(p, []int{2, 4, 16}, []int{4}) {
		memory = append(memory, launch{program: "footprint", ranks: ranks, once: true})
	}
	// The first is the figure that gompi is held to.
	waiting := either(p, 10, 2)
	for _, call := range either(p, []string{"recv", "wait", "probe", "barrier"}, []string{"recv"}) {
		names := map[string]string{"recv": "MPI_Recv", "wait": "MPI_Wait", "probe": "MPI_Probe", "barrier": "MPI_Barrier"}
		seconds := waiting
		if call != "recv" {
			seconds = 2
		}
		l := p.run("blocked", 2, 1, []string{call}, seconds)
		l.series = names[call] + ", " + strconv.Itoa(seconds) + " s"
		l.once = true
		blocked = append(blocked, l)
	}
	return []benchmark{
		{name: "startup", group: "processes", title: "Start and end of a hello program", unit: "ms", axis: byRanks, turns: 3,
			about: "Wall time of mpiexec from its start to its end.",
			runs:  starts},
		{name: "memory", group: "processes", title: "Peak memory of a hello rank", unit: "KiB", axis: byRanks,
			about: "VmHWM in /proc/self/status after MPI_Finalize, so with the shared pages; the median rank counts.",
			runs:  memory},
		{name: "blocked", group: "processes", title: "CPU time of a rank that waits", unit: "s", axis: byCall,
			about: "User and system time by getrusage while the rank waits in a call; the other rank sleeps.",
			runs:  blocked},
	}
}
