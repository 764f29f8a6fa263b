package mpi

// Calls that ask for one request, by its handle: where the fast engine goes on with it, and nothing has come,
// the request stays there, and the next questions need no call into Go.

// RequestGetStatusInVain reports whether MPI_Request_get_status has asked in vain, and answers it then.
func RequestGetStatusInVain(request, flag uintptr) bool {
	return flag >= lowest && engine().StillWaits(request) && answerNo(flag)
}

// ParrivedInVain is the same for MPI_Parrived. Who asks for a partition that is not there is told so later.
func ParrivedInVain(request uintptr, partition int64, flag uintptr) bool {
	e := engine()
	return flag >= lowest && e.HasPartition(request, partition) && e.StillWaits(request) && answerNo(flag)
}

func answerNo(flag uintptr) bool {
	PutFlag(flag, false)
	return true
}
