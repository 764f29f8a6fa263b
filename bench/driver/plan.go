package main

import (
	"fmt"
	"strconv"
)

// axis says what the rows of a benchmark's table are.
type axis string

const (
	byBytes axis = "bytes"
	byRanks axis = "ranks"
)

// benchmark is one table of the report: a quantity over message sizes or over
// numbers of ranks.
type benchmark struct {
	name   string // for -only, and the name of the chart
	title  string
	unit   string
	more   bool // more is better
	axis   axis
	rounds int
	about  string // how it is measured, for the report
	runs   []launch
}

// launch is a program under mpiexec, once a round and MPI.
type launch struct {
	program string
	ranks   int
	args    []string
	wall    bool // the result is the wall time of mpiexec in ms, not printed
}

// Sizes of messages in bytes.
var (
	allSizes   = powers(1, 4<<20, 2)
	quickSizes = []int{1, 8, 64, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 4 << 20}
	bulkSizes  = powers(1<<10, 4<<20, 4)
)

// powers are the numbers from first to last, each so many times the one before.
func powers(first, last, factor int) []int {
	var all []int
	for n := first; n <= last; n *= factor {
		all = append(all, n)
	}
	return all
}

// allBenchmarks is the plan, in the order of the report.
func allBenchmarks(quick bool) []benchmark {
	batch, rounds, sizes, waiting := "20", 9, allSizes, 10
	crowd := []int{4, 16, 64}
	if quick {
		batch, rounds, sizes, waiting = "5", 3, quickSizes, 2
	}
	pair := func(program string, args []string, sizes []int) []launch {
		return []launch{{program: program, ranks: 2, args: withSizes(append([]string{batch}, args...), sizes)}}
	}
	collective := func(kind string, bytes int) []launch {
		var runs []launch
		for _, ranks := range []int{2, 4, 8} {
			runs = append(runs, launch{program: "collective", ranks: ranks, args: withSizes([]string{batch, kind}, []int{bytes})})
		}
		return runs
	}
	var starts []launch
	for _, ranks := range crowd {
		starts = append(starts, launch{program: "hello", ranks: ranks, wall: true})
	}
	return []benchmark{
		{name: "latency", title: "Ping-pong latency", unit: "µs", axis: byBytes, rounds: rounds,
			about: "Half the time of a message to and fro, MPI_Send and MPI_Recv between two ranks.",
			runs:  pair("pingpong", nil, sizes)},
		{name: "bandwidth", title: "Bandwidth, one way", unit: "MB/s", more: true, axis: byBytes, rounds: rounds,
			about: "Windows of 64 messages by MPI_Isend, each window answered by an empty message.",
			runs:  pair("stream", []string{"oneway"}, bulkSizes)},
		{name: "bothways", title: "Bandwidth, both ways together", unit: "MB/s", more: true, axis: byBytes, rounds: rounds,
			about: "As one way, but both ranks send and receive at once.",
			runs:  pair("stream", []string{"bothways"}, bulkSizes)},
		{name: "rate", title: "Message rate", unit: "messages/s", more: true, axis: byBytes, rounds: rounds,
			about: "Windows of 64 small messages by MPI_Isend, one way.",
			runs:  pair("stream", []string{"rate"}, []int{8, 64, 512})},
		{name: "allreduce", title: "MPI_Allreduce of one double", unit: "µs", axis: byRanks, rounds: rounds,
			about: "One call after the other, MPI_SUM; the slowest rank counts.",
			runs:  collective("allreduce", 8)},
		{name: "barrier", title: "MPI_Barrier", unit: "µs", axis: byRanks, rounds: rounds,
			about: "One call after the other; the slowest rank counts.",
			runs:  collective("barrier", 0)},
		{name: "bcast", title: "MPI_Bcast of 1 KiB", unit: "µs", axis: byRanks, rounds: rounds,
			about: "One call after the other; the root goes round, so that none runs ahead.",
			runs:  collective("bcast", 1<<10)},
		{name: "alltoall", title: "MPI_Alltoall, 8 bytes to each rank", unit: "µs", axis: byRanks, rounds: rounds,
			about: "One call after the other; the slowest rank counts.",
			runs:  collective("alltoall", 8)},
		{name: "startup", title: "Start and end of a hello program", unit: "ms", axis: byRanks, rounds: 2*rounds + 1,
			about: "Wall time of mpiexec from its start to its end.",
			runs:  starts},
		{name: "memory", title: "Peak memory of a hello rank", unit: "KiB", axis: byRanks, rounds: rounds,
			about: "VmHWM in /proc/self/status after MPI_Finalize, so with the shared pages; the median rank counts.",
			runs:  []launch{{program: "footprint", ranks: 4}}},
		{name: "blocked", title: fmt.Sprintf("CPU time of a rank that waits %d s in MPI_Recv", waiting), unit: "s", axis: byRanks, rounds: 1,
			about: "User and system time by getrusage; the other rank sleeps.",
			runs:  []launch{{program: "blocked", ranks: 2, args: []string{strconv.Itoa(waiting)}}}},
	}
}

func withSizes(args []string, sizes []int) []string {
	for _, n := range sizes {
		args = append(args, strconv.Itoa(n))
	}
	return args
}
