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
	bitAnds = [datatype.Basics]kernel{
		datatype.Int8: bitAnd[size1], datatype.Int16: bitAnd[size2], datatype.Int32: bitAnd[size4],
		datatype.Int64: bitAnd[size8],
		datatype.Uint8: bitAnd[size1], datatype.Uint16: bitAnd[size2], datatype.Uint32: bitAnd[size4],
		datatype.Uint64: bitAnd[size8],
		datatype.Int128: bitAnd[size16],
	}
	bitOrs = [datatype.Basics]kernel{
		datatype.Int8: bitOr[size1], datatype.Int16: bitOr[size2], datatype.Int32: bitOr[size4],
		datatype.Int64: bitOr[size8],
		datatype.Uint8: bitOr[size1], datatype.Uint16: bitOr[size2], datatype.Uint32: bitOr[size4],
		datatype.Uint64: bitOr[size8],
		datatype.Int128: bitOr[size16],
	}
	bitXors = [datatype.Basics]kernel{
		datatype.Int8: bitXor[size1], datatype.Int16: bitXor[size2], datatype.Int32: bitXor[size4],
		datatype.Int64: bitXor[size8],
		datatype.Uint8: bitXor[size1], datatype.Uint16: bitXor[size2], datatype.Uint32: bitXor[size4],
		datatype.Uint64: bitXor[size8],
		datatype.Int128: bitXor[size16],
	}
	logicalAnds = [datatype.Basics]kernel{
		datatype.Int8: logicalAnd[uint8], datatype.Int16: logicalAnd[uint16],
		datatype.Int32: logicalAnd[uint32],
		datatype.Int64: logicalAnd[uint64],
		datatype.Uint8: logicalAnd[uint8], datatype.Uint16: logicalAnd[uint16],
		datatype.Uint32:   logicalAnd[uint32],
		datatype.Uint64:   logicalAnd[uint64],
		datatype.Logical8: logicalAnd[uint8], datatype.Logical16: logicalAnd[uint16],
		datatype.Logical32: logicalAnd[uint32],
		datatype.Logical64: logicalAnd[uint64], datatype.Logical128: logicalAnd128,
	}
	logicalOrs = [datatype.Basics]kernel{
		datatype.Int8: logicalOr[uint8], datatype.Int16: logicalOr[uint16],
		datatype.Int32: logicalOr[uint32],
		datatype.Int64: logicalOr[uint64],
		datatype.Uint8: logicalOr[uint8], datatype.Uint16: logicalOr[uint16],
		datatype.Uint32:   logicalOr[uint32],
		datatype.Uint64:   logicalOr[uint64],
		datatype.Logical8: logicalOr[uint8], datatype.Logical16: logicalOr[uint16],
		datatype.Logical32: logicalOr[uint32],
		datatype.Logical64: logicalOr[uint64], datatype.Logical128: logicalOr128,
	}
	logicalXors = [datatype.Basics]kernel{
		datatype.Int8: logicalXor[uint8], datatype.Int16: logicalXor[uint16],
		datatype.Int32: logicalXor[uint32],
		datatype.Int64: logicalXor[uint64],
		datatype.Uint8: logicalXor[uint8], datatype.Uint16: logicalXor[uint16],
		datatype.Uint32:   logicalXor[uint32],
		datatype.Uint64:   logicalXor[uint64],
		datatype.Logical8: logicalXor[uint8], datatype.Logical16: logicalXor[uint16],
		datatype.Logical32: logicalXor[uint32],
		datatype.Logical64: logicalXor[uint64], datatype.Logical128: logicalXor128,
	}
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
