package request

// Status is what a finished operation reports (MPI 5.0, 3.2.5), in no ABI's layout.
type Status struct {
	Source    int32 // rank in the communicator, or MPI_PROC_NULL, MPI_ANY_SOURCE in an empty status
	Tag       int32
	Error     int32 // error code; meaningful after Waitall and its kin only
	Bytes     int64 // bytes received
	Cancelled bool
	WithError bool // Error is the program's to see also where calls leave it alone
}

// Empty is the status of an operation that has nothing to report.
var Empty = Status{Source: -1, Tag: -2}

// Null is the status of a null or inactive request, whose error is MPI_SUCCESS (MPI 5.0, 3.7.3).
var Null = Status{Source: -1, Tag: -2, WithError: true}
