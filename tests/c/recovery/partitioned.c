/*
 * Partitioned communication with a rank that dies: before the other side has matched, in the middle of the
 * partitions, and with requests that are inactive. Those between living ranks go on.
 */
#include "recovery.h"

enum { PARTS = 8, EACH = 5000 };

static int out[PARTS * EACH], in[PARTS * EACH];

/* What a request of a dead partner ends with. */
static void ends(MPI_Request *r)
{
    CHECK_CLASS(MPI_Wait(r, MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Request_free(r));
}

int main(int argc, char **argv)
{
    MPI_Request r[4], idle;
    int flag, dies, next, before;

    recovery_begin(&argc, &argv);
    dies = np - 1;
    if (me == dies) {
        MPI_Precv_init(in, PARTS, EACH, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
        MPI_Psend_init(out, PARTS, EACH, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
        MPI_Startall(2, r);
        for (int i = 0; i < PARTS / 2; i++)
            MPI_Pready(i, r[1]);
        for (flag = 0; !flag;) /* the other side is in the middle as well */
            MPI_Parrived(r[0], 0, &flag);
        recovery_die(0);
    }
    if (me == 0) {
        CHECK_MPI(MPI_Psend_init(out, PARTS, EACH, MPI_INT, dies, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
        CHECK_MPI(MPI_Precv_init(in, PARTS, EACH, MPI_INT, dies, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
        /* Nobody matches these. */
        CHECK_MPI(MPI_Psend_init(out, 1, 1, MPI_INT, dies, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]));
        CHECK_MPI(MPI_Precv_init(in, 1, 1, MPI_INT, dies, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &r[3]));
        CHECK_MPI(MPI_Precv_init(in, 1, 1, MPI_INT, dies, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &idle));
        CHECK_MPI(MPI_Startall(4, r));
        CHECK_MPI(MPI_Pready(0, r[0]));
        while (failures(MPI_COMM_WORLD) == 0) /* which carries on sending, too */
            CHECK_MPI(MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
        int rc = MPI_Pready(1, r[0]);
        CHECK_MSG(rc == MPI_SUCCESS || error_class(rc) == MPIX_ERR_PROC_FAILED, "class %d", error_class(rc));
        for (int i = 0; i < 4; i++)
            ends(&r[i]);
        CHECK_MPI(MPI_Request_free(&idle));
    }
    await_failures(MPI_COMM_WORLD, 1);
    if (np > 2) { /* among those that live */
        next = (me + 1) % (np - 1);
        before = (me + np - 2) % (np - 1);
        CHECK_MPI(MPI_Psend_init(out, PARTS, EACH, MPI_INT, next, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
        CHECK_MPI(MPI_Precv_init(in, PARTS, EACH, MPI_INT, before, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
        for (int round = 0; round < 3; round++) {
            CHECK_MPI(MPI_Startall(2, r));
            for (int i = 0; i < PARTS; i++) {
                out[i * EACH] = me * 100 + round * 10 + i;
                CHECK_MPI(MPI_Pready(i, r[0]));
            }
            CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
            for (int i = 0; i < PARTS; i++)
                CHECK_EQ(in[i * EACH], before * 100 + round * 10 + i);
        }
        CHECK_MPI(MPI_Request_free(&r[0]));
        CHECK_MPI(MPI_Request_free(&r[1]));
    }
    return recovery_end(1);
}
