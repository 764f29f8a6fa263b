/*
 * Communicators of those that live, made again and again while ranks die: the order of the ranks is kept,
 * all have the same group, collectives and messages work on them, and an error handler is taken over. Ranks
 * die before, during and between the calls, and what was shrunk may have lost some of its ranks already.
 *
 *     shrink LOSSES [SEED]
 */
#include "recovery.h"

enum { ROUNDS = 30, MOST = 64 };

static int errors;
static void count_errors(MPI_Comm *c, int *rc, ...) { errors += c != NULL && rc != NULL; }

/* All of c say who they are, and come in the order of MPI_COMM_WORLD. Whether all could. */
static int look(MPI_Comm c)
{
    int who[MOST], size, rank;

    MPI_Comm_size(c, &size);
    MPI_Comm_rank(c, &rank);
    if (MPI_Allgather(&me, 1, MPI_INT, who, 1, MPI_INT, c) != MPI_SUCCESS)
        return 0;
    for (int i = 1; i < size; i++)
        CHECK_MSG(who[i] > who[i - 1], "ranks %d and %d follow each other", who[i - 1], who[i]);
    CHECK_EQ(who[rank], me);
    return 1;
}

int main(int argc, char **argv)
{
    int losses = argc > 1 ? atoi(argv[1]) : 1, when[MOST];
    unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    MPI_Comm c, d, e;
    MPI_Request r, s;
    MPI_Errhandler handler;

    recovery_begin(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    CHECK_MPI(MPI_Comm_create_errhandler(count_errors, &handler));
    CHECK_MPI(MPI_Comm_set_errhandler(c, handler));
    if (seed == 0)
        seed = (unsigned)(MPI_Wtime() * 1e6);
    MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    srand(seed);
    for (int i = 0; i < losses; i++)
        when[i] = 1 + rand() % 6000;
    MPI_Barrier(MPI_COMM_WORLD);
    if (me < losses)
        recovery_die_after(when[me]);
    for (int i = 0; i < ROUNDS; i++) {
        int good;

        if (i % 3 == 0) {
            CHECK_MPI(MPIX_Comm_shrink(c, &d));
        } else {
            CHECK_MPI(MPIX_Comm_ishrink(c, &d, &r));
            CHECK_MPI(MPIX_Comm_ishrink(c, &e, &s));
            CHECK_MPI(MPI_Wait(&s, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
            MPI_Comm_free(&e);
        }
        good = look(d);
        MPIX_Comm_agree(d, &good);
        if (!good)
            MPIX_Comm_revoke(i % 2 == 0 ? c : d);
        MPI_Comm_free(&c);
        c = d;
    }
    usleep(me < losses ? 100000 : 0); /* this rank was too quick */
    CHECK_MPI(MPIX_Comm_shrink(c, &d));
    MPI_Comm_free(&c);
    CHECK_EQ(look(d), 1);
    int size, before = errors;
    MPI_Comm_size(d, &size);
    CHECK_EQ(size, np - losses);
    MPI_Send(&size, 1, MPI_INT, size, 0, d); /* there is no such rank */
    CHECK_EQ(errors, before + 1);
    MPI_Comm_free(&d);
    MPI_Errhandler_free(&handler);
    return recovery_end(losses);
}
