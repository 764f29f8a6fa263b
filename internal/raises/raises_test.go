package raises

import (
	"slices"
	"testing"
)

// What stands in the sources, by way of checks, of operations, and of what these call in other packages.
func TestErrorsOfTheSources(t *testing.T) {
	tree, err := Read("../..", map[string]string{"ErrTag": "MPI_ERR_TAG", "ErrDims": "MPI_ERR_DIMS",
		"ErrTruncate": "MPI_ERR_TRUNCATE", "ErrArg": "MPI_ERR_ARG"})
	if err != nil {
		t.Fatal(err)
	}
	truncated := Error{"MPI_ERR_TRUNCATE", "the message of %d bytes from rank %d with tag %d does not fit into a buffer of %d bytes"}
	block := Error{"MPI_ERR_ARG", "array_of_blocklengths[%d] is %d, must not be negative"}
	for _, c := range []struct {
		name string
		from []Error
		has  Error
		want bool
	}{
		{"the check of a tag", tree.Check("Tag"), Error{"MPI_ERR_TAG", "%s is %d, must be from 0 to %d (MPI_TAG_UB)"}, true},
		{"the check of a rank", tree.Check("Dest"), Error{"MPI_ERR_TAG", "%s is %d, must be from 0 to %d (MPI_TAG_UB)"}, false},
		{"MPI_Dims_create", tree.Operation("DimsCreate"), Error{"MPI_ERR_DIMS", "dims[%d] is %d, must not be negative"}, true},
		{"MPI_Recv, in another package", tree.Operation("Recv"), truncated, true},
		{"MPI_Type_size, which does not communicate", tree.Operation("TypeSize"), truncated, false},
		{"MPI_Type_create_struct", tree.Operation("TypeCreateStruct"), block, true},
		{"MPI_File_read, which makes datatypes for itself", tree.Operation("FileRead"), block, false},
	} {
		if slices.Contains(c.from, c.has) != c.want {
			t.Errorf("%s: raises %v: %v", c.name, c.has, !c.want)
		}
	}
	if found := tree.Operation("NoSuchFunction"); found != nil {
		t.Errorf("a function that is not there raises %v", found)
	}
}
