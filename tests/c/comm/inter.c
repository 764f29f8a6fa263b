/* Intercommunicators between the lower and the upper ranks: sizes and groups, messages, duplicates, splits,
 * merges. */
#include "check.h"

static int low, mine, theirs, first; /* sizes of the groups, and the first world rank of the other one */

static void talk(MPI_Comm c, int size, int other, int offset)
{
    int n, flag, rank;
    CHECK_MPI(MPI_Comm_test_inter(c, &flag));
    CHECK_EQ(flag, 1);
    CHECK_MPI(MPI_Comm_size(c, &n));
    CHECK_EQ(n, size);
    CHECK_MPI(MPI_Comm_remote_size(c, &n));
    CHECK_EQ(n, other);
    CHECK_MPI(MPI_Comm_rank(c, &rank));
    for (int r = 0; r < n; r++) {
        MPI_Request req;
        MPI_Status st;
        int in = -1;
        CHECK_MPI(MPI_Isend(&me, 1, MPI_INT, r, 3, c, &req));
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, r, 3, c, &st));
        CHECK_STATUS(st, r, 3);
        CHECK_EQ(in, offset + r);
        CHECK_MPI(MPI_Wait(&req, MPI_STATUS_IGNORE));
    }
    CHECK_CLASS(MPI_Send(&me, 1, MPI_INT, other, 3, c), MPI_ERR_RANK);
}

static void merged(MPI_Comm c, int lower_first, int up)
{
    MPI_Comm m;
    int rank, size, sum;
    CHECK_MPI(MPI_Intercomm_merge(c, up, &m));
    CHECK_MPI(MPI_Comm_rank(m, &rank));
    CHECK_MPI(MPI_Comm_size(m, &size));
    CHECK_EQ(size, np);
    if (lower_first >= 0)
        CHECK_EQ(rank, lower_first ? me : me < low ? me + np - low : me - low);
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, m));
    CHECK_EQ(sum, np * (np - 1) / 2);
    CHECK_MPI(MPI_Comm_free(&m));
}

int main(int argc, char **argv)
{
    MPI_Comm half, c, d, bad;
    MPI_Group g;
    int upper, n, result;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    low = (np + 1) / 2;
    upper = me >= low;
    mine = upper ? np - low : low;
    theirs = np - mine;
    first = upper ? 0 : low;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half));
    int rank;
    CHECK_MPI(MPI_Comm_rank(half, &rank));
    /* The peer communicator matters at the leader only. */
    CHECK_MPI(MPI_Intercomm_create(half, 0, rank == 0 ? MPI_COMM_WORLD : MPI_COMM_NULL, first, 9, &c));
    talk(c, mine, theirs, first);
    CHECK_MPI(MPI_Comm_remote_group(c, &g));
    CHECK_MPI(MPI_Group_size(g, &n));
    CHECK_EQ(n, theirs);
    CHECK_MPI(MPI_Group_free(&g));

    /* The remote group matters at the leader only, which must have one. */
    CHECK_MPI(MPI_Comm_group(half, &g));
    CHECK_CLASS(MPI_Intercomm_create_from_groups(g, 0, MPI_GROUP_NULL, 0, "null", MPI_INFO_NULL,
                                                 MPI_ERRORS_RETURN, &bad),
                MPI_ERR_GROUP);
    CHECK_MPI(MPI_Group_free(&g));

    CHECK_MPI(MPI_Comm_dup(c, &d));
    CHECK_MPI(MPI_Comm_compare(c, d, &result));
    CHECK_EQ(result, MPI_CONGRUENT);
    CHECK_MPI(MPI_Comm_free(&c));
    talk(d, mine, theirs, first);

    merged(d, 1, upper);
    merged(d, 0, !upper);
    merged(d, -1, 1);
    merged(d, -1, 0);

    CHECK_MPI(MPI_Comm_split(d, rank, 0, &c)); /* rank r of the one with rank r of the other */
    CHECK_EQ(c != MPI_COMM_NULL, rank < theirs);
    if (c != MPI_COMM_NULL) {
        talk(c, 1, 1, first + rank);
        CHECK_MPI(MPI_Comm_free(&c));
    }
    CHECK_CLASS(MPI_Intercomm_create(d, 0, MPI_COMM_WORLD, first, 9, &bad), MPI_ERR_COMM);
    CHECK_MPI(MPI_Comm_free(&d));
    CHECK_MPI(MPI_Comm_free(&half));
    return check_finish();
}
