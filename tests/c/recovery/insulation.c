/*
 * What a failure does not concern goes on: communicators without the dead rank, in the middle of a blocking
 * and of a nonblocking operation, MPI_COMM_SELF, receives from any source among those that live. A
 * communicator can be made of the living members of one that has lost some. Communicators that have lost
 * ranks or are revoked can be freed, without end. The last rank dies.
 */
#include "recovery.h"

int main(int argc, char **argv)
{
    MPI_Comm whole, part, made, c;
    MPI_Group world, group;
    MPI_Request r, s;
    MPI_Status st;
    int dead, sum, x, y, range[1][3];

    recovery_begin(&argc, &argv);
    dead = np - 1;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &whole));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me == dead, 0, &part));
    recovery_await_others(MPI_COMM_WORLD, dead, dead);
    if (me == dead)
        recovery_die(3);
    MPI_Comm_set_errhandler(part, MPI_ERRORS_ARE_FATAL); /* nothing may fail there */
    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, part, &r));
    if (me == 0)
        usleep(60000); /* the others wait when the rank dies */
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, part));
    CHECK_EQ(sum, dead * (dead - 1) / 2);
    CHECK_MPI(MPI_Iallreduce(&me, &sum, 1, MPI_INT, MPI_MAX, part, &s));
    CHECK_CLASS(MPI_Barrier(whole), MPIX_ERR_PROC_FAILED);
    CHECK_MPI(MPI_Wait(&s, &st));
    CHECK_EQ(sum, dead - 1);
    CHECK_MPI(MPI_Send(&me, 1, MPI_INT, (me + 1) % dead, 1, part));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_EQ(x, (me + dead - 1) % dead);
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
    CHECK_EQ(failures(part), 0);
    CHECK_EQ(failures(whole), 1);
    CHECK_EQ(failures(MPI_COMM_SELF), 0);

    /* On the communicator that has lost a rank the others talk as before. */
    y = me;
    for (int i = 0; i < 100; i++)
        CHECK_MPI(MPI_Sendrecv(&y, 1, MPI_INT, (me + 1) % dead, 2, &x, 1, MPI_INT, (me + dead - 1) % dead, 2,
                               whole, &st));
    CHECK_CLASS(MPI_Comm_dup(whole, &c), MPIX_ERR_PROC_FAILED);
    CHECK_CLASS(MPI_Comm_split(whole, 0, 0, &c), MPIX_ERR_PROC_FAILED);
    MPI_Comm_group(whole, &world);
    range[0][0] = 0, range[0][1] = dead - 1, range[0][2] = 1;
    MPI_Group_range_incl(world, 1, range, &group);
    CHECK_MPI(MPI_Comm_create_group(whole, group, 7, &made));
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, made));
    CHECK_EQ(sum, dead * (dead - 1) / 2);
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    CHECK_MPI(MPI_Comm_free(&made));

    /* There is room for any number of them. */
    for (int i = 0; i < 300; i++) {
        CHECK_MPI(MPIX_Comm_shrink(whole, &c));
        int rc = MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, c), class = MPI_SUCCESS;
        MPI_Error_class(rc, &class);
        /* another rank may be done before, and revoke it */
        CHECK(class == MPI_SUCCESS || (i % 2 == 0 && class == MPIX_ERR_REVOKED));
        if (i % 2 == 0)
            CHECK_MPI(MPIX_Comm_revoke(c));
        CHECK_MPI(MPI_Comm_free(&c));
    }
    CHECK_MPI(MPI_Comm_free(&whole));
    CHECK_MPI(MPI_Comm_free(&part));
    return recovery_end(1);
}
