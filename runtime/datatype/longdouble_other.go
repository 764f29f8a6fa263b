//go:build !amd64

package datatype

// long double is IEEE binary128 in the procedure call standard of arm64, and of the other 64-bit targets of
// Linux.
const (
	longDouble        = Float128
	longDoubleComplex = Complex256
	longDoubleInt     = Float128Int
)
