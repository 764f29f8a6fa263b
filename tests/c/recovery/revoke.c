/*
 * A revocation ends whatever the ranks do on the communicator, also where they sleep: receives, probes,
 * requests, collectives of all kinds. Other communicators do not notice. Nobody dies. A rank revokes by
 * turns.
 */
#include "recovery.h"

enum { KINDS = 15, MANY = 500 };

/* Waits on c for what never comes; returns the error. */
static int wait_in_vain(int kind, MPI_Comm c)
{
    static int x, y[64], z[64];
    static char big[1 << 18];
    MPI_Request r, many[MANY];
    MPI_Status st;
    MPI_Message m;
    MPI_Comm d;
    int flag = 0, rc = MPI_SUCCESS, rank;

    MPI_Comm_rank(c, &rank);
    switch (kind) {
    case 0: return MPI_Recv(&x, 1, MPI_INT, rank, 1, c, &st);
    case 1: return MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, c, &st);
    case 2: return MPI_Probe(MPI_ANY_SOURCE, 1, c, &st);
    case 3: return MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c, &m, &st);
    case 4:
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, c, &r);
        return MPI_Wait(&r, &st);
    case 5:
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, c, &r);
        while (rc == MPI_SUCCESS && !flag)
            rc = MPI_Test(&r, &flag, &st);
        return rc;
    case 6: return MPI_Barrier(c);
    case 7: return MPI_Allreduce(&x, y, 1, MPI_INT, MPI_SUM, c);
    case 8: return MPI_Alltoall(z, 1, MPI_INT, y, 1, MPI_INT, c);
    case 9:
        rc = MPI_Ibarrier(c, &r);
        return rc != MPI_SUCCESS ? rc : MPI_Wait(&r, &st);
    case 10: return MPI_Allreduce(MPI_IN_PLACE, big, sizeof big / sizeof(int), MPI_INT, MPI_MAX, c);
    case 11: return MPI_Comm_dup(c, &d);
    case 13:
        MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, c, &r);
        MPI_Start(&r);
        rc = MPI_Wait(&r, &st);
        MPI_Request_free(&r);
        return rc;
    case 14: /* whose neighbors are not those that are missing goes on a little */
        while (rc == MPI_SUCCESS)
            rc = MPI_Neighbor_alltoall(z, 1, MPI_INT, y, 1, MPI_INT, c);
        return rc;
    case 12: /* so many that most wait for their turn */
        for (int i = 0; i < MANY; i++)
            if ((rc = MPI_Ibarrier(c, &many[flag])) == MPI_SUCCESS)
                flag++;
        for (int i = 0; i < flag; i++) {
            rc = MPI_Wait(&many[i], &st);
            CHECK_EQ(error_class(rc), MPIX_ERR_REVOKED);
        }
        return rc;
    }
    return MPI_SUCCESS;
}

/* A communicator of one rank, whose operations take no other one. */
static void revoke_alone(void)
{
    MPI_Comm c, d;
    MPI_Group g;
    MPI_Request r;
    MPI_Win w;
    MPI_File f;
    void *memory;
    int x = 1, y[2];
    CHECK_MPI(MPI_Cart_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){1}, 0, &c));
    CHECK_MPI(MPI_Barrier(c));
    CHECK_MPI(MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, c));
    CHECK_MPI(MPIX_Comm_revoke(c));
    CHECK_CLASS(MPI_Barrier(c), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Allreduce(&x, y, 1, MPI_INT, MPI_SUM, c), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, c), MPIX_ERR_REVOKED);
    /* Nothing is made out of it. */
    CHECK_CLASS(MPI_Comm_dup(c, &d), MPIX_ERR_REVOKED);
    int rc = MPI_Comm_idup(c, &d, &r);
    CHECK_EQ(error_class(rc == MPI_SUCCESS ? MPI_Wait(&r, MPI_STATUS_IGNORE) : rc), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Comm_split(c, 0, 0, &d), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Comm_split_type(c, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &d), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Cart_create(c, 1, (int[]){1}, (int[]){1}, 0, &d), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Cart_sub(c, (int[]){1}, &d), MPIX_ERR_REVOKED);
    CHECK_MPI(MPI_Comm_group(c, &g));
    CHECK_CLASS(MPI_Comm_create(c, g, &d), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Comm_create_group(c, g, 0, &d), MPIX_ERR_REVOKED);
    CHECK_MPI(MPI_Group_free(&g));
    CHECK_CLASS(MPI_Win_create(y, sizeof y, 1, MPI_INFO_NULL, c, &w), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Win_allocate(8, 1, MPI_INFO_NULL, c, &memory, &w), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_Win_create_dynamic(MPI_INFO_NULL, c, &w), MPIX_ERR_REVOKED);
    CHECK_CLASS(MPI_File_open(c, "revoked.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f),
                MPIX_ERR_REVOKED);
    CHECK_MPI(MPI_Comm_free(&c));
}

int main(int argc, char **argv)
{
    MPI_Comm c, other;
    MPI_Request r, rounds[2];
    MPI_Status st;
    int flag, x, y = 0, sum;

    recovery_begin(&argc, &argv);
    revoke_alone();
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    for (int kind = 0; kind < KINDS; kind++) {
        int from = (kind * 3 + 1) % np;

        CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &np, (int[]){1}, 0, &c));
        for (int i = 0; i < 3; i++)
            CHECK_MPI(MPI_Neighbor_alltoall((int[2]){me, me}, 1, MPI_INT, (int[2]){0}, 1, MPI_INT, c));
        CHECK_MPI(MPI_Barrier(other)); /* nobody revokes while others are in there */
        CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, other, &r));
        CHECK_MPI(MPI_Send_init(&y, 1, MPI_INT, (me + 1) % np, 6, c, &rounds[0]));
        CHECK_MPI(MPI_Recv_init(&y, 1, MPI_INT, (me + 1) % np, 6, c, &rounds[1]));
        if (me == from) {
            usleep(20000);
            CHECK_MPI(MPIX_Comm_is_revoked(c, &flag));
            CHECK_EQ(flag, 0);
            CHECK_MPI(MPIX_Comm_revoke(c));
            CHECK_MPI(MPIX_Comm_revoke(c));
        } else {
            int rc = wait_in_vain(kind, c);
            CHECK_MSG(error_class(rc) == MPIX_ERR_REVOKED, "kind %d ends with class %d", kind, error_class(rc));
        }
        CHECK_MPI(MPIX_Comm_is_revoked(c, &flag));
        CHECK_EQ(flag, 1);
        for (int i = 0; i < 2; i++) { /* made before the revocation */
            CHECK_MPI(MPI_Start(&rounds[i]));
            CHECK_CLASS(MPI_Wait(&rounds[i], &st), MPIX_ERR_REVOKED);
            CHECK_MPI(MPI_Request_free(&rounds[i]));
        }
        CHECK_CLASS(MPI_Send(&x, 1, MPI_INT, (me + 1) % np, 1, c), MPIX_ERR_REVOKED);
        CHECK_CLASS(MPI_Isend(&x, 1, MPI_INT, (me + 1) % np, 1, c, &r) == MPI_SUCCESS ? MPI_Wait(&r, &st)
                                                                                     : MPIX_ERR_REVOKED,
                    MPIX_ERR_REVOKED);
        for (int k = 0; k < KINDS; k++) {
            int rc = wait_in_vain(k, c);
            CHECK_MSG(error_class(rc) == MPIX_ERR_REVOKED, "kind %d on a revoked communicator: class %d", k,
                      error_class(rc));
        }
        /* What is local, agreements and shrinking work. */
        CHECK_MPI(MPI_Comm_size(c, &x));
        CHECK_EQ(x, np);
        flag = ~(1 << me);
        CHECK_MPI(MPIX_Comm_agree(c, &flag));
        CHECK_EQ(flag, ~((1 << np) - 1));
        MPI_Comm rest = living(c);
        CHECK_MPI(MPI_Comm_free(&rest));
        CHECK_MPI(MPI_Comm_free(&c));
        /* The others have not noticed. */
        CHECK_MPI(MPIX_Comm_is_revoked(other, &flag));
        CHECK_EQ(flag, 0);
        CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, other));
        CHECK_EQ(sum, np * (np - 1) / 2);
    }
    /* The receives on the other communicator are all there still. */
    for (int i = 0; i < KINDS; i++)
        CHECK_MPI(MPI_Send(&i, 1, MPI_INT, me, 5, other));
    CHECK_MPI(MPI_Barrier(other));
    CHECK_MPI(MPI_Comm_free(&other));
    return recovery_end(0);
}
