package op

import "gompi/runtime/datatype"

// A kernel combines n elements of one representation: out[i] = in[i] op inout[i]. n is above 0; out may be
// inout.
type kernel func(out, in, inout uintptr, n int64)

// The kernels of each operation, by representation. They are never written.
var (
	sums = [datatype.Basics]kernel{
		datatype.Int8: sum[int8], datatype.Int16: sum[int16],
		datatype.Int32: sum[int32], datatype.Int64: sum[int64],
		datatype.Uint8: sum[int8], datatype.Uint16: sum[int16], datatype.Uint32: sum[int32],
		datatype.Uint64:  sum[int64],
		datatype.Int128:  sumSoft[int128],
		datatype.Float16: sumSoft[float16], datatype.Float32: sum[float32],
		datatype.Float64: sum[float64],
		datatype.Float80: sumSoft[float80], datatype.Float128: sumSoft[float128],
		datatype.Complex32: sumSoftComplex[float16], datatype.Complex64: sumComplex64,
		datatype.Complex128: sumComplex128, datatype.Complex160: sumSoftComplex[float80],
		datatype.Complex256: sumSoftComplex[float128],
	}
	products = [datatype.Basics]kernel{
		datatype.Int8: product[int8], datatype.Int16: product[int16], datatype.Int32: product[int32],
		datatype.Int64: product[int64],
		datatype.Uint8: product[int8], datatype.Uint16: product[int16], datatype.Uint32: product[int32],
		datatype.Uint64:  product[int64],
		datatype.Int128:  productSoft[int128],
		datatype.Float16: productSoft[float16], datatype.Float32: product[float32],
		datatype.Float64: product[float64],
		datatype.Float80: productSoft[float80], datatype.Float128: productSoft[float128],
		datatype.Complex32: productComplex32, datatype.Complex64: productComplex[single],
		datatype.Complex128: productComplex[double], datatype.Complex160: productSoftComplex[float80],
		datatype.Complex256: productSoftComplex[float128],
	}
	maxima = [datatype.Basics]kernel{
		datatype.Int8: maximum[int8], datatype.Int16: maximum[int16], datatype.Int32: maximum[int32],
		datatype.Int64: maximum[int64],
		datatype.Uint8: maximum[uint8], datatype.Uint16: maximum[uint16],
		datatype.Uint32:  maximum[uint32],
		datatype.Uint64:  maximum[uint64],
		datatype.Int128:  maximumSoft[int128],
		datatype.Float16: maximumSoft[float16], datatype.Float32: maximum[float32],
		datatype.Float64: maximum[float64],
		datatype.Float80: maximumSoft[float80], datatype.Float128: maximumSoft[float128],
	}
	minima = [datatype.Basics]kernel{
		datatype.Int8: minimum[int8], datatype.Int16: minimum[int16], datatype.Int32: minimum[int32],
		datatype.Int64: minimum[int64],
		datatype.Uint8: minimum[uint8], datatype.Uint16: minimum[uint16],
		datatype.Uint32:  minimum[uint32],
		datatype.Uint64:  minimum[uint64],
		datatype.Int128:  minimumSoft[int128],
		datatype.Float16: minimumSoft[float16], datatype.Float32: minimum[float32],
		datatype.Float64: minimum[float64],
		datatype.Float80: minimumSoft[float80], datatype.Float128: minimumSoft[float128],
	}
	bitAnds = bitwiseKernels([5]kernel{
		bitAnd[size1], bitAnd[size2], bitAnd[size4], bitAnd[size8], bitAnd[size16],
	})
	bitOrs = bitwiseKernels([5]kernel{
		bitOr[size1], bitOr[size2], bitOr[size4], bitOr[size8], bitOr[size16],
	})
	bitXors = bitwiseKernels([5]kernel{
		bitXor[size1], bitXor[size2], bitXor[size4], bitXor[size8], bitXor[size16],
	})
	logicalAnds = truthKernels([5]kernel{
		logicalAnd[uint8], logicalAnd[uint16], logicalAnd[uint32], logicalAnd[uint64], logicalAnd128,
	})
	logicalOrs = truthKernels([5]kernel{
		logicalOr[uint8], logicalOr[uint16], logicalOr[uint32], logicalOr[uint64], logicalOr128,
	})
	logicalXors = truthKernels([5]kernel{
		logicalXor[uint8], logicalXor[uint16], logicalXor[uint32], logicalXor[uint64], logicalXor128,
	})
	maxLocations = [datatype.Basics]kernel{
		datatype.Int16Int: maxLoc[int16, int32], datatype.Int32Int: maxLoc[int32, int32],
		datatype.Int64Int:   maxLoc[int64, int32],
		datatype.Float32Int: maxLoc[float32, int32], datatype.Float64Int: maxLoc[float64, int32],
		datatype.Float80Int: maxLocWide[float80], datatype.Float128Int: maxLocWide[float128],
		datatype.Float32Pair: maxLoc[float32, float32], datatype.Float64Pair: maxLoc[float64, float64],
	}
	minLocations = [datatype.Basics]kernel{
		datatype.Int16Int: minLoc[int16, int32], datatype.Int32Int: minLoc[int32, int32],
		datatype.Int64Int:   minLoc[int64, int32],
		datatype.Float32Int: minLoc[float32, int32], datatype.Float64Int: minLoc[float64, int32],
		datatype.Float80Int: minLocWide[float80], datatype.Float128Int: minLocWide[float128],
		datatype.Float32Pair: minLoc[float32, float32], datatype.Float64Pair: minLoc[float64, float64],
	}
)

// bitwiseKernels is the kernels of a bitwise operation, by those for 1, 2, 4, 8 and 16 bytes.
func bitwiseKernels(by [5]kernel) [datatype.Basics]kernel {
	return [datatype.Basics]kernel{
		datatype.Int8: by[0], datatype.Int16: by[1], datatype.Int32: by[2], datatype.Int64: by[3],
		datatype.Uint8: by[0], datatype.Uint16: by[1], datatype.Uint32: by[2], datatype.Uint64: by[3],
		datatype.Int128: by[4],
	}
}

// truthKernels is the kernels of a logical operation, likewise.
func truthKernels(by [5]kernel) [datatype.Basics]kernel {
	return [datatype.Basics]kernel{
		datatype.Int8: by[0], datatype.Int16: by[1], datatype.Int32: by[2], datatype.Int64: by[3],
		datatype.Uint8: by[0], datatype.Uint16: by[1], datatype.Uint32: by[2], datatype.Uint64: by[3],
		datatype.Logical8: by[0], datatype.Logical16: by[1], datatype.Logical32: by[2],
		datatype.Logical64: by[3], datatype.Logical128: by[4],
	}
}
