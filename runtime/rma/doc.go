// Package rma is one-sided communication (MPI 5.0, chapter 12): windows, and the memory behind them. It knows
// groups and memory, not handles or error handlers.
//
// A Window is made of parts, which are packages with state of their own: am.Window (ranks and messages),
// epoch.Epochs (synchronization), origin.Operations (operations of this rank), target.Attachments (memory of
// dynamic windows), and memory, which this rank has mapped. A Space is what a process keeps for all its
// windows.
//
// Each rank of a window has memory of one of these kinds, which all ranks of the window know:
//
//	mapped   it lies in a shared allocation (package alloc), every rank maps it, and operations are loads
//	         and stores
//	private  anything else: only its owner has it mapped
//
// Ranks of other nodes and jobs are far, whatever their memory is.
//
// Package fast has the structures and all that does not take long. The C stubs run its translation. The
// packages here go on with the same functions where something has to be waited for, has gaps, is far or is
// wrong.
package rma
