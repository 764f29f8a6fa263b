//go:build !amd64 && !arm64

package shm

import "sync/atomic"

// StoreRel32 stores v at p with release order.
func StoreRel32(p *uint32, v uint32) { atomic.StoreUint32(p, v) }

// StoreRel64 stores v at p with release order.
func StoreRel64(p *uint64, v uint64) { atomic.StoreUint64(p, v) }

// Pause does nothing where there is no instruction for it.
func Pause(n uint32) {}

// Fence orders what comes before it ahead of what follows.
func Fence() { atomic.AddUint32(new(uint32), 0) }
