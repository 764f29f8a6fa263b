package main

// What programs do, as they do it: exchanges of neighbours, more ranks than cores, other programs beside
// them.

// exchanges are messages with the buffers and the calls of a program.
func exchanges(p plan) []benchmark {
	run := func(kind string, sizes ...int) launch { return p.run("exchange", 2, 3, []string{kind}, sizes...) }
	return []benchmark{
		{name: "exchanges", group: "p2p", title: "Exchanges of two ranks", unit: "µs", axis: byBytes,
			about: "The whole time of one exchange: a message to and one fro, 64 messages by MPI_Isend, a ring by MPI_Sendrecv, a message both ways by MPI_Irecv and MPI_Isend, and a face of a cube of 64 x 64 x 64 doubles, a subarray, to and fro.",
			runs: []launch{run("roundtrip", 16<<10, 256<<10), run("isends", 256<<10), run("ring", 64<<10),
				run("bothways", either(p, []int{64 << 10, 256 << 10, 1 << 20}, []int{64 << 10})...), run("faces")}},
		{name: "local", group: "local", title: "Calls that need no other rank", unit: "ns", axis: byCall,
			about: "Messages of 8 bytes with MPI_PROC_NULL; messages of a rank to itself by MPI_Isend, MPI_Recv and MPI_Wait.",
			runs:  []launch{p.run("local", 2, 3, nil, 8, 64<<10)}},
	}
}

// objects are calls about MPI objects, and operations of programs that have many of them.
func objects(p plan) []benchmark {
	run := func(kind string) []launch { return []launch{p.run("objects", 2, 4, []string{kind})} }
	return []benchmark{
		{name: "questions", group: "local", title: "Calls about objects", unit: "ns", axis: byCall,
			about: "Calls that read or set what an object has, on a communicator that the program made.",
			runs:  run("questions")},
		{name: "making", group: "local", title: "Objects made and freed", unit: "ns", axis: byCall,
			about: "An object is made and freed; communicators and windows by both ranks.",
			runs:  run("making")},
		{name: "edges", group: "edges", title: "More of something, or something else", unit: "µs", axis: byCall,
			about: "8 bytes exchanged both ways by MPI_Sendrecv, MPI_Allreduce of a double, and MPI_Put with a flush, by programs with many communicators, attributes, operations and windows, and with others than plain ones.",
			runs:  []launch{p.run("edges", 2, 4, nil)}},
	}
}

// crowded are operations of ranks that do not have a core each.
func crowded(p plan) []benchmark {
	run := func(ranks, beside int, kind string) launch {
		l := p.run("percentiles", ranks, 1, []string{kind})
		l.beside = beside
		return l
	}
	var barriers []launch
	for _, ranks := range either(p, []int{8, 16, 32, 64}, []int{8}) {
		barriers = append(barriers, run(ranks, 0, "barrier"))
	}
	loads := []launch{run(2, 4, "roundtrip"), run(2, 1, "fence"), run(2, 1, "pscw")}
	const each = "Each operation is timed by itself; no rank is pinned. "
	return []benchmark{
		{name: "barrier", group: "crowded", title: "MPI_Barrier of many ranks", unit: "µs", axis: byRanks,
			about: each + "One barrier after the other, timed at rank 0.",
			runs:  barriers},
		{name: "beside", group: "crowded", title: "Two ranks beside busy programs", unit: "µs", axis: byCall,
			about: each + "A round trip of 8 bytes beside four programs that compute without end; MPI_Put of 8 bytes with a fence, and between post, start, complete and wait (PSCW), beside one.",
			runs:  either(p, loads, loads[:1])},
	}
}

func applications(p plan) []benchmark {
	var runs []launch
	for _, ranks := range either(p, []int{2, 4, 8, 16, 32}, []int{2, 4}) {
		runs = append(runs,
			p.run("heat2d", ranks, 3, nil, 256),
			p.run("cg", ranks, 3, nil, 192),
			p.run("sort", ranks, 3, nil, 1<<18))
		if ranks <= 8 {
			runs = append(runs, p.run("transpose", ranks, 3, nil, 64))
		}
	}
	return []benchmark{{name: "applications", group: "applications", title: "Small applications", unit: "ms", axis: byRanks,
		about: "heat2d: 100 steps on a plate of 256 x 256. Conjugate gradient: 50 steps on the sparse matrix of a grid of 192 x 192. 3-D transpose: the pattern of a distributed FFT of 64 x 64 x 64, forth and back. Integer sort: 262144 keys at each rank. Each checks its answer.",
		runs:  runs}}
}
