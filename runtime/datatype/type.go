package datatype

// Type is one MPI datatype. A Type never changes once it is made, so it may be read by any thread.
type Type struct {
	name   string
	handle uint32 // value of the predefined handle in the ABI; 0 for a derived type
	basic  Basic
	kind   Kind
	align  uint8 // alignment that the C and Fortran compilers give it, in bytes
	dense  bool  // consecutive elements form one run without gaps
	size   int64 // bytes of data in one element, gaps not counted (MPI_Type_size)
	lb     int64 // lower bound, in bytes
	extent int64 // distance between consecutive elements, in bytes (MPI_Type_get_extent)
	trueLB int64 // displacement of the lowest byte of data
	trueUB int64 // displacement behind the highest byte of data
	body   []step
}

// Size is the number of bytes of data in one element (MPI 5.0, 5.1.5).
func (t *Type) Size() int64 { return t.size }

// Extent is the distance in bytes from one element to the next (MPI 5.0, 5.1.6).
func (t *Type) Extent() int64 { return t.extent }

// LB is the lower bound in bytes (MPI 5.0, 5.1.6).
func (t *Type) LB() int64 { return t.lb }

// TrueLB is the displacement in bytes of the first byte of data from an element's address (MPI 5.0, 5.1.8).
func (t *Type) TrueLB() int64 { return t.trueLB }

// TrueExtent is the distance in bytes from the first byte of data of an element to behind its last (MPI 5.0, 5.1.8).
func (t *Type) TrueExtent() int64 { return t.trueUB - t.trueLB }

// Align is the alignment in bytes that compilers give the type (MPI 5.0, 5.1.6, on the extent of a struct).
func (t *Type) Align() int64 { return int64(t.align) }

// Name is the type's name as MPI_Type_get_name gives it, "MPI_INT".
func (t *Type) Name() string { return t.name }

// Handle is the value of the predefined handle in the standard ABI (MPI 5.0, 20.3).
func (t *Type) Handle() uint32 { return t.handle }

// Basic is the elementary kind of a predefined type.
func (t *Type) Basic() Basic { return t.basic }

// Kind is the group to which the standard counts the type where it lists what reductions accept.
func (t *Type) Kind() Kind { return t.kind }

// Dense tells whether consecutive elements form one run without gaps.
func (t *Type) Dense() bool { return t.dense }
