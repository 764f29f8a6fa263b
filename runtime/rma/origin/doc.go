// Package origin is the operations of a rank on the memory of others (MPI 5.0, 12.3): puts, gets and
// accumulates. An operation is one record (request), whatever path it takes; targetBuffer.choose finds that.
//
// Every operation is complete at its origin when its call returns. In mapped memory it is complete at the
// target as well. Puts and accumulates by active messages may be under way, and are waited for by the call
// that ends the epoch, or flushes.
package origin
