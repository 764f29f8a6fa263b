/* Types of the ABI: sizes, signs, and the layout of MPI_Status. */
#include <mpi.h>

/* Programs have size_t from the header of other implementations, and from this one. */
typedef size_t size_of_mpi_h;
typedef ptrdiff_t difference_of_mpi_h;

#include "check.h"

_Static_assert(sizeof(MPI_Status) == 32, "MPI_Status has 32 bytes");
_Static_assert(offsetof(MPI_Status, MPI_SOURCE) == 0, "source comes first");
_Static_assert(offsetof(MPI_Status, MPI_TAG) == 4, "then the tag");
_Static_assert(offsetof(MPI_Status, MPI_ERROR) == 8, "then the error");
_Static_assert(_Alignof(MPI_Status) == 4, "aligned like an int");
_Static_assert(sizeof(MPI_Aint) == sizeof(void *), "an MPI_Aint holds an address");
_Static_assert(sizeof(MPI_Offset) == 8 && sizeof(MPI_Count) == 8, "64 bits");
_Static_assert((MPI_Aint)-1 < 0 && (MPI_Offset)-1 < 0 && (MPI_Count)-1 < 0, "signed");
_Static_assert(sizeof(MPI_Comm) == sizeof(void *) && sizeof(MPI_Datatype) == sizeof(void *) &&
                   sizeof(MPI_Request) == sizeof(void *) && sizeof(MPI_Op) == sizeof(void *) &&
                   sizeof(MPI_Group) == sizeof(void *) && sizeof(MPI_Win) == sizeof(void *) &&
                   sizeof(MPI_File) == sizeof(void *) && sizeof(MPI_Info) == sizeof(void *) &&
                   sizeof(MPI_Errhandler) == sizeof(void *) && sizeof(MPI_Session) == sizeof(void *) &&
                   sizeof(MPI_Message) == sizeof(void *),
               "handles are pointers");

/* Handles are types of their own: a mix-up of two kinds is a compile-time error, which this selection shows.
 */
#define KIND(h)                                                                                              \
    _Generic((h), MPI_Comm : 1, MPI_Datatype : 2, MPI_Op : 3, MPI_Request : 4, MPI_Errhandler : 5,           \
             MPI_Info : 6, default : 0)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_EQ(KIND(MPI_COMM_WORLD), 1);
    CHECK_EQ(KIND(MPI_INT), 2);
    CHECK_EQ(KIND(MPI_SUM), 3);
    CHECK_EQ(KIND(MPI_REQUEST_NULL), 4);
    CHECK_EQ(KIND(MPI_ERRORS_RETURN), 5);
    CHECK_EQ(KIND(MPI_INFO_NULL), 6);

    /* The library writes no more than the status it is given, at the places where the header has them. */
    struct { int before; MPI_Status st[2]; int after; } frame;
    memset(&frame, 0x5c, sizeof frame);
    int out = 1, in = 0;
    CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, me, 6, &in, 1, MPI_INT, me, 6, MPI_COMM_WORLD, &frame.st[0]));
    CHECK_EQ(frame.before, 0x5c5c5c5c);
    CHECK_EQ(frame.after, 0x5c5c5c5c);
    CHECK_EQ(frame.st[1].MPI_SOURCE, 0x5c5c5c5c);
    CHECK_EQ(((int *)&frame.st[0])[0], me);
    CHECK_EQ(((int *)&frame.st[0])[1], 6);

    /* A status may be copied, and counts as well afterwards. */
    MPI_Status copy;
    memcpy(&copy, &frame.st[0], sizeof copy);
    CHECK_COUNT(copy, MPI_INT, 1);
    return check_finish();
}
