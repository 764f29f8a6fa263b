/* Children are a job of their own that knows its parents: numbers, names, messages and collectives between
 * the two, both merged, grandchildren, and what is left once they have parted. argv: how many children, how
 * many generations. */
#include <unistd.h>

#include "check.h"

static char *program;

/* All that two groups can say to each other. first tells which of them comes first when they are merged. */
static void talk(MPI_Comm inter, int first)
{
    int inside, local, remote, rank, sum = 0, value;
    CHECK_MPI(MPI_Comm_test_inter(inter, &inside));
    CHECK(inside);
    CHECK_MPI(MPI_Comm_size(inter, &local));
    CHECK_MPI(MPI_Comm_rank(inter, &rank));
    CHECK_MPI(MPI_Comm_remote_size(inter, &remote));

    MPI_Request requests[2 * 16];
    int n = 0, out[16], in[16];
    for (int r = 0; r < remote; r++) {
        out[r] = 100 * rank + r + (first ? 0 : 10000);
        CHECK_MPI(MPI_Irecv(&in[r], 1, MPI_INT, r, 7, inter, &requests[n++]));
        CHECK_MPI(MPI_Isend(&out[r], 1, MPI_INT, r, 7, inter, &requests[n++]));
    }
    CHECK_MPI(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
    for (int r = 0; r < remote; r++)
        CHECK_EQ(in[r], 100 * r + rank + (first ? 10000 : 0));

    value = rank + 1;
    CHECK_MPI(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK_EQ(sum, remote * (remote + 1) / 2);

    /* Long messages, from every rank to its like on the other side. */
    enum { LONG = 300000 };
    char *data = check_alloc(LONG), *got = check_alloc(LONG);
    check_fill(data, LONG, (unsigned)(rank + (first ? 0 : 50)));
    if (rank < remote) {
        CHECK_MPI(MPI_Sendrecv(data, LONG, MPI_BYTE, rank, 1, got, LONG, MPI_BYTE, rank, 1, inter,
                               MPI_STATUS_IGNORE));
        CHECK_DATA(got, LONG, (unsigned)(rank + (first ? 50 : 0)));
    }
    check_free(data);
    check_free(got);

    MPI_Comm all;
    int size, mine, total = 0;
    CHECK_MPI(MPI_Intercomm_merge(inter, !first, &all));
    CHECK_MPI(MPI_Comm_size(all, &size));
    CHECK_MPI(MPI_Comm_rank(all, &mine));
    CHECK_EQ(size, local + remote);
    CHECK_EQ(mine, first ? rank : remote + rank);
    CHECK_MPI(MPI_Allreduce(&mine, &total, 1, MPI_INT, MPI_SUM, all));
    CHECK_EQ(total, size * (size - 1) / 2);
    CHECK_MPI(MPI_Barrier(all));
    CHECK_MPI(MPI_Comm_free(&all));
}

static void spawn(int children, int generations)
{
    MPI_Comm inter;
    int codes[16], root = np - 1, remote;
    char count[16], left[16], *argv[] = {count, left, "an argument with blanks", "", NULL};
    snprintf(count, sizeof count, "%d", children);
    snprintf(left, sizeof left, "%d", generations - 1);
    memset(codes, 0x77, sizeof codes);
    if (me == root)
        CHECK_MPI(
            MPI_Comm_spawn(program, argv, children, MPI_INFO_NULL, root, MPI_COMM_WORLD, &inter, codes));
    else /* significant at the root only */
        CHECK_MPI(MPI_Comm_spawn(NULL, NULL, -1, (MPI_Info)1, root, MPI_COMM_WORLD, &inter, codes));
    for (int i = 0; i < children; i++)
        CHECK_EQ(codes[i], MPI_SUCCESS);
    CHECK_EQ(codes[children], 0x77777777);
    CHECK_MPI(MPI_Comm_remote_size(inter, &remote));
    CHECK_EQ(remote, children);
    talk(inter, 1);
    CHECK_MPI(MPI_Comm_disconnect(&inter));
    CHECK(inter == MPI_COMM_NULL);
    /* The children need not be there any more. */
    int sum = 0;
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, np * (np - 1) / 2);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, again;
    int generations = atoi(argv[2]), number = -1, *app, found;
    char name[MPI_MAX_OBJECT_NAME] = "";
    program = argv[0];
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        CHECK_MPI(MPI_Comm_get_parent(&again));
        CHECK(parent == again);
        CHECK_MPI(MPI_Comm_get_name(parent, name, &number));
        CHECK(strcmp(name, "MPI_COMM_PARENT") == 0);
        CHECK_EQ(argc, 5);
        CHECK(strcmp(argv[3], "an argument with blanks") == 0);
        CHECK(argv[4][0] == 0);
        CHECK_EQ(np, atoi(argv[1]));
        CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &found));
        CHECK(!found || *app == 0);
        talk(parent, 0);
        if (generations > 0)
            spawn(atoi(argv[1]), generations);
        CHECK_MPI(MPI_Comm_disconnect(&parent));
        CHECK_MPI(MPI_Comm_get_parent(&parent));
        CHECK(parent == MPI_COMM_NULL);
    } else {
        spawn(atoi(argv[1]), generations);
        spawn(1, 1);
        CHECK_MPI(MPI_Comm_get_parent(&parent));
        CHECK(parent == MPI_COMM_NULL);
    }
    return check_finish();
}
