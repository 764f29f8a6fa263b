package op

import "gompi/runtime/datatype"

//go:generate go run gompi/internal/opgen

// A kernel combines n elements of one representation: out[i] = in[i] op inout[i]. n is above 0; out may be
// inout.
type kernel func(out, in, inout uintptr, n int64)

// The kernels of each operation, by representation. They are never written.
var (
	sums = [datatype.Basics]kernel{
		datatype.Int8: sumInt8, datatype.Int16: sumInt16, datatype.Int32: sumInt32, datatype.Int64: sumInt64,
		datatype.Uint8: sumInt8, datatype.Uint16: sumInt16, datatype.Uint32: sumInt32,
		datatype.Uint64:  sumInt64,
		datatype.Int128:  sumSoft[int128],
		datatype.Float16: sumSoft[float16], datatype.Float32: sumFloat32, datatype.Float64: sumFloat64,
		datatype.Float80: sumFloat80, datatype.Float128: sumSoft[float128],
		datatype.Complex32: sumSoftComplex[float16], datatype.Complex64: sumComplex64,
		datatype.Complex128: sumComplex128, datatype.Complex160: sumComplex160,
		datatype.Complex256: sumSoftComplex[float128],
	}
	products = [datatype.Basics]kernel{
		datatype.Int8: productInt8, datatype.Int16: productInt16, datatype.Int32: productInt32,
		datatype.Int64: productInt64,
		datatype.Uint8: productInt8, datatype.Uint16: productInt16, datatype.Uint32: productInt32,
		datatype.Uint64:  productInt64,
		datatype.Int128:  productSoft[int128],
		datatype.Float16: productSoft[float16], datatype.Float32: productFloat32,
		datatype.Float64: productFloat64,
		datatype.Float80: productFloat80, datatype.Float128: productSoft[float128],
		datatype.Complex32: productComplex32, datatype.Complex64: productComplex64,
		datatype.Complex128: productComplex128, datatype.Complex160: productComplex160,
		datatype.Complex256: productSoftComplex[float128],
	}
	maxima = [datatype.Basics]kernel{
		datatype.Int8: maximumInt8, datatype.Int16: maximumInt16, datatype.Int32: maximumInt32,
		datatype.Int64: maximumInt64,
		datatype.Uint8: maximumUint8, datatype.Uint16: maximumUint16, datatype.Uint32: maximumUint32,
		datatype.Uint64:  maximumUint64,
		datatype.Int128:  maximumSoft[int128],
		datatype.Float16: maximumSoft[float16], datatype.Float32: maximumFloat32,
		datatype.Float64: maximumFloat64,
		datatype.Float80: maximumSoft[float80], datatype.Float128: maximumSoft[float128],
	}
	minima = [datatype.Basics]kernel{
		datatype.Int8: minimumInt8, datatype.Int16: minimumInt16, datatype.Int32: minimumInt32,
		datatype.Int64: minimumInt64,
		datatype.Uint8: minimumUint8, datatype.Uint16: minimumUint16, datatype.Uint32: minimumUint32,
		datatype.Uint64:  minimumUint64,
		datatype.Int128:  minimumSoft[int128],
		datatype.Float16: minimumSoft[float16], datatype.Float32: minimumFloat32,
		datatype.Float64: minimumFloat64,
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
		datatype.Int8: logicalAndUint8, datatype.Int16: logicalAndUint16, datatype.Int32: logicalAndUint32,
		datatype.Int64: logicalAndUint64,
		datatype.Uint8: logicalAndUint8, datatype.Uint16: logicalAndUint16, datatype.Uint32: logicalAndUint32,
		datatype.Uint64:   logicalAndUint64,
		datatype.Logical8: logicalAndUint8, datatype.Logical16: logicalAndUint16,
		datatype.Logical32: logicalAndUint32,
		datatype.Logical64: logicalAndUint64, datatype.Logical128: logicalAnd128,
	}
	logicalOrs = [datatype.Basics]kernel{
		datatype.Int8: logicalOrUint8, datatype.Int16: logicalOrUint16, datatype.Int32: logicalOrUint32,
		datatype.Int64: logicalOrUint64,
		datatype.Uint8: logicalOrUint8, datatype.Uint16: logicalOrUint16, datatype.Uint32: logicalOrUint32,
		datatype.Uint64:   logicalOrUint64,
		datatype.Logical8: logicalOrUint8, datatype.Logical16: logicalOrUint16,
		datatype.Logical32: logicalOrUint32,
		datatype.Logical64: logicalOrUint64, datatype.Logical128: logicalOr128,
	}
	logicalXors = [datatype.Basics]kernel{
		datatype.Int8: logicalXorUint8, datatype.Int16: logicalXorUint16, datatype.Int32: logicalXorUint32,
		datatype.Int64: logicalXorUint64,
		datatype.Uint8: logicalXorUint8, datatype.Uint16: logicalXorUint16, datatype.Uint32: logicalXorUint32,
		datatype.Uint64:   logicalXorUint64,
		datatype.Logical8: logicalXorUint8, datatype.Logical16: logicalXorUint16,
		datatype.Logical32: logicalXorUint32,
		datatype.Logical64: logicalXorUint64, datatype.Logical128: logicalXor128,
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
