package p2p

// Ranks and tags with a meaning of their own, with the values of the standard ABI.
const (
	AnySource = -1
	AnyTag    = -2
	ProcNull  = -3
	TagUB     = 1<<30 - 1 // largest tag, MPI_TAG_UB
)

// PartitionContexts is added to the context of a communicator's messages for those of partitioned operations.
const PartitionContexts = 1 << 31

// Context is one space of messages: what is sent in it can only be received in it. A communicator owns two,
// for its user and for its collectives.
type Context struct {
	ID    uint32
	Rank  int // own rank
	Size  int // number of ranks that messages can be sent to
	Peers Peers

	Session uint32 // number of the session that it comes from, 0 when it comes from none
}

// Peers translates ranks of a context into job ranks: by a table, or as Base + Stride*rank, which costs no
// memory however many ranks there are.
type Peers struct {
	Base, Stride int
	Table        []int32
}

// Of is the job rank of the given rank, which must be in range.
func (p *Peers) Of(rank int) int {
	if p.Table != nil {
		return int(p.Table[rank])
	}
	return p.Base + p.Stride*rank
}
