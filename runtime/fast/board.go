package fast

// Board is what one rank knows of the boards of a communicator (layout.go), as far as the C stubs need it as well: they
// carry out small nonblocking collective operations on the board by themselves. Like an Area it stands outside Go's heap,
// and stubs and Go follow the same rules on it, under the lock of the lane.
type Board struct {
	Handle  uintptr // by which the program knows the communicator; 0 when the stubs do not know it
	Me, N   uint32
	Ctx     uint32 // context of the communicator's collectives
	Serial  uint32 // number of the last nonblocking or persistent operation, refused ones left out
	Stubbed uint64 // operations that stubs have begun
	Reduces uint32 // the largest contribution to a reduction that stubs deal with, in bytes
	Row     Row    // of nonblocking operations
	Peers   *AreaPeer
}

// Row is where one rank is in a row of numbered operations: see package area.
type Row struct {
	Turns   uint64 // operations that have been numbered
	Before  uint64 // number of the last operation that an earlier communicator may have done here
	Through uint64 // this rank is done with the operations up to this one
	Lowest  uint64 // all others are done with those up to this one
	Ended   uint32 // this rank is done with the operation i+1 behind Through as well, for each bit i
}

// Deal is who shows what for whom in an operation on the board.
type Deal uint32

// The ways in which data is dealt out.
const (
	DealNone      Deal = iota
	DealEveryone       // everybody shows what is for everybody
	DealFromRoot       // the root shows what is for everybody
	DealToRoot         // everybody else shows what is for the root
	DealDealt          // the root shows a block for each rank, all of one size
	DealDealtV         // the same with a table of sizes
	DealCrossed        // everybody shows a block for each rank, all of one size
	DealCrossedV       // the same with a table of sizes
	DealMeeting        // everybody shows that it is there
	DealReduction      // everybody shows what the root, or everybody if there is none, combines
	DealShares         // everybody shows what each combines a share of
	DealPrefixIn       // everybody shows what it and those above it combine
	DealPrefixEx       // everybody shows what those above it combine
	DealNearby         // everybody shows what is for its destinations
	DealNearbyV        // everybody shows a block for each of its destinations, with a table
)

// A table of blocks stands at the begin of a slot: for each rank, or each destination, an entry of three words.
const (
	TableFor   = 0  // whom the block is for
	TableAt    = 8  // where it begins, counted from the begin of the table; or ByMessage
	TableBytes = 16 // its size
	TableEntry = 24
)

// ByMessage marks what does not stand in a slot: it comes as a message.
const ByMessage = ^uint64(0)

// NoRoot is the root of an operation that has none.
const NoRoot = ^uint32(0)

// Exchange is a nonblocking operation on the board that a stub has begun: what it has to show is shown. It belongs to the
// ticket of the same number, whose state is TicketExchange as long as the stub waits for others. Go takes it over, to go
// on where the stub was, as soon as a call waits in Go.
type Exchange struct {
	Board   *Board
	K       uint64 // number of the operation
	Deal    Deal
	Root    uint32 // NoRoot if there is none
	Next    uint32 // how many of those that have something for this rank have been dealt with
	Sources uint32 // of so many
	Serial  uint32 // Board.Serial of the operation
	Older   uint32 // the exchange begun before this one that waits still, by its ticket; NoRequest for none
	Newer   uint32 // and the one begun next

	Each   uint32               // blocks of all ranks have this size, in bytes; not used where Blocks are
	Listed uint32               // 1: what this rank receives is in Blocks
	Buf    uintptr              // where it goes
	Blocks [ExchangeRanks]Block // by rank, from Buf on

	// Of reductions:
	Send     uintptr // this rank's contribution
	Count    uint64  // elements of a contribution
	From     uint64  // the first of those that this rank combines
	Combined uint64  // how many these are; 0 on a rank that combines nothing
	Type, Op uintptr // handles of the predefined datatype and operation
}

// Block is a block of a buffer, in bytes.
type Block struct{ At, Bytes int64 }

// ExchangeRanks is how many ranks a communicator has at most whose operations with lists of blocks stubs begin.
const ExchangeRanks = 16

// AddBoard lets the stubs use a board, if its place is empty.
func (e *Endpoint) AddBoard(handle uintptr, b *Board) {
	at := &e.Boards[handle%AreaPlaces]
	if handle == 0 || *at != nil {
		return
	}
	b.Handle = handle
	*at = b
}

// dropBoard makes the stubs forget the board behind a handle.
func (e *Endpoint) dropBoard(handle uintptr) {
	if at := &e.Boards[handle%AreaPlaces]; *at != nil && (*at).Handle == handle {
		(*at).Handle = 0
		*at = nil
	}
}

// EndExchange takes the exchange of ticket i out of those that wait.
func (e *Endpoint) EndExchange(i uint32) {
	x := e.Exchange(i)
	if x.Older == NoRequest {
		e.Oldest = x.Newer
	} else {
		e.Exchange(x.Older).Newer = x.Newer
	}
	if x.Newer == NoRequest {
		e.Newest = x.Older
	} else {
		e.Exchange(x.Newer).Older = x.Older
	}
	e.Exchanging--
}
