package p2p

// Kinds of packet, in Packet.Kind, with what they carry. A request is named by its index in the pool of its
// rank; it cannot go before the packet that names it has come. Package fast writes and reads packets of kinds
// eager and fetched, with the flags synchronous and named, by the same numbers.
//
//	eager      Ctx, Src, Tag; the payload; of one in the bulk area Data {size, index of a synchronous send,
//	           what the sender's copy has taken in ns, 0 or growing}
//	announce   Ctx, Src, Tag; Data {size, address, index of the send, when a blocking call sent it or 0}
//	           (RTS)
//	fetched    Ctx = index of the send: its data has been taken, or its receive been found; Tag = 1 if it
//	           could not be read (FIN)
//	ask        Ctx = index of the send, Tag = index of the receive, Src = number of the copy, Data {address
//	           of the receive's buffer, where the sender may write there, or 0}   (CTS)
//	piece      Ctx = index of the receive, Data {size, position, ns that it took the sender or growing}; the
//	           payload in the bulk area, or none where it is written
//	withdraw   Ctx, Src, Tag of a message that its sender cancels; Data {index of the send}
//	signature  the payload is the type signature of the message that comes next (signature.go)
//	am         active messages of other packages (am.go): Ctx, Src, Tag; four words in Data, then the body,
//	           or its size when it is in the bulk area
//	stop       Ctx = 1 if the receiver shall send no data but announce it, 0 if it shall resume; where
//	           the provider has no other way to say so (flow.go)
//	withdrawn  Ctx = index of the send, Tag = 1 if the message was there and is gone, 0 if it stays
const (
	eager uint8 = iota + 1
	announce
	fetched
	ask
	piece
	withdraw
	withdrawn
	signature
	am
	stop
	kinds
)

// synchronous in Packet.Flags asks the receiver to say when the message has been matched. The index of the
// send stands in Packet.Bulk when the payload is inline.
const synchronous uint8 = 1

// named in Packet.Flags says that the packet names its send likewise, because the user may still cancel it.
const named uint8 = 2

// unreadable in Packet.Flags of a message or piece says that its data could not be read: the receive fails as
// the send does.
const unreadable uint8 = 4

// written in Packet.Flags of a piece says that the sender has written it to where it belongs.
const written uint8 = 8

// gaps in Packet.Flags of an announcement says that the data does not lie in one run: it has to be asked for.
const gaps uint8 = 1

// announcedSync in Packet.Flags of an announcement says that the send is synchronous (MPI 5.0, 3.4).
const announcedSync uint8 = 2

// controlSize is the payload of the packets that carry words, in bytes, and announceSize that of
// announcements.
const (
	controlSize  = 24
	announceSize = 32
)
