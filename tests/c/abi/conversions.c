/* Handles to integers and back: MPI_X_toint/fromint of the ABI, MPI_X_c2f/f2c for Fortran, statuses both
 * ways. */
#include "check.h"

#define ROUND(kind, type, handle)                                                                      \
    do {                                                                                               \
        type h_ = (handle);                                                                            \
        CHECK(kind##_fromint(kind##_toint(h_)) == h_);                                                 \
        CHECK_EQ((intptr_t)h_, kind##_toint(h_)); /* predefined handles are their ABI values */        \
    } while (0)

#define FORTRAN(kind, type, handle)                                                                    \
    do {                                                                                               \
        type h_ = (handle);                                                                            \
        CHECK(kind##_f2c(kind##_c2f(h_)) == h_);                                                       \
        CHECK_EQ((intptr_t)h_, kind##_c2f(h_));                                                        \
    } while (0)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    ROUND(MPI_Comm, MPI_Comm, MPI_COMM_WORLD);
    ROUND(MPI_Comm, MPI_Comm, MPI_COMM_NULL);
    ROUND(MPI_Type, MPI_Datatype, MPI_INT);
    ROUND(MPI_Type, MPI_Datatype, MPI_DATATYPE_NULL);
    ROUND(MPI_Op, MPI_Op, MPI_SUM);
    ROUND(MPI_Group, MPI_Group, MPI_GROUP_EMPTY);
    ROUND(MPI_Win, MPI_Win, MPI_WIN_NULL);
    ROUND(MPI_File, MPI_File, MPI_FILE_NULL);
    ROUND(MPI_Info, MPI_Info, MPI_INFO_ENV);
    ROUND(MPI_Errhandler, MPI_Errhandler, MPI_ERRORS_RETURN);
    ROUND(MPI_Request, MPI_Request, MPI_REQUEST_NULL);
    ROUND(MPI_Session, MPI_Session, MPI_SESSION_NULL);
    ROUND(MPI_Message, MPI_Message, MPI_MESSAGE_NO_PROC);

    FORTRAN(MPI_Comm, MPI_Comm, MPI_COMM_SELF);
    FORTRAN(MPI_Type, MPI_Datatype, MPI_DOUBLE_PRECISION);
    FORTRAN(MPI_Op, MPI_Op, MPI_MAXLOC);
    FORTRAN(MPI_Group, MPI_Group, MPI_GROUP_NULL);
    FORTRAN(MPI_Win, MPI_Win, MPI_WIN_NULL);
    FORTRAN(MPI_File, MPI_File, MPI_FILE_NULL);
    FORTRAN(MPI_Info, MPI_Info, MPI_INFO_NULL);
    FORTRAN(MPI_Errhandler, MPI_Errhandler, MPI_ERRORS_ARE_FATAL);
    FORTRAN(MPI_Request, MPI_Request, MPI_REQUEST_NULL);
    FORTRAN(MPI_Session, MPI_Session, MPI_SESSION_NULL);
    FORTRAN(MPI_Message, MPI_Message, MPI_MESSAGE_NULL);

    /* A handle made at run time survives the journey too, and still works. */
    int in = 0, out = 8;
    MPI_Request r, back;
    CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, me, 2, MPI_COMM_WORLD, &r));
    int i = MPI_Request_toint(r);
    MPI_Fint f = MPI_Request_c2f(r);
    CHECK(MPI_Request_f2c(f) == r);
    back = MPI_Request_fromint(i);
    CHECK(back == r);
    CHECK_MPI(MPI_Send(&out, 1, MPI_INT, me, 2, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&back, MPI_STATUS_IGNORE));
    CHECK_EQ(in, 8);
    /* A communicator that came in as an integer. */
    CHECK_MPI(MPI_Barrier(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD))));

    MPI_Status st, again;
    MPI_Fint fst[MPI_F_STATUS_SIZE + 1];
    memset(fst, 0x5c, sizeof fst);
    memset(&again, 0, sizeof again);
    CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, me, 77, &in, 1, MPI_INT, me, 77, MPI_COMM_WORLD, &st));
    st.MPI_ERROR = 5;
    CHECK_MPI(MPI_Status_c2f(&st, fst));
    CHECK_EQ(fst[MPI_F_SOURCE], me);
    CHECK_EQ(fst[MPI_F_TAG], 77);
    CHECK_EQ(fst[MPI_F_ERROR], 5);
    CHECK_EQ(fst[MPI_F_STATUS_SIZE], 0x5c5c5c5c);
    CHECK_MPI(MPI_Status_f2c(fst, &again));
    CHECK_STATUS(again, me, 77);
    CHECK_COUNT(again, MPI_INT, 1);
    return check_finish();
}
