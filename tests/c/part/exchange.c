/*
 * Partitioned operations around a ring, over several rounds: other numbers of partitions on the two sides,
 * partitions ready in any order by Pready, Pready_range and Pready_list, datatypes with gaps on either side,
 * several operations with the same tag started in another order than initialized, a receive longer than what
 * is sent, messages without data and to MPI_PROC_NULL, on an intercommunicator as well.
 */
#include "check.h"

enum { ROUNDS = 3 };

static uint64_t state = 1;

static int any(int n) { return (int)(check_random(&state) % (uint64_t)n); }

static void shuffle(int *list, int n)
{
    for (int i = 0; i < n; i++)
        list[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = any(i + 1), x = list[i];
        list[i] = list[j];
        list[j] = x;
    }
}

static void ready(MPI_Request r, int n)
{
    int *list = malloc(sizeof(int) * n);
    shuffle(list, n);
    switch (any(3)) {
    case 0:
        for (int i = 0; i < n; i++)
            CHECK_MPI(MPI_Pready(list[i], r));
        break;
    case 1:
        CHECK_MPI(MPI_Pready_range(n / 2, n - 1, r));
        if (n / 2 > 0)
            CHECK_MPI(MPI_Pready_range(0, n / 2 - 1, r));
        break;
    default:
        CHECK_MPI(MPI_Pready_list(n / 2, list, r));
        CHECK_MPI(MPI_Pready_list(n - n / 2, list + n / 2, r));
        CHECK_MPI(MPI_Pready_list(0, NULL, r));
    }
    free(list);
}

/* Sends n ints to one rank in sp partitions while n ints come from another in rp partitions. */
static void exchange(int n, int sp, int rp, int room, int to, int from, MPI_Comm comm)
{
    int *out = check_alloc(sizeof(int) * n), *in = check_alloc(sizeof(int) * room);
    MPI_Request r[2];
    CHECK_MPI(MPI_Psend_init(out, sp, n / sp, MPI_INT, to, 4, comm, MPI_INFO_NULL, &r[0]));
    CHECK_MPI(MPI_Precv_init(in, rp, room / rp, MPI_INT, from, 4, comm, MPI_INFO_NULL, &r[1]));
    for (int round = 0; round < ROUNDS; round++) {
        int flag = 0;
        MPI_Status s[2];
        CHECK_MPI(MPI_Parrived(r[1], 0, &flag));
        CHECK(flag);
        check_fill(out, sizeof(int) * n, 100 * me + round);
        check_renew(in, sizeof(int) * room);
        CHECK_MPI(MPI_Startall(2, r));
        ready(r[0], sp);
        for (int k = rp - 1; k >= 0 && round > 0; k--)
            for (flag = 0; !flag;)
                CHECK_MPI(MPI_Parrived(r[1], k, &flag));
        if (round > 0 && from != MPI_PROC_NULL)
            CHECK_DATA(in, sizeof(int) * n, 100 * from + round);
        CHECK_MPI(MPI_Waitall(2, r, s));
        CHECK_STATUS(s[1], from, from == MPI_PROC_NULL ? MPI_ANY_TAG : 4);
        CHECK_COUNT(s[1], MPI_INT, from == MPI_PROC_NULL ? 0 : n);
        if (from == MPI_PROC_NULL) {
            CHECK_FRESH(in, 0, sizeof(int) * room);
        } else {
            CHECK_DATA(in, sizeof(int) * n, 100 * from + round);
            CHECK_FRESH(in, sizeof(int) * n, sizeof(int) * (room - n));
        }
    }
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK_MPI(MPI_Request_free(&r[1]));
    check_free(out);
    check_free(in);
}

/* Every second int on one side, in partitions whose borders lie within the elements of the other. */
static void gaps(int to, int from)
{
    enum { N = 120 };
    int wide[2 * N], narrow[N];
    MPI_Datatype gapped, four;
    MPI_Request r[2];
    CHECK_MPI(MPI_Type_vector(4, 1, 2, MPI_INT, &gapped));
    CHECK_MPI(MPI_Type_create_resized(gapped, 0, 8 * sizeof(int), &four));
    CHECK_MPI(MPI_Type_free(&gapped));
    CHECK_MPI(MPI_Type_commit(&four));
    for (int direction = 0; direction < 2; direction++) {
        for (int i = 0; i < 2 * N; i++)
            wide[i] = -1;
        for (int i = 0; i < N; i++)
            narrow[i] = -1;
        if (direction == 0) {
            CHECK_MPI(MPI_Psend_init(narrow, N / 3, 3, MPI_INT, to, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
            CHECK_MPI(MPI_Precv_init(wide, 6, N / 24, four, from, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
        } else {
            CHECK_MPI(MPI_Psend_init(wide, N / 4, 1, four, to, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
            CHECK_MPI(
                MPI_Precv_init(narrow, 5, N / 5, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
        }
        for (int i = 0; i < N; i++)
            *(direction == 0 ? &narrow[i] : &wide[2 * i]) = 1000 * me + i;
        CHECK_MPI(MPI_Startall(2, r));
        ready(r[0], direction == 0 ? N / 3 : N / 4);
        CHECK_MPI(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        for (int i = 0; i < N; i++) {
            CHECK_EQ(direction == 0 ? wide[2 * i] : narrow[i], 1000 * from + i);
            CHECK_EQ(wide[2 * i + 1], -1);
        }
        CHECK_MPI(MPI_Request_free(&r[0]));
        CHECK_MPI(MPI_Request_free(&r[1]));
    }
    CHECK_MPI(MPI_Type_free(&four));
}

/* Many with the same tag, which match in the order in which they were initialized, whatever the order of the
 * starts. */
static void order(int to, int from)
{
    enum { MANY = 9 };
    int out[MANY][8] = {{0}}, in[MANY][8] = {{0}}, list[MANY];
    MPI_Request s[MANY], r[MANY], unused[2];
    CHECK_MPI(MPI_Psend_init(out, 3, 1, MPI_INT, to, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &unused[0]));
    CHECK_MPI(MPI_Precv_init(in, 2, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &unused[1]));
    for (int i = 0; i < 2; i++)
        CHECK_MPI(MPI_Request_free(&unused[i]));
    for (int i = 0; i < MANY; i++) {
        CHECK_MPI(MPI_Psend_init(out[i], 4, 2, MPI_INT, to, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &s[i]));
        CHECK_MPI(MPI_Precv_init_c(in[i], 2, 4, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &r[i]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MANY; i++)
            for (int k = 0; k < 8; k++) {
                out[i][k] = 10000 * round + 1000 * me + 10 * i + k;
                in[i][k] = -1;
            }
        shuffle(list, MANY);
        for (int i = 0; i < MANY; i++) {
            CHECK_MPI(MPI_Start(&s[list[i]]));
            CHECK_MPI(MPI_Start(&r[list[MANY - 1 - i]]));
        }
        for (int i = 0; i < MANY; i++)
            ready(s[i], 4);
        CHECK_MPI(MPI_Waitall(MANY, s, MPI_STATUSES_IGNORE));
        CHECK_MPI(MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE));
        for (int i = 0; i < MANY; i++)
            for (int k = 0; k < 8; k++)
                CHECK_EQ(in[i][k], 10000 * round + 1000 * from + 10 * i + k);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_MPI(MPI_Request_free(&s[i]));
        CHECK_MPI(MPI_Request_free(&r[i]));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int to = (me + 1) % np, from = (me + np - 1) % np;
    int parts[] = {1, 2, 3, 8, 60}, sizes[] = {0, 120, 12000, 600000};
    state = 77; /* the same everywhere */
    for (int z = 0; z < 4; z++)
        for (int s = 0; s < 5; s++) {
            int rp = parts[any(5)];
            exchange(sizes[z], parts[s], rp, sizes[z], to, from, MPI_COMM_WORLD);
        }
    exchange(240, 4, 3, 480, to, from, MPI_COMM_WORLD);
    exchange(12000, 1200, 2400, 12000, to, from, MPI_COMM_WORLD);
    exchange(240, 4, 3, 240, me < np - 1 ? to : MPI_PROC_NULL, me > 0 ? from : MPI_PROC_NULL, MPI_COMM_WORLD);
    gaps(to, from);
    order(to, from);
    if (np % 2 == 0) { /* every rank of one half with its counterpart */
        MPI_Comm half, inter;
        int other = 1 - me % 2;
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half));
        CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, 9, &inter));
        int world = me;
        me /= 2; /* what exchange takes for the data of its partner */
        exchange(480, 8, 6, 480, world / 2, world / 2, inter);
        me = world;
        CHECK_MPI(MPI_Comm_free(&inter));
        CHECK_MPI(MPI_Comm_free(&half));
    }
    return check_finish();
}
