/* A rank sends to itself, on MPI_COMM_SELF and on MPI_COMM_WORLD: any size, either side first, with
 * wildcards. */
#include "check.h"

static const int sizes[] = {0, 1, 7, 8, 44, 45, 64, 100, 1000, 4096, 16384, 65536, 1048576, 5242880};
enum { LARGEST = 5242880 };

static void exchange(MPI_Comm comm, int self, int n, int receive_first)
{
    unsigned char *out = check_alloc(n), *in = check_alloc(n + 8);
    MPI_Request s, r;
    MPI_Status st;
    check_fill(out, n, n + 3);
    if (receive_first) {
        CHECK_MPI(MPI_Irecv(in, n + 8, MPI_BYTE, self, 4, comm, &r));
        CHECK_MPI(MPI_Send(out, n, MPI_BYTE, self, 4, comm)); /* a receive is waiting, so this returns */
    } else {
        CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, self, 4, comm, &s));
        CHECK_MPI(MPI_Irecv(in, n + 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &r));
        CHECK_MPI(MPI_Wait(&s, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_STATUS(st, self, 4);
    CHECK_COUNT(st, MPI_BYTE, n);
    CHECK_DATA(in, n, n + 3);
    CHECK_FRESH(in, n, 8);
    check_renew(in, n + 8);
    CHECK_MPI(MPI_Sendrecv(out, n, MPI_BYTE, self, 5, in, n, MPI_BYTE, self, 5, comm, &st));
    CHECK_STATUS(st, self, 5);
    CHECK_DATA(in, n, n + 3);
    check_free(out);
    check_free(in);
}

/* A synchronous send is not done before its receive has been posted, or a matched probe's message received,
 * however small it is. */
static void synchronous(MPI_Comm comm, int self, int n)
{
    unsigned char *out = check_alloc(n), *in = check_alloc(n);
    MPI_Request r[2];
    MPI_Message m;
    MPI_Status st;
    int flag = -1;
    check_fill(out, n, n + 5);
    for (int way = 0; way < 6; way++) {
        check_renew(in, n);
        if (way == 0) {
            CHECK_MPI(MPI_Irecv(in, n, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &r[0]));
            CHECK_MPI(MPI_Ssend(out, n, MPI_BYTE, self, 6, comm));
            CHECK_MPI(MPI_Wait(&r[0], &st));
        } else if (way == 1) {
            CHECK_MPI(MPI_Irecv(in, n, MPI_BYTE, self, 6, comm, &r[0]));
            CHECK_MPI(MPI_Issend(out, n, MPI_BYTE, self, 6, comm, &r[1]));
            CHECK_MPI(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Wait(&r[0], &st));
        } else {
            CHECK_MPI(MPI_Issend(out, n, MPI_BYTE, self, 6, comm, &r[1]));
            CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, 6, comm, &flag, &st));
            CHECK(flag);
            CHECK_COUNT(st, MPI_BYTE, n);
            for (int i = 0; way % 2 && i < 3; i++) {
                CHECK_MPI(MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE));
                CHECK_MSG(!flag, "a synchronous send of %d bytes was done before its receive", n);
            }
            if (way < 4) {
                CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &st));
            } else {
                CHECK_MPI(MPI_Mprobe(self, MPI_ANY_TAG, comm, &m, &st));
                CHECK_MPI(MPI_Mrecv(in, n, MPI_BYTE, &m, &st));
            }
            CHECK_MPI(MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE));
            CHECK(flag);
        }
        CHECK_STATUS(st, self, 6);
        CHECK_COUNT(st, MPI_BYTE, n);
        CHECK_DATA(in, n, n + 5);
    }

    /* Nothing is left of one that is cancelled; one that is freed arrives. */
    CHECK_MPI(MPI_Issend(out, n, MPI_BYTE, self, 6, comm, &r[0]));
    CHECK_MPI(MPI_Cancel(&r[0]));
    CHECK_MPI(MPI_Wait(&r[0], &st));
    CHECK_MPI(MPI_Test_cancelled(&st, &flag));
    CHECK(flag);
    CHECK_MPI(MPI_Iprobe(self, 6, comm, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag);
    check_renew(in, n);
    CHECK_MPI(MPI_Issend(out, n, MPI_BYTE, self, 6, comm, &r[0]));
    CHECK_MPI(MPI_Request_free(&r[0]));
    CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, self, 6, comm, MPI_STATUS_IGNORE));
    CHECK_DATA(in, n, n + 5);
    check_free(out);
    check_free(in);
}

/* Persistent sends, of all modes, with persistent receives: either side first, and both at once. */
static void persistent(MPI_Comm comm, int self, int n)
{
    int (*const inits[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                         MPI_Request *) = {MPI_Send_init, MPI_Ssend_init, MPI_Rsend_init, MPI_Bsend_init};
    unsigned char *out = check_alloc(n), *in = check_alloc(n);
    MPI_Request r[2];
    MPI_Status st[2];
    for (int mode = 0; mode < 4; mode++) {
        CHECK_MPI(inits[mode](out, n, MPI_BYTE, self, 7, comm, &r[0]));
        CHECK_MPI(MPI_Recv_init(in, n, MPI_BYTE, MPI_ANY_SOURCE, 7, comm, &r[1]));
        for (int way = 0; way < 8; way++) {
            int flag = -1, late = mode != 2 && way % 2;
            check_fill(out, n, n + way);
            check_renew(in, n);
            if (way < 2) {
                CHECK_MPI(MPI_Start(&r[!late]));
                if (way == 1 && mode == 1) {
                    CHECK_MPI(MPI_Test(&r[0], &flag, &st[0]));
                    CHECK(!flag);
                }
                CHECK_MPI(MPI_Start(&r[late]));
            } else if (way < 4) {
                MPI_Request both[2] = {r[late ? 0 : 1], r[late ? 1 : 0]};
                CHECK_MPI(MPI_Startall(2, both));
            } else if (way < 6) {
                CHECK_MPI(MPI_Start(&r[!late]));
                if (late)
                    CHECK_MPI(MPI_Irecv(in, n, MPI_BYTE, self, MPI_ANY_TAG, comm, &r[1]));
                else
                    CHECK_MPI(MPI_Send(out, n, MPI_BYTE, self, 7, comm));
                CHECK_MPI(MPI_Wait(&r[1], &st[1]));
                CHECK_STATUS(st[1], self, 7);
                CHECK_DATA(in, n, n + way);
                CHECK_MPI(MPI_Wait(&r[0], &st[0]));
                if (late)
                    CHECK_MPI(MPI_Recv_init(in, n, MPI_BYTE, self, 7, comm, &r[1]));
                continue;
            } else {
                if (mode == 2)
                    continue;
                CHECK_MPI(MPI_Start(&r[0]));
                CHECK_MPI(MPI_Cancel(&r[0]));
                CHECK_MPI(MPI_Wait(&r[0], &st[0]));
                CHECK_MPI(MPI_Test_cancelled(&st[0], &flag));
                CHECK(flag);
                CHECK_MPI(MPI_Iprobe(self, 7, comm, &flag, MPI_STATUS_IGNORE));
                CHECK(!flag);
                continue;
            }
            CHECK_MPI(MPI_Waitall(2, r, st));
            CHECK_STATUS(st[1], self, 7);
            CHECK_COUNT(st[1], MPI_BYTE, n);
            CHECK_DATA(in, n, n + way);
            CHECK(r[0] != MPI_REQUEST_NULL && r[1] != MPI_REQUEST_NULL);
        }
        /* One that is freed while it is active goes on. */
        check_renew(in, n);
        if (mode == 2)
            CHECK_MPI(MPI_Start(&r[1]));
        CHECK_MPI(MPI_Start(&r[0]));
        CHECK_MPI(MPI_Request_free(&r[0]));
        if (mode != 2)
            CHECK_MPI(MPI_Start(&r[1]));
        CHECK_MPI(MPI_Wait(&r[1], &st[1]));
        CHECK_COUNT(st[1], MPI_BYTE, n);
        CHECK_MPI(MPI_Request_free(&r[1]));
    }
    check_free(out);
    check_free(in);
}

/* Buffered sends leave their buffer at once. There has to be room for them where they are attached. */
static void buffered(MPI_Comm comm, int self, int n)
{
    unsigned char *out = check_alloc(n), *in = check_alloc(n);
    MPI_Request r;
    MPI_Status st;
    int flag = -1;
    for (int posted = 0; posted < 2; posted++)
        for (int blocks = 0; blocks < 2; blocks++) {
            check_fill(out, n, n + 9);
            check_renew(in, n);
            MPI_Request q = MPI_REQUEST_NULL;
            r = MPI_REQUEST_NULL;
            if (posted)
                CHECK_MPI(MPI_Irecv(in, n, MPI_BYTE, self, 8, comm, &q));
            if (blocks)
                CHECK_MPI(MPI_Bsend(out, n, MPI_BYTE, self, 8, comm));
            else
                CHECK_MPI(MPI_Ibsend(out, n, MPI_BYTE, self, 8, comm, &r));
            CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
            check_fill(out, n, n + 10);
            if (posted)
                CHECK_MPI(MPI_Wait(&q, &st));
            else
                CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &st));
            CHECK_STATUS(st, self, 8);
            CHECK_COUNT(st, MPI_BYTE, n);
            CHECK_DATA(in, n, n + 9);
        }
    CHECK_MPI(MPI_Ibsend(out, n, MPI_BYTE, self, 8, comm, &r));
    CHECK_MPI(MPI_Cancel(&r));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_MPI(MPI_Test_cancelled(&st, &flag));
    CHECK(flag);
    CHECK_MPI(MPI_Iprobe(self, 8, comm, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag);
    check_free(out);
    check_free(in);
}

/* MPI_Isendrecv to oneself, beside a receive that was posted before and a message that was sent before. */
static void both_ways(MPI_Comm comm, int self, int n)
{
    unsigned char *out = check_alloc(n), *in = check_alloc(n), *other = check_alloc(n);
    MPI_Request r[2];
    MPI_Status st[2];
    check_fill(out, n, n + 11);
    check_renew(in, n);
    CHECK_MPI(MPI_Isendrecv(out, n, MPI_BYTE, self, 9, in, n, MPI_BYTE, self, 9, comm, &r[0]));
    CHECK_MPI(MPI_Wait(&r[0], &st[0]));
    CHECK_STATUS(st[0], self, 9);
    CHECK_DATA(in, n, n + 11);
    check_renew(other, n);
    CHECK_MPI(MPI_Irecv(other, n, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &r[1]));
    CHECK_MPI(MPI_Isendrecv(out, n, MPI_BYTE, self, 9, in, n, MPI_BYTE, self, MPI_ANY_TAG, comm, &r[0]));
    CHECK_MPI(MPI_Wait(&r[1], &st[1]));
    CHECK_STATUS(st[1], self, 9);
    CHECK_DATA(other, n, n + 11);
    check_renew(in, n);
    CHECK_MPI(MPI_Bsend(out, n, MPI_BYTE, self, 10, comm));
    CHECK_MPI(MPI_Wait(&r[0], &st[0]));
    CHECK_STATUS(st[0], self, 10);
    CHECK_DATA(in, n, n + 11);
    CHECK_MPI(MPI_Isendrecv_replace(in, n, MPI_BYTE, self, 11, self, 11, comm, &r[0]));
    CHECK_MPI(MPI_Wait(&r[0], &st[0]));
    CHECK_DATA(in, n, n + 11);
    check_free(out);
    check_free(in);
    check_free(other);
}

int main(int argc, char **argv)
{
    static char room[2 * (LARGEST + MPI_BSEND_OVERHEAD)];
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Buffer_attach(room, sizeof room));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int first = 0; first < 2; first++) {
            MPI_Comm comm = first ? MPI_COMM_WORLD : MPI_COMM_SELF;
            int self = first ? me : 0;
            if (sizes[i] < LARGEST) {
                synchronous(comm, self, sizes[i]);
                persistent(comm, self, sizes[i]);
                buffered(comm, self, sizes[i]);
                both_ways(comm, self, sizes[i]);
            }
            exchange(MPI_COMM_SELF, 0, sizes[i], first);
            exchange(MPI_COMM_WORLD, me, sizes[i], first);
        }

    /* Order, and the two communicators do not mix. */
    int v[6] = {10, 11, 12, 20, 21, 22}, in = -1;
    MPI_Request s[6];
    for (int i = 0; i < 6; i++)
        CHECK_MPI(
            MPI_Isend(&v[i], 1, MPI_INT, i < 3 ? 0 : me, 1, i < 3 ? MPI_COMM_SELF : MPI_COMM_WORLD, &s[i]));
    for (int i = 3; i < 6; i++) {
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in, v[i]);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        CHECK_EQ(in, v[i]);
    }
    CHECK_MPI(MPI_Waitall(6, s, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Buffer_detach(&(void *){NULL}, &(int){0}));
    return check_finish();
}
