/* With GOMPI_CHECK=types a receive whose type signature is not that of the message fails with MPI_ERR_TYPE
 * and spells both; what matches goes through, however it is laid out. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static int rank, size, left, right;
static char *out, *in;

enum { MOST = 1 << 20 };

/* One message to the next rank, received in one of three ways; returns the class of the receive's error. */
static int exchange(MPI_Comm comm, int sn, MPI_Datatype st, int rn, MPI_Datatype rt, int how, char *text)
{
    MPI_Request send, recv;
    MPI_Status status;
    MPI_Message message;
    int rc, class = MPI_SUCCESS, n = 0, to, from, me, all;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    to = (me + 1) % all, from = (me + all - 1) % all;
    text[0] = '\0';
    if (how == 0) { /* posted ahead */
        MPI_Irecv(in, rn, rt, from, 7, comm, &recv);
        if (all > 1)
            MPI_Barrier(comm);
        MPI_Isend(out, sn, st, to, 7, comm, &send);
        rc = MPI_Wait(&recv, &status);
    } else if (how == 1) { /* unexpected, wildcards */
        MPI_Isend(out, sn, st, to, 7, comm, &send);
        MPI_Probe(MPI_ANY_SOURCE, 7, comm, &status);
        rc = MPI_Recv(in, rn, rt, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    } else if (how == 2) { /* matched probe, synchronous */
        MPI_Issend(out, sn, st, to, 7, comm, &send);
        MPI_Mprobe(from, MPI_ANY_TAG, comm, &message, &status);
        rc = MPI_Mrecv(in, rn, rt, &message, &status);
    } else { /* persistent, twice */
        MPI_Send_init(out, sn, st, to, 7, comm, &send);
        MPI_Recv_init(in, rn, rt, from, 7, comm, &recv);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&send);
            MPI_Start(&recv);
            rc = MPI_Wait(&recv, &status);
            if (i == 0)
                CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
        }
        MPI_Request_free(&recv);
    }
    if (rc != MPI_SUCCESS) {
        MPI_Error_class(rc, &class);
        MPI_Error_string(rc, text, &n);
    }
    CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
    if (how == 3)
        MPI_Request_free(&send);
    return class;
}

/* All ways and two communicators. The words stand in the text of the error. */
static void expect(int want, int sn, MPI_Datatype st, int rn, MPI_Datatype rt, const char *one,
                   const char *other)
{
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF};

    for (int c = 0; c < 2; c++)
        for (int how = 0; how < 4; how++) {
            int class = exchange(comms[c], sn, st, rn, rt, how, text);
            CHECK_MSG(class == want, "way %d gave class %d, want %d: %.300s", how, class, want, text);
            if (want == MPI_ERR_TYPE)
                CHECK_MSG(strstr(text, one) != NULL && strstr(text, other) != NULL, "%s and %s are not in: %.300s", one, other, text);
        }
}

/* Of a collective call in which rank 0 says other types than the others, somebody hears; all come through it.
 */
static void heard(const char *what, int rc, int odd)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int class = MPI_SUCCESS, n = 0, any = 0, mine;

    if (rc != MPI_SUCCESS) {
        MPI_Error_class(rc, &class);
        MPI_Error_string(rc, text, &n);
        CHECK_MSG(class == MPI_ERR_TYPE, "%s gave class %d: %.300s", what, class, text);
        CHECK_MSG(strstr(text, "40 MPI_INT") != NULL && strstr(text, "40 MPI_FLOAT") != NULL, "%s: %.300s", what, text);
    }
    mine = rc != MPI_SUCCESS;
    CHECK_MPI(MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK_MSG(any == (odd && size > 1), "%s: %s", what, any ? "an error where all is well" : "nobody heard of it");
}

static void collectives(int odd)
{
    MPI_Datatype t = odd && rank == 0 ? MPI_INT : MPI_FLOAT;

#define HEARD(call) heard(#call, call, odd)
    HEARD(MPI_Bcast(out, 40, t, 0, MPI_COMM_WORLD));
    HEARD(MPI_Gather(out, 40, t, in, 40, t, size - 1, MPI_COMM_WORLD));
    HEARD(MPI_Scatter(out, 40, t, in, 40, t, 0, MPI_COMM_WORLD));
    HEARD(MPI_Allgather(out, 40, t, in, 40, t, MPI_COMM_WORLD));
    HEARD(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 40, t, MPI_COMM_WORLD));
    HEARD(MPI_Alltoall(out, 40, t, in, 40, t, MPI_COMM_WORLD));
    HEARD(MPI_Reduce(out, in, 40, t, MPI_SUM, 0, MPI_COMM_WORLD));
    HEARD(MPI_Allreduce(out, in, 40, t, MPI_SUM, MPI_COMM_WORLD));
    HEARD(MPI_Scan(out, in, 40, t, MPI_SUM, MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    MPI_Datatype pair, swapped, vector, nested;

    check_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    out = calloc(1, MOST);
    in = calloc(1, MOST);

    CHECK_MPI(MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, 8},
                                     (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &pair));
    CHECK_MPI(MPI_Type_create_struct(2, (int[]){2, 1}, (MPI_Aint[]){0, 16},
                                     (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &swapped));
    CHECK_MPI(MPI_Type_vector(40, 25, 30, MPI_DOUBLE, &vector));
    CHECK_MPI(MPI_Type_contiguous(3, pair, &nested));
    CHECK_MPI(MPI_Type_commit(&pair));
    CHECK_MPI(MPI_Type_commit(&swapped));
    CHECK_MPI(MPI_Type_commit(&vector));
    CHECK_MPI(MPI_Type_commit(&nested));

    /* In a slot, in one packet, and larger than that. */
    static const int counts[] = {4, 600, 12000};
    for (int i = 0; i < 3; i++) {
        int n = counts[i];
        char ints[32], spelled[64];
        snprintf(ints, sizeof ints, "%d MPI_INT", n);
        expect(MPI_SUCCESS, n, MPI_INT, n, MPI_INT, "", "");
        expect(MPI_SUCCESS, n, MPI_INT, n + 5, MPI_INT32_T, "", "");
        expect(MPI_ERR_TYPE, n, MPI_INT, n, MPI_FLOAT, ints, "MPI_FLOAT");
        expect(MPI_ERR_TYPE, 8 * n, MPI_BYTE, n, MPI_DOUBLE, "MPI_BYTE", "MPI_DOUBLE");
        expect(MPI_SUCCESS, 4 * n, MPI_PACKED, n, MPI_FLOAT, "", "");
        expect(MPI_ERR_TRUNCATE, n, MPI_DOUBLE, n - 1, MPI_DOUBLE, "", "");
        snprintf(spelled, sizeof spelled, "%d x (1 MPI_INT, 2 MPI_DOUBLE)", n);
        expect(MPI_ERR_TYPE, n, pair, n, swapped, spelled, "(2 MPI_DOUBLE, 1 MPI_INT)");
        expect(MPI_SUCCESS, n, pair, (n + 2) / 3, nested, "", "");
    }
    expect(MPI_SUCCESS, 1, vector, 1000, MPI_DOUBLE, "", "");
    expect(MPI_SUCCESS, 1000, MPI_DOUBLE, 1, vector, "", "");
    expect(MPI_ERR_TYPE, 1, vector, 1000, MPI_LONG, "1000 MPI_DOUBLE", "1000 MPI_LONG");
    expect(MPI_SUCCESS, 0, MPI_INT, 3, MPI_DOUBLE, "", "");

    /* What is copied on the way is not compared, and collectives have messages of their own. */
    left = (rank + size - 1) % size, right = (rank + 1) % size;
    CHECK_MPI(MPI_Sendrecv_replace(out, 100, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Sendrecv(out, 100, MPI_INT, right, 1, in, 100, MPI_INT, left, 1, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Bcast(out, 1, vector, 0, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allgather(out, 3, pair, in, 1, nested, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Allreduce(out, in, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));

    collectives(0);
    collectives(1);

    CHECK_MPI(MPI_Type_free(&pair));
    CHECK_MPI(MPI_Type_free(&swapped));
    CHECK_MPI(MPI_Type_free(&vector));
    CHECK_MPI(MPI_Type_free(&nested));
    free(out);
    free(in);
    return check_finish();
}
