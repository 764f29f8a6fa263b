package fast

// InlineSize is the number of payload bytes that fit into a slot beside the header.
const InlineSize = 40

// InBulk in a slot's Inline field says that the payload stands in the payload area of the ring, or in the
// area of its sender, whose offsets follow.
const InBulk = 0xffff

// Malformed is the kind of a packet that no sender writes; see Rx.Peek.
const Malformed uint8 = 0

// Slot is one entry of a ring: one cache line that holds the header of a packet and, if it is small, its
// payload.
//
//	0   Seq     uint32  position + 1 once the packet is complete. Written last, with release order
//	4   Kind    uint8   meaning of the packet, for the layers above
//	5   Flags   uint8   for the layers above
//	6   Inline  uint16  bytes of Data in use; InBulk when the payload stands in the payload area
//	8   Ctx     uint32  matching context
//	12  Src     int32   sender's rank in that context
//	16  Tag     int32
//	20  Bulk    uint32  offset of the payload in the payload area, or behind
//	24  Data    40 bytes: the payload, or the words of a control packet
type Slot struct {
	Seq    uint32
	Kind   uint8
	Flags  uint8
	Inline uint16
	Ctx    uint32
	Src    int32
	Tag    int32
	Bulk   uint32
	Data   [InlineSize / 8]uint64
}

// Holds reports whether a payload of n bytes is within the slot or the payload area. The offset has been
// checked by Rx.Peek.
func (s *Slot) Holds(n uint64) bool {
	if s.Inline == InBulk {
		if s.Bulk >= bulkSize {
			return n <= areaEnd-uint64(s.Bulk)
		}
		return n <= bulkSize-uint64(s.Bulk)
	}
	return n <= uint64(s.Inline)
}

// InBulk reports whether the payload stands in the payload area; its size is then for the layers above to
// tell.
func (s *Slot) InBulk() bool { return s.Inline == InBulk }
