/* Collectives whose counts differ, 0 sent and some received among them: every rank comes back, with an error
 * where it lacks data. */
#include "check.h"

enum { MOST = 8, KINDS = 14 };

static int out[4 * MOST], in[4 * MOST], none[MOST], one[MOST], displs[MOST], bytes[MOST];
static MPI_Datatype ints[MOST];

/* Whether the rank lacks data, or may be told of the data that others lack. */
enum verdict { FINE, MAYBE, LACKS };

static int call(int kind, MPI_Comm c, enum verdict *due)
{
    MPI_Request r;
    int rc = MPI_SUCCESS;
    *due = LACKS;
    switch (kind) {
    case 0: return MPI_Neighbor_allgather(out, 0, MPI_INT, in, 1, MPI_INT, c);
    case 1: return MPI_Neighbor_allgatherv(out, 0, MPI_INT, in, one, displs, MPI_INT, c);
    case 2: return MPI_Neighbor_alltoall(out, 0, MPI_INT, in, 1, MPI_INT, c);
    case 3: return MPI_Neighbor_alltoallv(out, none, displs, MPI_INT, in, one, displs, MPI_INT, c);
    case 4:
        return MPI_Neighbor_alltoallw(out, none, (MPI_Aint[MOST]){0}, ints, in, one, (MPI_Aint[MOST]){0},
                                      ints, c);
    case 5: return MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 1, MPI_INT, c);
    case 6:
        return MPI_Neighbor_alltoallv(out, me == 0 ? none : one, displs, MPI_INT, in, one, displs, MPI_INT,
                                      c); /* the neighbors of 0 */
    case 7: rc = MPI_Ineighbor_alltoall(out, 0, MPI_INT, in, 1, MPI_INT, c, &r); break;
    case 8: rc = MPI_Neighbor_allgather_init(out, 0, MPI_INT, in, 1, MPI_INT, c, MPI_INFO_NULL, &r); break;
    case 9: return MPI_Alltoallv(out, none, displs, MPI_INT, in, one, displs, MPI_INT, c);
    case 10: return MPI_Alltoallw(out, none, bytes, ints, in, one, bytes, ints, c);
    case 11: rc = MPI_Ialltoallv(out, none, displs, MPI_INT, in, one, displs, MPI_INT, c, &r); break;
    case 12:
        *due = me == 0 ? LACKS : MAYBE;
        return MPI_Gatherv(out, 0, MPI_INT, in, one, displs, MPI_INT, 0, c);
    case 13:
        *due = me == 0 ? MAYBE : LACKS;
        return MPI_Scatterv(out, none, displs, MPI_INT, in, 1, MPI_INT, 0, c);
    }
    if (rc != MPI_SUCCESS)
        return rc;
    if (kind == 8)
        CHECK_MPI(MPI_Start(&r));
    rc = MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (kind == 8)
        CHECK_MPI(MPI_Request_free(&r));
    return rc;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int periods = 1;
    for (int i = 0; i < MOST; i++)
        one[i] = 1, displs[i] = i, bytes[i] = 4 * i, ints[i] = MPI_INT;
    for (int kind = 0; kind < KINDS; kind++) {
        MPI_Comm c;
        enum verdict due;
        int class = -1;
        CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periods, 0, &c));
        CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
        CHECK_MPI(MPI_Error_class(call(kind, c, &due), &class));
        if (kind == 6)
            due = me == 1 || me == np - 1 ? LACKS : MAYBE;
        CHECK_MSG(due == MAYBE || (due == LACKS) == (class != MPI_SUCCESS), "kind %d: class %d", kind, class);
        CHECK_MSG(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_COUNT,
                  "kind %d: class %d", kind, class);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Comm_free(&c));
    }
    return check_finish();
}
