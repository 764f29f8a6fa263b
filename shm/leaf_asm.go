//go:build amd64 || arm64

package shm

// StoreRel32 stores v at p with release order: whoever reads v there also sees everything written before. It
// is a plain store on amd64, which sync/atomic does not offer, and pairs with atomic.LoadUint32 in the
// reader.
//
//go:noescape
func StoreRel32(p *uint32, v uint32)

// StoreRel64 is StoreRel32 for 64 bits.
//
//go:noescape
func StoreRel64(p *uint64, v uint64)

// Pause tells the processor n times (n > 0) that this is a spin loop. It is bounded by the caller because the
// Go scheduler cannot interrupt assembly.
//
//go:noescape
func Pause(n uint32)

// Fence makes all that this thread has written visible to all processors before it reads anything that
// follows.
//
//go:noescape
func Fence()
