package datatype

// Type is one MPI datatype. A Type never changes once it is made, so it may be read by any thread.
type Type struct {
	name   string
	basic  Basic
	size   int64 // bytes of data in one element, gaps not counted (MPI_Type_size)
	lb     int64 // lower bound, in bytes
	extent int64 // distance between consecutive elements, in bytes (MPI_Type_get_extent)
	dense  bool  // consecutive elements form one run without gaps
}

// Size is the number of bytes of data in one element (MPI 5.0, 5.1.5).
func (t *Type) Size() int64 { return t.size }

// Extent is the distance in bytes from one element to the next (MPI 5.0, 5.1.6).
func (t *Type) Extent() int64 { return t.extent }

// LB is the lower bound in bytes (MPI 5.0, 5.1.6).
func (t *Type) LB() int64 { return t.lb }

// Name is the type's name as MPI_Type_get_name gives it, "MPI_INT".
func (t *Type) Name() string { return t.name }

// Basic is the elementary kind of a predefined type.
func (t *Type) Basic() Basic { return t.basic }

// Basic is the elementary kind of which a type consists, by its representation.
type Basic uint8
