// Package node is collective operations among the ranks of one node, through the shared memory of package
// collseg. What ranks have they publish, in cells at once or in chunks one after the other, or by where it
// lies; who needs it takes or combines it.
//
// A Group carries out an operation that blocks (cells*.go, steps*.go). An Operation is one that is written
// down, since it does not block, is persistent, or is among neighbors: steps (package schedule), and behind
// them what goes over the nonblocking segment (nbc*.go).
package node
