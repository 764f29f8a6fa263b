// Package alloc is memory of one process that other ranks of its node can map: shared allocations of the
// job's segment. MPI_Alloc_mem takes blocks of them, and windows what they allocate. A Space knows which
// allocation an address of its process lies in, so a window over a part of such memory is mapped by all.
package alloc
