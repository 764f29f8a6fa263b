package network

import (
	"unsafe"

	"gompi/runtime/transport"
	"gompi/shm"
)

// packetAt is the header of a packet in the memory of the endpoint.
func packetAt(at uintptr) *transport.Packet {
	return (*transport.Packet)(unsafe.Pointer(shm.Word64(at)))
}

// A header takes as much as the wire says.
var _ [unsafe.Sizeof(transport.Packet{})]byte = [packetHead]byte{}
