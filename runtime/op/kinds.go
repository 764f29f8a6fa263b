package op

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
)

// Kinds are the kinds of elements that package fast combines by itself, and that there are kernels in C for,
// by representation; 0 for others.
var Kinds = [datatype.Basics]uint8{
	datatype.Int8: fast.ElementInt8, datatype.Uint8: fast.ElementUint8, datatype.Logical8: fast.ElementUint8,
	datatype.Int16: fast.ElementInt16, datatype.Uint16: fast.ElementUint16,
	datatype.Logical16: fast.ElementUint16,
	datatype.Int32:     fast.ElementInt32, datatype.Uint32: fast.ElementUint32,
	datatype.Logical32: fast.ElementUint32,
	datatype.Int64:     fast.ElementInt64, datatype.Uint64: fast.ElementUint64,
	datatype.Logical64: fast.ElementUint64,
	datatype.Float32:   fast.ElementFloat, datatype.Float64: fast.ElementDouble,
	datatype.Int16Int: fast.ElementShortInt, datatype.Int32Int: fast.ElementIntInt,
	datatype.Int64Int: fast.ElementLongInt, datatype.Float32Int: fast.ElementFloatInt,
	datatype.Float64Int: fast.ElementDoubleInt, datatype.Float32Pair: fast.ElementFloatPair,
	datatype.Float64Pair: fast.ElementDoublePair,
	datatype.Complex64:   fast.ElementComplexFloat, datatype.Complex128: fast.ElementComplexDouble,
	datatype.Float80: fast.ElementLongDouble, datatype.Complex160: fast.ElementComplexLongDouble,
	datatype.Float80Int: fast.ElementLongDoubleInt,
}
