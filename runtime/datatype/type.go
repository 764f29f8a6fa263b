package datatype

// Type is one MPI datatype. What it describes never changes once it is made, so it may be read by any thread;
// only the state of the object (object.go) does.
type Type struct {
	name   string // of a predefined type
	maker  string // the function that made a derived one
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

	// The bounds were set, by MPI_Type_create_resized, an array constructor, MPI_LB or MPI_UB, and do not
	// follow the data.
	markedLB, markedUB bool

	parts    []part    // the type signature of a derived type
	elements int64     // basic elements in one element of a derived type
	contents *Contents // how a derived type was made; nil in a predefined one
	object   *object   // nil in a predefined type
}

// Size is the number of bytes of data in one element (MPI 5.0, 5.1.5).
func (t *Type) Size() int64 { return t.size }

// Extent is the distance in bytes from one element to the next (MPI 5.0, 5.1.6).
func (t *Type) Extent() int64 { return t.extent }

// LB is the lower bound in bytes (MPI 5.0, 5.1.6).
func (t *Type) LB() int64 { return t.lb }

// TrueLB is the displacement in bytes of the first byte of data from an element's address (MPI 5.0, 5.1.8).
func (t *Type) TrueLB() int64 { return t.trueLB }

// TrueExtent is the distance in bytes from the first byte of data of an element to behind its last (MPI 5.0,
// 5.1.8).
func (t *Type) TrueExtent() int64 { return t.trueUB - t.trueLB }

// Align is the alignment in bytes that compilers give the type (MPI 5.0, 5.1.6, on the extent of a struct).
func (t *Type) Align() int64 { return int64(t.align) }

// Name is the type's name in messages for the user: that of mpi.h for a predefined type, "MPI_INT".
func (t *Type) Name() string {
	if t.maker != "" {
		return "a type made by " + t.maker
	}
	return t.name
}

// Handle is the value of the predefined handle in the standard ABI (MPI 5.0, 20.3); 0 for a derived type.
func (t *Type) Handle() uint32 { return t.handle }

// Basic is the elementary kind of a predefined type.
func (t *Type) Basic() Basic { return t.basic }

// Kind is the group to which the standard counts the type where it lists what reductions accept.
func (t *Type) Kind() Kind { return t.kind }

// Dense reports whether consecutive elements form one run without gaps.
func (t *Type) Dense() bool { return t.dense }

// Marked reports whether bounds of the type were set, and do not follow the data.
func (t *Type) Marked() bool { return t.markedLB || t.markedUB }

// empty reports whether the type map has no entry at all, so that its bounds say nothing.
func (t *Type) empty() bool { return t.size == 0 && !t.markedLB && !t.markedUB }

// oneRun reports whether the data of one element lies in one run.
func (t *Type) oneRun() bool { return t.body == nil || len(t.body) == 1 && t.body[0].isRun() }

// ub is the upper bound in bytes.
func (t *Type) ub() int64 { return t.lb + t.extent }
