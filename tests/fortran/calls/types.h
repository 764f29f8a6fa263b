! The types of an interface: F08 is defined for mpi_f08, MPIFH for mpif.h; else the module mpi is meant.
#ifdef F08
#define T_COMM type(MPI_Comm)
#define T_GROUP type(MPI_Group)
#define T_TYPE type(MPI_Datatype)
#define T_OP type(MPI_Op)
#define T_ERRH type(MPI_Errhandler)
#define T_INFO type(MPI_Info)
#define T_REQUEST type(MPI_Request)
#define T_MESSAGE type(MPI_Message)
#define T_WIN type(MPI_Win)
#define T_FILE type(MPI_File)
#define T_SESSION type(MPI_Session)
#define T_STATUS type(MPI_Status)
#define T_STATUSES(n) type(MPI_Status), dimension(n)
#define T_ADDRESS type(c_ptr)
#else
#define T_COMM integer
#define T_GROUP integer
#define T_TYPE integer
#define T_OP integer
#define T_ERRH integer
#define T_INFO integer
#define T_REQUEST integer
#define T_MESSAGE integer
#define T_WIN integer
#define T_FILE integer
#define T_SESSION integer
#define T_STATUS integer, dimension(MPI_STATUS_SIZE)
#define T_STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define T_ADDRESS integer(kind=MPI_ADDRESS_KIND)
#endif
