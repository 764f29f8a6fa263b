// Package target is what is done in the memory of a window at its target: the handler of operations that
// other ranks ask for, near or far; what accumulates do to elements, whoever carries them out; the locks
// under which they do it; and the memory attached to dynamic windows.
//
// Accumulates are atomic per basic element, whatever path they take (MPI 5.0, 12.7.1). There is one
// discipline for each element, which depends on nothing but the kind of memory, the element's size
// and its alignment: in mapped memory, elements of 4 or 8 bytes that are aligned to their size are
// changed by the processor's atomic instructions; all others under the guard, a lock that each rank
// of each window has. Long rows of the former are combined by plain loops under the guard, while
// atomic instructions are kept away. Nothing but an exclusive lock of the target, which keeps everybody else
// away, allows less.
package target
