package network

import (
	"encoding/binary"
	"fmt"
	"slices"

	"gompi/fabric"
	"gompi/runtime/transport"
	"gompi/shm"
)

// A frame is what goes as one message of the endpoint: a head and packets. A packet is its header
// (transport.Packet) and, where the payload does not fit into that, the payload, filled up to a multiple of
// alignment. Bulk in the header of such a one is the size of the payload.
//
//	0   uint64  token of the job: what has another one comes from a stranger
//	8   uint32  rank of the sender
//	12  uint32  up to which byte of packets the sender takes them from the receiver
//	16  uint32  size of the frame in bytes
//	20  uint32  number of the frame among those to this receiver, modulo 2^32: a provider may complete the
//	            receive of a short message ahead of that of a long one that was sent before
//	24  uint32  kind
//	28  uint32  unused
const (
	headToken  = 0
	headRank   = 8
	headLimit  = 12
	headSize   = 16
	headNumber = 20
	headKind   = 24
	frameHead  = 32

	packetHead = 64
	alignment  = transport.ZeroCopyUnit
)

// Kinds of frame.
const (
	packets = iota
	bye     // the sender leaves: the last frame to this peer
	// these have no number, and may be lost (greet.go)
	greeting
	answer
)

// Sizes in bytes.
const (
	// maxPayload: a message of this size goes with its header, and a long message in pieces of it. Frames
	// with one such piece take so long that what they cost otherwise does not count.
	maxPayload = 64 << 10
	// packed is the size from which on a frame is not filled any more.
	packed = 16 << 10
	// frameRoom is the room for a frame.
	frameRoom = frameHead + packetHead + maxPayload

	// firstWindow is how much a peer may send ahead at first, and largestWindow one that sends a lot.
	firstWindow   = 256 << 10
	largestWindow = 1 << 20
)

// token is by which frames of a job are known.
func token(job shm.JobID) uint64 { return binary.NativeEndian.Uint64(job[:]) }

// padded is a size filled up.
func padded(n int) int { return (n + alignment - 1) &^ (alignment - 1) }

// writeHead writes the head of a frame to where it begins.
func (p *Provider) writeHead(at uintptr, size int, h head) {
	b := shm.Bytes(at, frameHead)
	binary.NativeEndian.PutUint64(b[headToken:], p.token)
	binary.NativeEndian.PutUint32(b[headRank:], uint32(p.c.Rank))
	binary.NativeEndian.PutUint32(b[headLimit:], h.limit)
	binary.NativeEndian.PutUint32(b[headSize:], uint32(size))
	binary.NativeEndian.PutUint32(b[headNumber:], h.number)
	binary.NativeEndian.PutUint64(b[headKind:], uint64(h.kind))
}

// head is what the head of a frame says.
type head struct {
	rank   int // of the sender
	limit  uint32
	number uint32
	kind   uint32
}

// readHead reads the head of a frame of size bytes; ok is false for one of a stranger, and for any that is no
// frame of this job's.
func (p *Provider) readHead(at uintptr, size int) (h head, ok bool) {
	if size < frameHead {
		return h, false
	}
	b := shm.Bytes(at, frameHead)
	if binary.NativeEndian.Uint64(b[headToken:]) != p.token ||
		binary.NativeEndian.Uint32(b[headSize:]) != uint32(size) {
		return h, false
	}
	h.rank = int(int32(binary.NativeEndian.Uint32(b[headRank:])))
	h.limit = binary.NativeEndian.Uint32(b[headLimit:])
	h.number = binary.NativeEndian.Uint32(b[headNumber:])
	h.kind = binary.NativeEndian.Uint32(b[headKind:])
	return h, p.reaches(h.rank)
}

// cardFormat is the first byte of a card; others are for versions to come.
const cardFormat = 1

// makeCard is a card: format, length of the provider's name, name, version, address.
func makeCard(provider string, version fabric.Version, address []byte) []byte {
	card := append([]byte{cardFormat, byte(len(provider))}, provider...)
	card = binary.BigEndian.AppendUint32(card, uint32(version))
	return append(card, address...)
}

// readCard is the address in a card. The provider has to be the same, because each has a wire format of its
// own.
func readCard(card []byte, provider string, version fabric.Version) (address []byte, err error) {
	const fixed = 6
	if len(card) < fixed || card[0] != cardFormat || len(card) < fixed+int(card[1]) {
		return nil, fmt.Errorf("its card is not one of this gompi: % x", card)
	}
	n := int(card[1])
	its, itsVersion := string(card[2:2+n]), fabric.Version(binary.BigEndian.Uint32(card[2+n:]))
	if its != provider && (its == fabric.BuiltIn || provider == fabric.BuiltIn) {
		return nil, fmt.Errorf("it uses the provider %s, this rank %s: one of them has no libfabric, which all hosts "+
			"need or none (GOMPI_FABRIC=%s has all do without)", its, provider, fabric.BuiltIn)
	}
	if its != provider || itsVersion != version {
		return nil, fmt.Errorf("it uses the provider %s %s of libfabric, this rank %s %s: "+
			"all hosts need the same (GOMPI_FABRIC chooses one)", its, itsVersion, provider, version)
	}
	return slices.Clone(card[fixed+n:]), nil
}
