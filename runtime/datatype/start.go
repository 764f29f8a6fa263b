package datatype

// Start is the address of the first byte of data in a contiguous buffer.
func (b Buffer) Start() uintptr { return b.Addr + uintptr(b.Type.trueLB) }
