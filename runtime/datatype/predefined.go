package datatype

// handleBase is the handle value of MPI_DATATYPE_NULL; the predefined datatypes follow within 255 (MPI 5.0,
// 20.3).
const handleBase = 0x200

// byteHandle is the handle value of MPI_BYTE.
const byteHandle = 0x247

// packedHandle is the handle value of MPI_PACKED.
const packedHandle = 0x207

// markerBase is the handle value of MPI_LB. It is outside of what the standard's ABI gives to handles.
const markerBase = 0xf00

// markers are MPI_LB and MPI_UB, which hold no data and set a bound of the struct that they are in (MPI 2.2,
// 4.1.6). MPI 3.0 removed them; All does not list them.
var markers = [...]Type{
	{name: "MPI_LB", handle: markerBase, kind: Packed, align: 1, markedLB: true, body: []step{}},
	{name: "MPI_UB", handle: markerBase + 1, kind: Packed, align: 1, markedUB: true, body: []step{}},
}

// ByHandle finds the predefined type whose handle has the value h in the standard ABI; nil when there is
// none, as for MPI_DATATYPE_NULL.
func ByHandle(h uint32) *Type {
	i := h - handleBase
	if i >= uint32(len(predefined)) {
		if i = h - markerBase; i < uint32(len(markers)) {
			return &markers[i]
		}
		return nil
	}
	if predefined[i].handle == 0 {
		return nil
	}
	return &predefined[i]
}

// All lists the predefined types in the order of their handles.
func All() []*Type {
	var all []*Type
	for i := range predefined {
		if predefined[i].handle != 0 {
			all = append(all, &predefined[i])
		}
	}
	return all
}

// predefined is indexed by handle value less handleBase. It is never written. Sizes are those of the C and
// Fortran compilers on linux/amd64 and linux/arm64, where they agree. Every optional Fortran type is there:
// what a compiler does not have (REAL2 in gfortran) still is a well-defined run of bits, and two-byte floats
// exist in C as _Float16. It is written out, not computed, so that loading the library costs no time.
var predefined = [...]Type{
	0x01: {name: "MPI_AINT", handle: 0x201, basic: Int64, kind: MultiLanguage, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x02: {name: "MPI_COUNT", handle: 0x202, basic: Int64, kind: MultiLanguage, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x03: {name: "MPI_OFFSET", handle: 0x203, basic: Int64, kind: MultiLanguage, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x07: {name: "MPI_PACKED", handle: 0x207, basic: Opaque, kind: Packed, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x08: {name: "MPI_SHORT", handle: 0x208, basic: Int16, kind: CInteger, align: 2, size: 2, extent: 2,
		trueUB: 2, dense: true},
	0x09: {name: "MPI_INT", handle: 0x209, basic: Int32, kind: CInteger, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x0a: {name: "MPI_LONG", handle: 0x20a, basic: Int64, kind: CInteger, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x0b: {name: "MPI_LONG_LONG_INT", handle: 0x20b, basic: Int64, kind: CInteger, align: 8, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x0c: {name: "MPI_UNSIGNED_SHORT", handle: 0x20c, basic: Uint16, kind: CInteger, align: 2, size: 2,
		extent: 2, trueUB: 2, dense: true},
	0x0d: {name: "MPI_UNSIGNED", handle: 0x20d, basic: Uint32, kind: CInteger, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x0e: {name: "MPI_UNSIGNED_LONG", handle: 0x20e, basic: Uint64, kind: CInteger, align: 8, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x0f: {name: "MPI_UNSIGNED_LONG_LONG", handle: 0x20f, basic: Uint64, kind: CInteger, align: 8, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x10: {name: "MPI_FLOAT", handle: 0x210, basic: Float32, kind: Floating, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x12: {name: "MPI_C_COMPLEX", handle: 0x212, basic: Complex64, kind: Complex, align: 4, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x13: {name: "MPI_CXX_FLOAT_COMPLEX", handle: 0x213, basic: Complex64, kind: Complex, align: 4, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x14: {name: "MPI_DOUBLE", handle: 0x214, basic: Float64, kind: Floating, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x16: {name: "MPI_C_DOUBLE_COMPLEX", handle: 0x216, basic: Complex128, kind: Complex, align: 8, size: 16,
		extent: 16, trueUB: 16, dense: true},
	0x17: {name: "MPI_CXX_DOUBLE_COMPLEX", handle: 0x217, basic: Complex128, kind: Complex, align: 8,
		size: 16, extent: 16, trueUB: 16, dense: true},
	0x18: {name: "MPI_LOGICAL", handle: 0x218, basic: Logical32, kind: Logical, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x19: {name: "MPI_INTEGER", handle: 0x219, basic: Int32, kind: FortranInteger, align: 4, size: 4,
		extent: 4, trueUB: 4, dense: true},
	0x1a: {name: "MPI_REAL", handle: 0x21a, basic: Float32, kind: Floating, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x1b: {name: "MPI_COMPLEX", handle: 0x21b, basic: Complex64, kind: Complex, align: 4, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x1c: {name: "MPI_DOUBLE_PRECISION", handle: 0x21c, basic: Float64, kind: Floating, align: 8, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x1d: {name: "MPI_DOUBLE_COMPLEX", handle: 0x21d, basic: Complex128, kind: Complex, align: 8, size: 16,
		extent: 16, trueUB: 16, dense: true},
	0x1e: {name: "MPI_CHARACTER", handle: 0x21e, basic: Opaque, kind: Character, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x20: {name: "MPI_LONG_DOUBLE", handle: 0x220, basic: longDouble, kind: Floating, align: 16, size: 16,
		extent: 16, trueUB: 16, dense: true},
	0x24: {name: "MPI_C_LONG_DOUBLE_COMPLEX", handle: 0x224, basic: longDoubleComplex, kind: Complex,
		align: 16, size: 32, extent: 32, trueUB: 32, dense: true},
	0x25: {name: "MPI_CXX_LONG_DOUBLE_COMPLEX", handle: 0x225, basic: longDoubleComplex, kind: Complex,
		align: 16, size: 32, extent: 32, trueUB: 32, dense: true},
	0x28: {name: "MPI_FLOAT_INT", handle: 0x228, basic: Float32Int, kind: ValueIndex, align: 4, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x29: {name: "MPI_DOUBLE_INT", handle: 0x229, basic: Float64Int, kind: ValueIndex, align: 8, size: 12,
		extent: 16, trueUB: 12, body: []step{{off: 0, ahead: 0, count: 1, size: 12}}},
	0x2a: {name: "MPI_LONG_INT", handle: 0x22a, basic: Int64Int, kind: ValueIndex, align: 8, size: 12,
		extent: 16, trueUB: 12, body: []step{{off: 0, ahead: 0, count: 1, size: 12}}},
	0x2b: {name: "MPI_2INT", handle: 0x22b, basic: Int32Int, kind: ValueIndex, align: 4, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x2c: {name: "MPI_SHORT_INT", handle: 0x22c, basic: Int16Int, kind: ValueIndex, align: 4, size: 6,
		extent: 8, trueUB: 8, body: []step{{off: 0, ahead: 0, count: 1, size: 2},
			{off: 4, ahead: 2, count: 1, size: 4}}},
	0x2d: {name: "MPI_LONG_DOUBLE_INT", handle: 0x22d, basic: longDoubleInt, kind: ValueIndex, align: 16,
		size: 20, extent: 32, trueUB: 20, body: []step{{off: 0, ahead: 0, count: 1, size: 20}}},
	0x30: {name: "MPI_2REAL", handle: 0x230, basic: Float32Pair, kind: ValueIndex, align: 4, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x31: {name: "MPI_2DOUBLE_PRECISION", handle: 0x231, basic: Float64Pair, kind: ValueIndex, align: 8,
		size: 16, extent: 16, trueUB: 16, dense: true},
	0x32: {name: "MPI_2INTEGER", handle: 0x232, basic: Int32Int, kind: ValueIndex, align: 4, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0x38: {name: "MPI_C_BOOL", handle: 0x238, basic: Logical8, kind: Logical, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x39: {name: "MPI_CXX_BOOL", handle: 0x239, basic: Logical8, kind: Logical, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x3c: {name: "MPI_WCHAR", handle: 0x23c, basic: Opaque, kind: Character, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x40: {name: "MPI_INT8_T", handle: 0x240, basic: Int8, kind: CInteger, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x41: {name: "MPI_UINT8_T", handle: 0x241, basic: Uint8, kind: CInteger, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x43: {name: "MPI_CHAR", handle: 0x243, basic: Opaque, kind: Character, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x44: {name: "MPI_SIGNED_CHAR", handle: 0x244, basic: Int8, kind: CInteger, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0x45: {name: "MPI_UNSIGNED_CHAR", handle: 0x245, basic: Uint8, kind: CInteger, align: 1, size: 1,
		extent: 1, trueUB: 1, dense: true},
	0x47: {name: "MPI_BYTE", handle: 0x247, basic: Uint8, kind: Byte, align: 1, size: 1, extent: 1, trueUB: 1,
		dense: true},
	0x48: {name: "MPI_INT16_T", handle: 0x248, basic: Int16, kind: CInteger, align: 2, size: 2, extent: 2,
		trueUB: 2, dense: true},
	0x49: {name: "MPI_UINT16_T", handle: 0x249, basic: Uint16, kind: CInteger, align: 2, size: 2, extent: 2,
		trueUB: 2, dense: true},
	0x50: {name: "MPI_INT32_T", handle: 0x250, basic: Int32, kind: CInteger, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x51: {name: "MPI_UINT32_T", handle: 0x251, basic: Uint32, kind: CInteger, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0x58: {name: "MPI_INT64_T", handle: 0x258, basic: Int64, kind: CInteger, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0x59: {name: "MPI_UINT64_T", handle: 0x259, basic: Uint64, kind: CInteger, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0xc0: {name: "MPI_LOGICAL1", handle: 0x2c0, basic: Logical8, kind: Logical, align: 1, size: 1, extent: 1,
		trueUB: 1, dense: true},
	0xc1: {name: "MPI_INTEGER1", handle: 0x2c1, basic: Int8, kind: FortranInteger, align: 1, size: 1,
		extent: 1, trueUB: 1, dense: true},
	0xc8: {name: "MPI_LOGICAL2", handle: 0x2c8, basic: Logical16, kind: Logical, align: 2, size: 2, extent: 2,
		trueUB: 2, dense: true},
	0xc9: {name: "MPI_INTEGER2", handle: 0x2c9, basic: Int16, kind: FortranInteger, align: 2, size: 2,
		extent: 2, trueUB: 2, dense: true},
	0xca: {name: "MPI_REAL2", handle: 0x2ca, basic: Float16, kind: Floating, align: 2, size: 2, extent: 2,
		trueUB: 2, dense: true},
	0xd0: {name: "MPI_LOGICAL4", handle: 0x2d0, basic: Logical32, kind: Logical, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0xd1: {name: "MPI_INTEGER4", handle: 0x2d1, basic: Int32, kind: FortranInteger, align: 4, size: 4,
		extent: 4, trueUB: 4, dense: true},
	0xd2: {name: "MPI_REAL4", handle: 0x2d2, basic: Float32, kind: Floating, align: 4, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0xd3: {name: "MPI_COMPLEX4", handle: 0x2d3, basic: Complex32, kind: Complex, align: 2, size: 4, extent: 4,
		trueUB: 4, dense: true},
	0xd8: {name: "MPI_LOGICAL8", handle: 0x2d8, basic: Logical64, kind: Logical, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0xd9: {name: "MPI_INTEGER8", handle: 0x2d9, basic: Int64, kind: FortranInteger, align: 8, size: 8,
		extent: 8, trueUB: 8, dense: true},
	0xda: {name: "MPI_REAL8", handle: 0x2da, basic: Float64, kind: Floating, align: 8, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0xdb: {name: "MPI_COMPLEX8", handle: 0x2db, basic: Complex64, kind: Complex, align: 4, size: 8, extent: 8,
		trueUB: 8, dense: true},
	0xe0: {name: "MPI_LOGICAL16", handle: 0x2e0, basic: Logical128, kind: Logical, align: 16, size: 16,
		extent: 16, trueUB: 16, dense: true},
	0xe1: {name: "MPI_INTEGER16", handle: 0x2e1, basic: Int128, kind: FortranInteger, align: 16, size: 16,
		extent: 16, trueUB: 16, dense: true},
	0xe2: {name: "MPI_REAL16", handle: 0x2e2, basic: Float128, kind: Floating, align: 16, size: 16,
		extent: 16, trueUB: 16, dense: true},
	0xe3: {name: "MPI_COMPLEX16", handle: 0x2e3, basic: Complex128, kind: Complex, align: 8, size: 16,
		extent: 16, trueUB: 16, dense: true},
	0xeb: {name: "MPI_COMPLEX32", handle: 0x2eb, basic: Complex256, kind: Complex, align: 16, size: 32,
		extent: 32, trueUB: 32, dense: true},
}
