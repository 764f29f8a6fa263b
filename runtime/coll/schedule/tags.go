package schedule

// The tags of blocking operations. One each, so that ranks that do not call the same operation never take
// each other's data for their own. Between the groups of an intercommunicator the tag behind is used.
const (
	TagBarrier = 2 * (iota + 1)
	TagBcast
	TagReduce
	TagAllreduce
	TagGather
	TagScatter
	TagAllgather
	TagAlltoall
	TagReduceScatter
	TagScan
	TagExscan
	TagNeighbor
	TagOpen
	TagOpenBoard
	TagReuse
	TagAgree
	firstSerialTag // of the operations whose messages may be under way together with those of others
)

// serials is how many operations can be told apart.
const serials = 1 << 28

// TagOf is the tag of the operation with a number that comm.Comm.Serial has given.
func TagOf(serial uint32) int { return firstSerialTag + 2*int(serial%serials) }
