package mpierr

// Class is an error class with the value that the standard ABI gives it (MPI 5.0, 20.3).
type Class int

// The classes that the runtime raises by itself. The complete table, with names and the texts of
// MPI_Error_string, is generated into zz_classes.go.
const (
	ErrBuffer               Class = 1
	ErrCount                Class = 2
	ErrType                 Class = 3
	ErrTag                  Class = 4
	ErrComm                 Class = 5
	ErrRank                 Class = 6
	ErrRequest              Class = 7
	ErrRoot                 Class = 8
	ErrGroup                Class = 9
	ErrOp                   Class = 10
	ErrArg                  Class = 13
	ErrTruncate             Class = 15
	ErrOther                Class = 16
	ErrIntern               Class = 17
	ErrPending              Class = 18
	ErrInStatus             Class = 19
	ErrNoMem                Class = 39
	ErrUnsupportedOperation Class = 55
	ErrProcAborted          Class = 58
	ErrValueTooLarge        Class = 59
	ErrErrhandler           Class = 61
)

// Name is the constant's name in mpi.h, "MPI_ERR_RANK".
func (c Class) Name() string { return "MPI_ERR" }
