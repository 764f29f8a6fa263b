// Package partition is what of an operation's data belongs to which rank: the blocks of a buffer, the shares
// of a reduction, and the place of each contribution in the tree in which all reductions combine.
package partition
