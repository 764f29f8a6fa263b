//go:build race

package shm

import "sync/atomic"

const raceDetector = true

// The race detector knows nothing of memory outside Go's heap, where the mutex of a lane stands. This word,
// through which all mutexes pass, tells it what they order.
var ordered atomic.Uint32

// Acquired follows when a lock was taken, and Releasing comes before it is given back.
func Acquired()  { ordered.Load() }
func Releasing() { ordered.Add(1) }
