/*
 * Small nonblocking messages, which may begin and end without the library's core, mixed with everything that
 * needs it: the order stays, every status is right, and a handle is good once. On MPI_COMM_WORLD, a duplicate
 * and two kinds of split.
 */
#include "check.h"

enum { MOST = 700 };

static MPI_Request r[MOST];
static MPI_Status s[MOST];
static int in[MOST], out[MOST];

static int right, left, n, rank;
static MPI_Comm comm;

/* Windows of all lengths: shorter and longer than the ring, the posted receives and the tickets of any
 * implementation. */
static void windows(void)
{
    static const int lengths[] = {1, 2, 31, 32, 33, 63, 64, 65, 300, 340, MOST / 2};
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int first = 0; first < 2; first++) { /* who begins: receives or sends */
            int k = 0, w = lengths[l];
            for (int half = 0; half < 2; half++)
                for (int i = 0; i < w; i++) {
                    out[i] = rank * 10000 + i;
                    if (half != first) {
                        in[i] = -1;
                        CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, i % 3 == 2 ? MPI_ANY_SOURCE : left,
                                            i % 5 == 4 ? MPI_ANY_TAG : i % 7, comm, &r[k++]));
                    } else {
                        CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, right, i % 7, comm, &r[k++]));
                    }
                }
            CHECK_MPI(MPI_Waitall(k, r, s));
            for (int i = 0; i < w; i++) {
                CHECK_EQ(s[first ? i : w + i].MPI_SOURCE, left);
                CHECK(in[i] >= left * 10000 && in[i] < left * 10000 + w);
                CHECK_EQ(r[i] == MPI_REQUEST_NULL, 1);
            }
            /* All messages came once. */
            char seen[MOST] = {0};
            for (int i = 0; i < w; i++)
                seen[in[i] - left * 10000]++;
            for (int i = 0; i < w; i++)
                CHECK_EQ(seen[i], 1);
            CHECK_MPI(MPI_Barrier(comm));
        }
}

/* Same tag throughout: the order in which receives were posted is that of the sends, whatever comes in
 * between. */
static void order(void)
{
    static int large_in[5000], large_out[5000];
    int k = 0, flag;
    for (int i = 0; i < 40; i++) {
        in[i] = -1;
        if (i % 8 == 5)
            CHECK_MPI(
                MPI_Irecv(large_in, 5000, MPI_INT, left, 1, comm, &r[k++])); /* takes a small message, too */
        else
            CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, left, 1, comm, &r[k++]));
        if (i % 11 == 3) /* asks the core */
            CHECK_MPI(MPI_Iprobe(left, 999, comm, &flag, MPI_STATUS_IGNORE));
    }
    for (int i = 0; i < 40; i++) {
        out[i] = rank * 100 + i;
        if (i % 10 == 9)
            CHECK_MPI(MPI_Issend(&out[i], 1, MPI_INT, right, 1, comm, &r[k++]));
        else
            CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, right, 1, comm, &r[k++]));
    }
    for (int i = 0; i < 40; i++) { /* in any order of completion */
        CHECK_MPI(MPI_Wait(&r[i * 7 % 40], &s[0]));
        CHECK_STATUS(s[0], left, 1);
        CHECK_COUNT(s[0], MPI_INT, 1);
    }
    CHECK_MPI(MPI_Waitall(40, r + 40, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 40; i++)
        if (i % 8 != 5)
            CHECK_EQ(in[i], left * 100 + i);
    /* A large message among small ones, into receives that were posted as small ones are. */
    large_out[4999] = rank;
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, 2, comm, &r[0]));
    CHECK_MPI(MPI_Irecv(large_in, 5000, MPI_INT, left, 2, comm, &r[1]));
    CHECK_MPI(MPI_Irecv(&in[1], 1, MPI_INT, left, 2, comm, &r[2]));
    CHECK_MPI(MPI_Isend(&out[0], 1, MPI_INT, right, 2, comm, &r[3]));
    CHECK_MPI(MPI_Isend(large_out, 5000, MPI_INT, right, 2, comm, &r[4]));
    CHECK_MPI(MPI_Isend(&out[1], 1, MPI_INT, right, 2, comm, &r[5]));
    CHECK_MPI(MPI_Waitall(6, r, s));
    CHECK_COUNT(s[1], MPI_INT, 5000);
    CHECK_EQ(large_in[4999], left);
    CHECK_EQ(in[1], left * 100 + 1);
}

/* A blocking receive and a probe behind posted receives that match as well. */
static void behind_posted(void)
{
    int y = -1;
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, MPI_ANY_TAG, comm, &r[0]));
    CHECK_MPI(MPI_Isend(&out[0], 1, MPI_INT, right, 4, comm, &r[1]));
    CHECK_MPI(MPI_Isend(&out[1], 1, MPI_INT, right, 4, comm, &r[2]));
    CHECK_MPI(MPI_Probe(left, 4, comm, &s[0])); /* sees the second one */
    CHECK_COUNT(s[0], MPI_INT, 1);
    CHECK_MPI(MPI_Recv(&y, 1, MPI_INT, left, 4, comm, &s[0]));
    CHECK_EQ(y, left * 100 + 1);
    CHECK_MPI(MPI_Waitall(3, r, s));
    CHECK_STATUS(s[0], left, 4);
    CHECK_EQ(in[0], left * 100);
    for (int i = 0; i < 2; i++) { /* the same without the probe */
        CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, left, i ? MPI_ANY_TAG : 4, comm, &r[i]));
        CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, right, 4, comm, &r[3 + i]));
    }
    CHECK_MPI(MPI_Isend(&out[2], 1, MPI_INT, right, 4, comm, &r[2]));
    CHECK_MPI(MPI_Recv(&y, 1, MPI_INT, left, 4, comm, &s[0]));
    CHECK_EQ(y, left * 100 + 2);
    CHECK_MPI(MPI_Waitall(5, r, MPI_STATUSES_IGNORE));
    CHECK_EQ(in[0], left * 100);
    CHECK_EQ(in[1], left * 100 + 1);
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, MPI_ANY_TAG, comm, &r[0]));
    CHECK_MPI(MPI_Isend(&out[0], 1, MPI_INT, right, 4, comm, &r[1]));
    CHECK_MPI(MPI_Waitall(2, r, s));
    /* Sends report an empty status. */
    CHECK_EQ(s[1].MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_EQ(s[1].MPI_TAG, MPI_ANY_TAG);
    CHECK_COUNT(s[1], MPI_INT, 0);
}

static void test_until_done(void)
{
    int flag = 0;
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, 5, comm, &r[0]));
    CHECK_MPI(MPI_Test(&r[0], &flag, &s[0]));
    CHECK_MPI(MPI_Barrier(comm));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Isend(&out[7], 1, MPI_INT, right, 5, comm, &r[1]));
    r[2] = MPI_REQUEST_NULL;
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Testall(3, r, &flag, s));
    CHECK_STATUS(s[0], left, 5);
    CHECK_EQ(s[2].MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_EQ(in[0], left * 100 + 7);
    CHECK(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, 5, comm, &r[0]));
    CHECK_MPI(MPI_Isend(&out[8], 1, MPI_INT, right, 5, comm, &r[1]));
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Request_get_status(r[0], &flag, &s[0]));
    CHECK_STATUS(s[0], left, 5);
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Test(&r[0], &flag, &s[0]));
    CHECK_STATUS(s[0], left, 5);
    CHECK_EQ(in[0], left * 100 + 8);
    int which = -1, some[2], count = 0;
    CHECK_MPI(MPI_Waitany(2, r, &which, &s[0]));
    CHECK_EQ(which, 1);
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, 5, comm, &r[0]));
    CHECK_MPI(MPI_Isend(&out[9], 1, MPI_INT, right, 5, comm, &r[1]));
    while (r[0] != MPI_REQUEST_NULL || r[1] != MPI_REQUEST_NULL)
        CHECK_MPI(MPI_Waitsome(2, r, &count, some, s));
    CHECK_EQ(in[0], left * 100 + 9);
}

/* Freed, cancelled and stale handles. */
static void ends(void)
{
    int flag = -1;
    CHECK_MPI(MPI_Irecv(&in[3], 1, MPI_INT, left, 6, comm, &r[0]));
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK(r[0] == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Isend(&out[3], 1, MPI_INT, right, 6, comm, &r[1]));
    CHECK_MPI(MPI_Request_free(&r[1]));
    CHECK_MPI(MPI_Irecv(&in[4], 1, MPI_INT, left, 6, comm, &r[0]));
    CHECK_MPI(MPI_Isend(&out[4], 1, MPI_INT, right, 6, comm, &r[1]));
    CHECK_MPI(MPI_Waitall(2, r, s));
    CHECK_EQ(in[3], left * 100 + 3);
    CHECK_EQ(in[4], left * 100 + 4);
    in[5] = -1;
    CHECK_MPI(MPI_Irecv(&in[5], 1, MPI_INT, left, 6, comm, &r[0]));
    CHECK_MPI(MPI_Irecv(&in[6], 1, MPI_INT, left, 6, comm, &r[2]));
    CHECK_MPI(MPI_Cancel(&r[0]));
    CHECK_MPI(MPI_Wait(&r[0], &s[0]));
    CHECK_MPI(MPI_Test_cancelled(&s[0], &flag));
    CHECK_EQ(flag, 1);
    CHECK_MPI(MPI_Barrier(comm));
    CHECK_MPI(MPI_Isend(&out[6], 1, MPI_INT, right, 6, comm, &r[1]));
    CHECK_MPI(MPI_Waitall(2, r + 1, s));
    CHECK_EQ(in[5], -1);
    CHECK_EQ(in[6], left * 100 + 6);
#ifdef TEST_GOMPI
    MPI_Errhandler before;
    CHECK_MPI(MPI_Comm_get_errhandler(MPI_COMM_SELF, &before));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Isend(&out[6], 1, MPI_INT, right, 6, comm, &r[0]));
        CHECK_MPI(MPI_Irecv(&in[6], 1, MPI_INT, left, 6, comm, &r[1]));
        MPI_Request old[2] = {r[0], r[1]};
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        for (int j = 0; j < 2; j++) {
            CHECK_CLASS(MPI_Wait(&old[j], MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
            CHECK_CLASS(MPI_Test(&old[j], &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
            CHECK_CLASS(MPI_Request_free(&old[j]), MPI_ERR_REQUEST);
        }
    }
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, before));
#endif
}

/* A message that does not fit fails the receive alone, with the request's status. */
static void truncated(void)
{
    MPI_Errhandler before;
    CHECK_MPI(MPI_Comm_get_errhandler(comm, &before));
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    in[0] = in[1] = in[2] = -1;
    CHECK_MPI(MPI_Irecv(&in[0], 1, MPI_INT, left, 8, comm, &r[0]));
    CHECK_MPI(MPI_Irecv(&in[2], 1, MPI_INT, left, 8, comm, &r[1]));
    CHECK_MPI(MPI_Isend(out, 2, MPI_INT, right, 8, comm, &r[2]));
    CHECK_MPI(MPI_Isend(&out[2], 1, MPI_INT, right, 8, comm, &r[3]));
    CHECK_CLASS(MPI_Waitall(4, r, s), MPI_ERR_IN_STATUS);
    int class;
    CHECK_MPI(MPI_Error_class(s[0].MPI_ERROR, &class));
    CHECK_EQ(class, MPI_ERR_TRUNCATE);
    CHECK_EQ(s[1].MPI_ERROR, MPI_SUCCESS);
    CHECK_EQ(in[1], -1);
    CHECK_EQ(in[2], left * 100 + 2);
    CHECK_MPI(MPI_Comm_set_errhandler(comm, before));
    CHECK_MPI(MPI_Errhandler_free(&before));
}

static void all(MPI_Comm c)
{
    comm = c;
    CHECK_MPI(MPI_Comm_rank(c, &rank));
    CHECK_MPI(MPI_Comm_size(c, &n));
    right = (rank + 1) % n;
    left = (rank + n - 1) % n;
    windows();
    for (int i = 0; i < 40; i++)
        out[i] = rank * 100 + i;
    order();
    behind_posted();
    test_until_done();
    ends();
    truncated();
    CHECK_MPI(MPI_Barrier(c));
}

int main(int argc, char **argv)
{
    MPI_Comm dup, parity, halves;
    check_init(&argc, &argv);
    all(MPI_COMM_WORLD);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &parity));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me * 2 / np, -me, &halves)); /* backwards */
    all(dup);
    all(parity);
    all(halves);
    /* Requests outlive their communicator. */
    int x = me, y = -1;
    CHECK_MPI(MPI_Irecv(&y, 1, MPI_INT, (me + np - 1) % np, 3, dup, &r[0]));
    CHECK_MPI(MPI_Isend(&x, 1, MPI_INT, (me + 1) % np, 3, dup, &r[1]));
    CHECK_MPI(MPI_Comm_free(&dup));
    CHECK_MPI(MPI_Comm_dup(parity, &dup));
    CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK_EQ(y, (me + np - 1) % np);
    CHECK_MPI(MPI_Comm_free(&dup));
    CHECK_MPI(MPI_Comm_free(&parity));
    CHECK_MPI(MPI_Comm_free(&halves));
    return check_finish();
}
