package comm

import (
	"slices"

	"gompi/runtime/info"
	"gompi/runtime/object"
)

// hints are the hints of a communicator that are understood: promises of the program's that allow shortcuts
// (MPI 5.0, 7.4.4).
var hints = [...]object.Hint{
	{Key: "mpi_assert_no_any_tag", Default: "false", Valid: object.Truth},
	{Key: "mpi_assert_no_any_source", Default: "false", Valid: object.Truth},
	{Key: "mpi_assert_exact_length", Default: "false", Valid: object.Truth},
	{Key: "mpi_assert_allow_overtaking", Default: "false", Valid: object.Truth},
}

// SetHints takes over those of the hints that are understood, and have a value that is (MPI_Comm_set_info).
// from may be nil.
func (c *Comm) SetHints(from *info.Info) { c.Base.SetHints(hints[:], from) }

// Hints lists the hints in force, those with their default value included, and one more (MPI_Comm_get_info).
func (c *Comm) Hints(more func() object.Hint) *info.Info {
	return c.Base.Hints(func() []object.Hint { return append(slices.Clone(hints[:]), more()) })
}
