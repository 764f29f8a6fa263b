package request

// Status is what a finished operation reports (MPI 5.0, 3.2.5), in no ABI's layout.
type Status struct {
	Source    int32 // rank in the communicator, or MPI_PROC_NULL, MPI_ANY_SOURCE in an empty status
	Tag       int32
	Error     int32 // error code; meaningful after Waitall and its kin only
	Bytes     int64 // bytes received
	Cancelled bool
}

// Empty is the status of a null or inactive request (MPI 5.0, 3.7.3).
var Empty = Status{Source: -1, Tag: -2}
