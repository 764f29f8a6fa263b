/* A rank sends to itself data with gaps on either side, or on both, by all modes; either side first. What is
 * between the elements stays as it was. */
#include "check.h"

enum { INTS = 96, TYPES = 5, MODES = 6, ROOM = 4 * INTS };

static MPI_Datatype types[TYPES];
static int counts[TYPES]; /* of elements in INTS integers */

/* The place of integer k of the data in memory of a type. */
static int place(int type, int k)
{
    switch (type) {
    case 1: return 2 * k;                     /* each second one */
    case 2: return k / 2 * 3 + k % 2;         /* blocks of 8 bytes, with 4 between */
    case 3: return k / 3 * 4 + (k % 3 + 1) % 3; /* of three the last one first */
    case 4: return k / 24 * 30 + k % 24 / 4 * 5 + k % 4;
    default: return k;
    }
}

static void make_types(void)
{
    int lengths[] = {2, 1}, displs[] = {1, 0};
    MPI_Datatype block, t;
    CHECK_MPI(MPI_Type_contiguous(1, MPI_INT, &types[0]));
    CHECK_MPI(MPI_Type_create_resized(MPI_INT, 0, 8, &types[1]));
    CHECK_MPI(MPI_Type_vector(INTS / 2, 2, 3, MPI_INT, &types[2]));
    CHECK_MPI(MPI_Type_indexed(2, lengths, displs, MPI_INT, &t));
    CHECK_MPI(MPI_Type_create_resized(t, 0, 16, &types[3]));
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Type_vector(6, 4, 5, MPI_INT, &block));
    CHECK_MPI(MPI_Type_create_resized(block, 0, 120, &types[4]));
    CHECK_MPI(MPI_Type_free(&block));
    counts[0] = counts[1] = INTS;
    counts[2] = 1;
    counts[3] = INTS / 3;
    counts[4] = INTS / 24;
    for (int i = 0; i < TYPES; i++)
        CHECK_MPI(MPI_Type_commit(&types[i]));
}

static int out[ROOM], in[ROOM];

static void prepare(int type, int serial)
{
    for (int i = 0; i < ROOM; i++)
        out[i] = in[i] = -1;
    for (int k = 0; k < INTS; k++)
        out[place(type, k)] = serial * 1000 + k;
}

/* The first n integers of the data have come, and nothing else. */
static void check_in(int type, int serial, int n)
{
    static int want[ROOM];
    for (int i = 0; i < ROOM; i++)
        want[i] = -1;
    for (int k = 0; k < n; k++)
        want[place(type, k)] = serial * 1000 + k;
    CHECK_MSG(memcmp(in, want, sizeof in) == 0, "data %d of type %d is wrong", serial, type);
}

static void send(int mode, int type, MPI_Comm comm, int self, MPI_Request *r)
{
    const int n = counts[type];
    const MPI_Datatype t = types[type];
    *r = MPI_REQUEST_NULL;
    switch (mode) {
    case 0: CHECK_MPI(MPI_Send(out, n, t, self, 1, comm)); break;
    case 1: CHECK_MPI(MPI_Isend(out, n, t, self, 1, comm, r)); break;
    case 2: CHECK_MPI(MPI_Issend(out, n, t, self, 1, comm, r)); break;
    case 3: CHECK_MPI(MPI_Bsend(out, n, t, self, 1, comm)); break;
    case 4: CHECK_MPI(MPI_Ibsend(out, n, t, self, 1, comm, r)); break;
    default:
        CHECK_MPI(MPI_Ssend_init(out, n, t, self, 1, comm, r));
        CHECK_MPI(MPI_Start(r));
    }
}

static void end(MPI_Request *r)
{
    CHECK_MPI(MPI_Wait(r, MPI_STATUS_IGNORE));
    if (*r != MPI_REQUEST_NULL)
        CHECK_MPI(MPI_Request_free(r));
}

static void exchange(MPI_Comm comm, int self, int from, int to, int mode)
{
    static int serial;
    MPI_Request s, r = MPI_REQUEST_NULL;
    MPI_Message m;
    MPI_Status st;
    int flag = -1;
    for (int way = 0; way < 5; way++) {
        prepare(from, ++serial);
        if (way == 0)
            CHECK_MPI(MPI_Irecv(in, counts[to], types[to], MPI_ANY_SOURCE, 1, comm, &r));
        if (way == 1) {
            CHECK_MPI(MPI_Recv_init(in, counts[to], types[to], self, MPI_ANY_TAG, comm, &r));
            CHECK_MPI(MPI_Start(&r));
        }
        send(mode, from, comm, self, &s);
        if (way > 1 && mode == 2) {
            CHECK_MPI(MPI_Request_get_status(s, &flag, MPI_STATUS_IGNORE));
            CHECK(!flag);
        }
        if (way == 2)
            CHECK_MPI(MPI_Irecv(in, counts[to], types[to], self, 1, comm, &r));
        if (way == 3)
            CHECK_MPI(MPI_Recv(in, counts[to], types[to], MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &st));
        if (way == 4) {
            CHECK_MPI(MPI_Mprobe(self, 1, comm, &m, &st));
            CHECK_MPI(MPI_Mrecv(in, counts[to], types[to], &m, &st));
        }
        if (way < 3) {
            CHECK_MPI(MPI_Wait(&r, &st));
            if (r != MPI_REQUEST_NULL)
                CHECK_MPI(MPI_Request_free(&r));
        }
        end(&s);
        CHECK_STATUS(st, self, 1);
        CHECK_COUNT(st, MPI_INT, INTS);
        check_in(to, serial, INTS);
    }
    if (mode != 2 && mode != 4)
        return;
    send(mode, from, comm, self, &s);
    CHECK_MPI(MPI_Cancel(&s));
    CHECK_MPI(MPI_Wait(&s, &st));
    CHECK_MPI(MPI_Test_cancelled(&st, &flag));
    CHECK(flag);
}

/* A message that ends within an element, and one that is too long. */
static void odd(MPI_Comm comm, int self, int posted)
{
    MPI_Request r;
    MPI_Status st;
    int rc = MPI_SUCCESS, class = -1;
    for (int n = INTS - 5; n <= INTS; n++) {
        prepare(0, n);
        if (posted)
            CHECK_MPI(MPI_Irecv(in, counts[4], types[4], self, 1, comm, &r));
        CHECK_MPI(MPI_Send(out, n, types[0], self, 1, comm));
        if (!posted)
            CHECK_MPI(MPI_Irecv(in, counts[4], types[4], self, 1, comm, &r));
        CHECK_MPI(MPI_Wait(&r, &st));
        CHECK_COUNT(st, MPI_INT, n);
        check_in(4, n, n);
    }
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    prepare(2, 7);
    if (posted)
        CHECK_MPI(MPI_Irecv(in, counts[4] - 1, types[4], self, 1, comm, &r));
    CHECK_MPI(MPI_Send(out, counts[2], types[2], self, 1, comm));
    if (posted)
        rc = MPI_Wait(&r, &st);
    else
        rc = MPI_Recv(in, counts[4] - 1, types[4], self, 1, comm, &st);
    CHECK_MPI(MPI_Error_class(rc, &class));
    CHECK_EQ(class, MPI_ERR_TRUNCATE);
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL));
}

/* A datatype may be freed while messages and requests name it. */
static void freed(MPI_Comm comm, int self)
{
    MPI_Request r[4];
    MPI_Status st[4];
    for (int first = 0; first < 2; first++) {
        MPI_Datatype t;
        CHECK_MPI(MPI_Type_vector(INTS / 2, 2, 3, MPI_INT, &t));
        CHECK_MPI(MPI_Type_commit(&t));
        prepare(2, 20 + first);
        CHECK_MPI(MPI_Send_init(out, 1, t, self, 1, comm, &r[0]));
        CHECK_MPI(MPI_Recv_init(in, 1, t, self, 1, comm, &r[1]));
        CHECK_MPI(MPI_Issend(out, 1, t, self, 2, comm, &r[2]));
        if (first)
            CHECK_MPI(MPI_Start(&r[0]));
        CHECK_MPI(MPI_Type_free(&t));
        CHECK_MPI(MPI_Type_vector(3, 1, 7, MPI_CHAR, &t)); /* in the same place, perhaps */
        if (!first)
            CHECK_MPI(MPI_Start(&r[0]));
        CHECK_MPI(MPI_Start(&r[1]));
        CHECK_MPI(MPI_Waitall(2, r, st));
        check_in(2, 20 + first, INTS);
        CHECK_MPI(MPI_Type_free(&t));
        prepare(2, 20 + first);
        CHECK_MPI(MPI_Irecv(in, counts[3], types[3], self, 2, comm, &r[3]));
        CHECK_MPI(MPI_Waitall(2, r + 2, st));
        check_in(3, 20 + first, INTS);
        CHECK_MPI(MPI_Request_free(&r[0]));
        CHECK_MPI(MPI_Request_free(&r[1]));
    }
}

static void pairs(MPI_Comm comm, int self, int from, int to)
{
    MPI_Request r;
    MPI_Status st;
    prepare(from, 30);
    CHECK_MPI(MPI_Sendrecv(out, counts[from], types[from], self, 3, in, counts[to], types[to], self, 3, comm,
                           &st));
    CHECK_STATUS(st, self, 3);
    check_in(to, 30, INTS);
    prepare(from, 31);
    CHECK_MPI(MPI_Isendrecv(out, counts[from], types[from], self, 3, in, counts[to], types[to],
                            MPI_ANY_SOURCE, 3, comm, &r));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_STATUS(st, self, 3);
    check_in(to, 31, INTS);
    prepare(from, 32);
    memcpy(in, out, sizeof in);
    CHECK_MPI(MPI_Sendrecv_replace(in, counts[from], types[from], self, 3, self, 3, comm, &st));
    check_in(from, 32, INTS);
}

int main(int argc, char **argv)
{
    static char room[2 * (4 * INTS + MPI_BSEND_OVERHEAD)];
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Buffer_attach(room, sizeof room));
    make_types();
    for (int world = 0; world < 2; world++) {
        MPI_Comm comm = world ? MPI_COMM_WORLD : MPI_COMM_SELF;
        int self = world ? me : 0;
        for (int from = 0; from < TYPES; from++)
            for (int to = 0; to < TYPES; to++) {
                for (int mode = 0; mode < MODES; mode++)
                    exchange(comm, self, from, to, mode);
                pairs(comm, self, from, to);
            }
        odd(comm, self, 0);
        odd(comm, self, 1);
        freed(comm, self);
    }
    for (int i = 0; i < TYPES; i++)
        CHECK_MPI(MPI_Type_free(&types[i]));
    CHECK_MPI(MPI_Buffer_detach(&(void *){NULL}, &(int){0}));
    return check_finish();
}
