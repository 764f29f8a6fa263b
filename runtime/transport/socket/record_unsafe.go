package socket

import (
	"unsafe"

	"gompi/runtime/transport"
)

// record is a packet as it goes through a socket: the header, and the payload behind it where it does not fit
// into that.
type record struct {
	head    transport.Packet
	payload [maxPayload]byte
}

// bytes is the header with n bytes of payload.
func (r *record) bytes(n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(r)), int(unsafe.Sizeof(r.head))+n)
}
