//go:build !amd64 || purego

package op

// Where there is no x87, its format is computed in integers.

func sumFloat80(in, inout uintptr, n int64)        { each(float80.add)(in, inout, n) }
func productFloat80(in, inout uintptr, n int64)    { each(float80.mul)(in, inout, n) }
func productComplex160(in, inout uintptr, n int64) { productSoft[float80](in, inout, n) }
