package datatype

// long double is the x87 format here, ten bytes of value in sixteen of storage.
const (
	longDouble        = Float80
	longDoubleComplex = Complex160
	longDoubleInt     = Float80Int
)
