package datatype

// Basic is the elementary kind of which a type consists, by its representation in memory: two types with the
// same Basic hold the same bits, whatever language they are named after. Reductions dispatch on it.
type Basic uint8

// The representations. Integers are two's complement in the byte order of the machine; floating point is IEEE
// 754, Float80 the 64-bit-significand format of x87 in 16 bytes; a complex is its real part and its imaginary
// part; a logical is true when it is not zero; a pair is a value and the int that goes with it, laid out as a
// C struct.
const (
	Opaque Basic = iota // bytes without arithmetic
	Int8
	Int16
	Int32
	Int64
	Int128
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	Float32
	Float64
	Float80
	Float128
	Complex32  // two Float16
	Complex64  // two Float32
	Complex128 // two Float64
	Complex160 // two Float80
	Complex256 // two Float128
	Logical8
	Logical16
	Logical32
	Logical64
	Logical128
	Int16Int
	Int32Int
	Int64Int
	Float32Int
	Float64Int
	Float80Int
	Float128Int
	Float32Pair // two Float32: MPI_2REAL
	Float64Pair // two Float64: MPI_2DOUBLE_PRECISION
	Basics      // how many there are
)

// Kind is the group in which the standard lists a type when it says which reductions accept it (MPI 5.0,
// 6.9.2).
type Kind uint8

// The groups of MPI 5.0, 6.9.2, and Character and Packed for what takes part in no reduction.
const (
	Packed         Kind = iota // MPI_PACKED
	Character                  // MPI_CHAR, MPI_WCHAR, MPI_CHARACTER: printable, not numbers
	CInteger                   // MPI_INT and its kin
	FortranInteger             // MPI_INTEGER and its kin
	Floating                   // MPI_FLOAT, MPI_REAL and their kin
	Logical                    // MPI_LOGICAL, MPI_C_BOOL and their kin
	Complex                    // MPI_COMPLEX, MPI_C_DOUBLE_COMPLEX and their kin
	Byte                       // MPI_BYTE
	MultiLanguage              // MPI_AINT, MPI_OFFSET, MPI_COUNT
	ValueIndex                 // MPI_DOUBLE_INT and its kin (MPI 5.0, 6.9.4)
	Derived                    // made by a type constructor
)
