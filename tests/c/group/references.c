/* The group of a communicator or a window, asked for several times: each is a reference of its own, outlives
 * the object, and is refused once it has been freed (MPI 5.0, 7.3.2, 7.3.3, 12.2.7). */
#include "check.h"

enum { TIMES = 5 };

static void refused(MPI_Group g)
{
    int n;

    CHECK_CLASS(MPI_Group_size(g, &n), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_rank(g, &n), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Group_free(&g), MPI_ERR_GROUP);
}

static void usable(MPI_Group g)
{
    int n, rank;

    CHECK_MPI(MPI_Group_size(g, &n));
    CHECK_MPI(MPI_Group_rank(g, &rank));
    CHECK_EQ(n, np);
    CHECK_EQ(rank, me);
}

/* Frees all of the groups but one, in an order of its own, and returns the one. */
static MPI_Group free_but_one(MPI_Group *g)
{
    for (int i = 1; i < TIMES; i++) {
        int k = i * 3 % TIMES;
        usable(g[k]);
        CHECK_MPI(MPI_Group_free(&g[k]));
        CHECK(g[k] == MPI_GROUP_NULL);
    }
    usable(g[0]);
    return g[0];
}

int main(int argc, char **argv)
{
    MPI_Comm c;
    MPI_Win w;
    MPI_Group g[TIMES], of_comm, of_win, was;
    int *base, same;

    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    CHECK_MPI(MPI_Win_allocate(64, 1, MPI_INFO_NULL, c, &base, &w));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < TIMES; i++)
            CHECK_MPI(MPI_Comm_group(c, &g[i]));
        was = of_comm = free_but_one(g);
        CHECK_MPI(MPI_Group_free(&of_comm));
        refused(was);
    }
    for (int i = 0; i < TIMES; i++)
        CHECK_MPI(MPI_Win_get_group(w, &g[i]));
    of_win = free_but_one(g);
    for (int i = 0; i < TIMES; i++)
        CHECK_MPI(MPI_Comm_group(c, &g[i]));
    of_comm = free_but_one(g);

    /* One that has been freed cannot be what a window synchronizes with. */
    CHECK_MPI(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Win_post(of_win, 0, w));
    CHECK_MPI(MPI_Win_start(of_win, 0, w));
    CHECK_MPI(MPI_Win_complete(w));
    CHECK_MPI(MPI_Win_wait(w));
    was = of_win;
    CHECK_MPI(MPI_Group_free(&of_win));
    CHECK_CLASS(MPI_Win_post(was, 0, w), MPI_ERR_GROUP);
    CHECK_MPI(MPI_Win_get_group(w, &of_win));

    CHECK_MPI(MPI_Win_free(&w));
    CHECK_MPI(MPI_Comm_free(&c));
    usable(of_comm);
    usable(of_win);
    CHECK_MPI(MPI_Group_compare(of_comm, of_win, &same));
    CHECK_EQ(same, MPI_IDENT);
    was = of_comm;
    CHECK_MPI(MPI_Group_free(&of_comm));
    CHECK_MPI(MPI_Group_free(&of_win));
    refused(was);
    return check_finish();
}
