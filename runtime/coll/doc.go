// Package coll is collective communication (MPI 5.0, chapter 6): barrier, broadcast, reductions, and the ways
// of gathering and scattering. It knows communicators, datatypes and operations; handles and error handlers
// are above, and how a message travels is below.
//
// Every operation has one file and one exported function, which settles what needs no communication, checks
// what only the operation itself can know, and chooses the algorithm. Algorithms by messages are in package
// algorithm, those through the shared memory of a node in package node. Package schedule has what both are
// written in, and what is written down to be carried out later; package partition says what belongs to which
// rank.
//
// The choice of an algorithm depends on nothing but the number of ranks and the bytes each contributes, which
// are the same on all ranks of a correct program. rules.go is the table, which gompi-info --collectives
// prints and GOMPI_COLLECTIVES overrules.
//
//	by messages few bytes                     many bytes
//	Barrier     dissemination
//	Bcast       binomial tree                 scatter by a binomial tree, then a ring; of few on one
//	                                          node the root straight to everybody
//	Reduce      binomial tree                 halving, then a binomial tree to the root
//	Allreduce   doubling                      halving, then doubling
//	Gather      binomial tree                 everybody straight to the root
//	Scatter     binomial tree                 the root straight to everybody
//	Allgather   doubling, Bruck               ring; on one node everybody straight to everybody
//	Alltoall    Bruck                         pairwise exchange
//
// Blocking operations of the ranks of one node do without messages where they can (package node). What is
// short every rank publishes in a cell of shared memory that all others read. What is long goes in steps, one
// chunk after the other, so that the copying in and the copying out or combining go on at the same time; or
// it is read out of its owner's memory, if the ranks can reach that and it is found to be quicker. Long
// elements of reductions and those with gaps go by messages. Nonblocking and persistent operations, and those
// among neighbors, have shared memory of their own, the nonblocking segment: short data is published there,
// what is for everybody or for one rank also in pieces; other long data goes by messages.
//
// Where ranks are on several nodes (comm.Layout), operations are made of operations within nodes, between one
// rank of each, the leaders, and along rails, which join ranks of equal index on their nodes (nodes*.go).
// They are the same functions on views of the communicator, so each part chooses its algorithm by itself.
//
// The v and w forms, in which only a rank itself knows its sizes, go straight from rank to rank. In a
// reduce-scatter each rank collects all contributions to its part and combines them; a scan doubles the
// distance in every round, or goes from rank to rank in pieces where there are few ranks or much data on one
// node.
//
// Between the two groups of an intercommunicator data goes straight where each rank has something for each
// other. Where it does not, rank 0 of each group speaks for its group.
//
// # Blocking, nonblocking and persistent
//
// Each operation is a method of Team and is written once: it is carried out as it is called, or written down
// as a schedule.Schedule that the engine goes on with whenever its messages have come. Written down, it may
// say instead who publishes what for whom on the nonblocking segment (node.Operation); then every poll looks
// after it. Operations that are under way together are told apart by their tags, which all ranks number
// alike, because they start them in the same order.
//
// # The order of reductions
//
// All reductions combine the contributions in the same tree, whatever the algorithm, the root and the number
// of elements: with p ranks, q the greatest power of two not above p, the first 2(p-q) ranks are combined in
// neighbouring pairs; the q values that there are then are combined by a complete binary tree over
// neighbours. The lower rank is always the left operand. So the result does not depend on timing, all ranks
// get the same bits, MPI_Reduce gives what MPI_Allreduce gives, and operations that do not commute come out
// right. Over several nodes there is such a tree for each node, and one for the nodes. The one exception:
// above the limit for halving, an operation that commutes may get its operands exchanged, which is seen in
// the NaN that comes out of two NaNs, or the zero that is the maximum of 0 and -0, and still is the same on
// all ranks.
//
// # Failure
//
// A message that does not fit its buffer fails the call with MPI_ERR_TRUNCATE, but the rank goes on and plays
// its part, so that the others do not wait for it forever. After any other failure, the death of a rank above
// all, the call ends at once.
package coll
