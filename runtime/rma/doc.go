// Package rma is one-sided communication (MPI 5.0, chapter 12): windows, the memory behind them,
// the operations on the memory of other ranks, and the synchronization around them. It knows groups
// and memory, not handles or error handlers.
//
// # Parts
//
// A Window is made of parts that have their own state:
//
//	core         its name, its ranks, and what package fast knows of it
//	memory       the memory that this rank has mapped
//	attachments  the memory attached to a dynamic window
//	Epochs       synchronization: the epochs that are open
//	guards       the locks of accumulates
//	requester    active messages to ranks near to this one
//	handler      those that they have sent
//	far          both for ranks that only packets reach
//
// # Memory
//
// MPI_Alloc_mem, MPI_Win_allocate and MPI_Win_allocate_shared take memory from shared allocations of the
// job's segment (package shm): every rank can map it once it is told the offset. The Space of a process knows
// which allocation an address of its own lies in. So each rank of a window has memory of one of these kinds,
// which all ranks of the window know:
//
//	mapped   it lies in an allocation, every rank maps it, and operations are loads and stores
//	private  anything else: only its owner has it mapped
//
// Ranks of other nodes and jobs are far, whatever their memory is.
//
// # Ways
//
// An operation goes by the first of these ways that is possible (targetBuffer.choose, and asks in package
// fast for what the C stubs carry out):
//
//	mapped           loads and stores
//	packets          to far ranks (far.go)
//	active messages  the target carries them out while it waits inside MPI, or when its own call ends
//	                 the epoch. It has come for the last ones, or a backoff has run out
//	single copy      process_vm_readv and process_vm_writev, also for messages that nobody has come for
//	progress thread  where the kernel refuses that: active messages all the same. The origin summons the
//	                 target's progress thread when nobody comes for them (progress.go)
//
// Whoever carries out active messages at the target does so by the same code: those that are simple
// in fast/handler.go, all others in handler.go. The two threads of a rank that do exclude each other
// (fast.Window.Claim).
//
// # Atomicity
//
// Accumulates are atomic per basic element, whatever path they take (MPI 5.0, 12.7.1). There is one
// discipline for each element, which depends on nothing but the kind of memory, the element's size
// and its alignment: in mapped memory, elements of 4 or 8 bytes that are aligned to their size are
// changed by the processor's atomic instructions; all others under the guard, a lock that each rank
// of each window has. Long rows of the former are combined by plain loops under the guard, while
// atomic instructions are kept away (guard.go). Nothing but an exclusive lock of the target, which
// keeps everybody else away, allows less.
//
// # Completion
//
// Every operation is complete at its origin when its call returns, so requests of operations are
// born done. In mapped memory it is complete at the target as well; what it wrote can be seen by
// other processors when the call that ends the epoch, or flushes, has returned: flushing is a fence
// of the processor. Puts and accumulates on private memory and on that of far ranks may be under
// way, and are waited for by that call.
//
// # Synchronization
//
// The ranks synchronize through counters and locks in the window's allocation (fast/window_layout.go),
// without messages but for far ranks, which tell their counters in packets. Who waits does so as for
// messages: it polls, yields, sleeps on its bell, and sees when a rank of the job dies.
//
// # Fast path
//
// Package fast has the structures and all that does not take long: the operations on mapped memory, active
// messages and their handler, locks, epochs. The C stubs run its translation. This package goes on with the
// same functions where something has to be waited for, has gaps, is far or is wrong.
package rma
