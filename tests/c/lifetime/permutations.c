/*
 * A group, an error handler, an attribute key, a communicator made with them, its duplicate, and messages on
 * their way on both are given up in every order; all that goes on in the meantime ends well, every time.
 */
#include "check.h"

enum { COMM, DUPLICATE, GROUP, HANDLER, KEY, WAIT, THINGS };

static int deleted, handled;

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

static void run(const int *order, int bytes)
{
    static char out[2][20000], in[2][20000];
    MPI_Comm comm[2];
    MPI_Group world, group;
    MPI_Errhandler errhandler;
    MPI_Request r[4];
    int key, to = (me + 1) % np, from = (me + np - 1) % np;
    deleted = handled = 0;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Group_range_incl(world, 1, (int[1][3]){{0, np - 1, 1}}, &group));
    CHECK_MPI(MPI_Group_free(&world));
    CHECK_MPI(MPI_Comm_create(MPI_COMM_WORLD, group, &comm[0]));
    CHECK_MPI(MPI_Comm_create_errhandler(handler, &errhandler));
    CHECK_MPI(MPI_Comm_set_errhandler(comm[0], errhandler));
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete, &key, NULL));
    CHECK_MPI(MPI_Comm_set_attr(comm[0], key, &key));
    CHECK_MPI(MPI_Comm_dup(comm[0], &comm[1]));
    for (int i = 0; i < 2; i++) {
        memset(out[i], 1 + me + 10 * i, (size_t)bytes);
        CHECK_MPI(MPI_Irecv(in[i], bytes, MPI_BYTE, from, 0, comm[i], &r[2 * i]));
        CHECK_MPI(MPI_Isend(out[i], bytes, MPI_BYTE, to, 0, comm[i], &r[2 * i + 1]));
    }
    for (int i = 0; i < THINGS; i++)
        switch (order[i]) {
        case COMM:
        case DUPLICATE: {
            int bad = MPI_Send(out, -1, MPI_BYTE, to, 0, comm[order[i]]); /* its handler is still there */
            CHECK(bad != MPI_SUCCESS);
            CHECK_MPI(MPI_Comm_free(&comm[order[i]]));
            break;
        }
        case GROUP:
            CHECK_MPI(MPI_Group_free(&group));
            break;
        case HANDLER:
            CHECK_MPI(MPI_Errhandler_free(&errhandler));
            break;
        case KEY:
            CHECK_MPI(MPI_Comm_free_keyval(&key));
            break;
        default:
            CHECK_MPI(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
            for (int k = 0; k < 2; k++)
                for (int b = 0; b < bytes; b += 997)
                    CHECK_EQ(in[k][b], 1 + from + 10 * k);
        }
    CHECK_EQ(deleted, 2);
    CHECK_EQ(handled, 2);
}

/* Calls run with every order of the things from at on. */
static void permute(int *order, int at)
{
    if (at == THINGS) {
        run(order, order[0] % 2 ? 8 : 20000);
        return;
    }
    for (int i = at; i < THINGS; i++) {
        int t = order[at];
        order[at] = order[i];
        order[i] = t;
        permute(order, at + 1);
        order[i] = order[at];
        order[at] = t;
    }
}

int main(int argc, char **argv)
{
    int order[THINGS];
    check_init(&argc, &argv);
    for (int i = 0; i < THINGS; i++)
        order[i] = i;
    permute(order, 0);
    return check_finish();
}
