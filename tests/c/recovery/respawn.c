/*
 * A job replaces its dead again and again. In each round one process of the communicator dies, of whichever
 * world; those that live hear of it in every way there is, agree, shrink, have a replacement started by one
 * of them, and merge with it. So after some rounds there are processes of many worlds, which know each other
 * by many connections, and none need be left of the first one.
 */
#include "recovery.h"

#define ROUNDS 7

static char *program;

/* What every survivor of a round sees of a death. Returns the communicator of those that live. */
static MPI_Comm lose(MPI_Comm all, int round, int victim)
{
    MPI_Comm rest;
    MPI_Group whole, failed;
    MPI_Request request;
    int size, rank, at, zero = 0, flag = 1, n, class, token;

    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &rank);
    int rc = round % 2 ? MPI_Barrier(all)
                       : MPI_Recv(&token, 1, MPI_INT, victim, 77, all, MPI_STATUS_IGNORE);
    class = error_class(rc);
    CHECK_MSG(class == MPIX_ERR_PROC_FAILED || (round % 3 == 0 && class == MPIX_ERR_REVOKED),
              "round %d: class %d", round, class);
    if (round % 3 == 0) {
        MPIX_Comm_revoke(all);
        CHECK_CLASS(MPI_Barrier(all), MPIX_ERR_REVOKED);
    }
    await_failures(all, 1);
    MPI_Comm_group(all, &whole);
    CHECK_MPI(MPIX_Comm_get_failed(all, &failed));
    CHECK_MPI(MPI_Group_translate_ranks(failed, 1, &zero, whole, &at));
    CHECK_EQ(at, victim);
    MPI_Group_free(&whole);
    MPI_Group_free(&failed);
    CHECK_CLASS(MPIX_Comm_agree(all, &flag), MPIX_ERR_PROC_FAILED);
    CHECK_EQ(flag, 1);
    CHECK_MPI(MPIX_Comm_ack_failed(all, 1, &n));
    CHECK_EQ(n, 1);
    flag = rank == (victim + 1) % size ? 5 : 7;
    CHECK_MPI(MPIX_Comm_iagree(all, &flag, &request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 5);
    if (round % 2) {
        CHECK_MPI(MPIX_Comm_ishrink(all, &rest, &request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        CHECK_MPI(MPIX_Comm_shrink(all, &rest));
    }
    MPI_Comm_size(rest, &n);
    CHECK_EQ(n, size - 1);
    return rest;
}

static void check_sum(MPI_Comm c, int expected)
{
    int one = 1, sum = 0, size;

    MPI_Comm_size(c, &size);
    CHECK_EQ(size, expected);
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK_EQ(sum, expected);
}

/* Gives up the intercommunicator over which a replacement has come: all of it in one way. */
static void part(MPI_Comm *inter, int round)
{
    if (round % 2)
        MPI_Comm_free(inter);
    else
        CHECK_MPI(MPI_Comm_disconnect(inter));
}

int main(int argc, char **argv)
{
    MPI_Comm parent, all, inter, rest;
    int round = 0, size, rank, total = 0, code;
    char text[16], *args[] = {text, NULL};

    recovery_begin(&argc, &argv);
    program = argv[0];
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_dup(MPI_COMM_WORLD, &all);
    } else {
        round = atoi(argv[1]);
        MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
        CHECK_MPI(MPI_Intercomm_merge(parent, 1, &all));
        MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
        part(&parent, round - 1);
    }
    for (;; round++) {
        MPI_Comm_size(all, &size);
        MPI_Comm_rank(all, &rank);
        check_sum(all, size);
        if (round == ROUNDS)
            break;
        int victim = (round * 3 + 1) % size;
        recovery_await_others(all, victim, victim);
        if (rank == victim)
            recovery_die(0);
        rest = lose(all, round, victim);
        MPI_Comm_free(&all);
        check_sum(rest, size - 1);
        snprintf(text, sizeof text, "%d", round + 1);
        CHECK_MPI(MPI_Comm_spawn(program, args, 1, MPI_INFO_NULL, round % (size - 1), rest, &inter, &code));
        CHECK_MPI(MPI_Intercomm_merge(inter, 0, &all));
        part(&inter, round);
        MPI_Comm_free(&rest);
    }
    CHECK_MPI(MPI_Reduce(&check_failed, &total, 1, MPI_INT, MPI_SUM, 0, all));
    if (rank == 0 && total == 0)
        printf("recovered from %d deaths\n", ROUNDS);
    MPI_Comm_free(&all);
    MPI_Finalize();
    return total != 0;
}
