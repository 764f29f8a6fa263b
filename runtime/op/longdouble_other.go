//go:build !amd64 || purego

package op

// Where there is no x87, its format is computed in integers.

func sumFloat80(out, in, inout uintptr, n int64)     { sumSoft[float80](out, in, inout, n) }
func productFloat80(out, in, inout uintptr, n int64) { productSoft[float80](out, in, inout, n) }
func productComplex160(out, in, inout uintptr, n int64) {
	productSoftComplex[float80](out, in, inout, n)
}
func sumComplex160(out, in, inout uintptr, n int64) { sumSoftComplex[float80](out, in, inout, n) }
