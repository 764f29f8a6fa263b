/*
 * Messages that come before anybody waits for them, while their receiver waits for those of others:
 * neighbours that are a step ahead. They are found afterwards, whatever way the others were received, and in
 * the order of their sender.
 */
#include "check.h"

enum { EARLY = 1, WANTED = 2, TOKEN = 3, UP = 4, DOWN = 5, MOST = 100000, WAYS = 8, STEPS = 300 };

static const int sizes[] = {
    0, 8, 44, 45, 2064, 20000, MOST}; /* in a slot, beside it, past the fast path, announced first */

static void send_early(const void *b, int n, int to, int mode, MPI_Request *request)
{
    if (mode == 0)
        CHECK_MPI(MPI_Isend(b, n, MPI_BYTE, to, EARLY, MPI_COMM_WORLD, request));
    else
        CHECK_MPI(MPI_Issend(b, n, MPI_BYTE, to, EARLY, MPI_COMM_WORLD, request));
}

/* Receives n bytes with tag WANTED in one of several ways. */
static void receive_wanted(unsigned char *b, int n, int from, int way)
{
    const int any = way % 2 == 1 ? MPI_ANY_SOURCE : from;
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status st;
    int flag = 0, index = 0;

    if (way < 2) {
        CHECK_MPI(MPI_Recv(b, MOST, MPI_BYTE, any, WANTED, MPI_COMM_WORLD, &st));
    } else if (way == 7) {
        CHECK_MPI(MPI_Probe(from, WANTED, MPI_COMM_WORLD, &st));
        CHECK_COUNT(st, MPI_BYTE, n);
        CHECK_MPI(MPI_Recv(b, n, MPI_BYTE, from, WANTED, MPI_COMM_WORLD, &st));
    } else if (way == 6) {
        CHECK_MPI(MPI_Sendrecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, b, MOST, MPI_BYTE, from, WANTED,
                               MPI_COMM_WORLD, &st));
    } else {
        CHECK_MPI(MPI_Irecv(b, MOST, MPI_BYTE, any, WANTED, MPI_COMM_WORLD, &request[1]));
        if (way == 2)
            CHECK_MPI(MPI_Wait(&request[1], &st));
        else if (way == 3)
            CHECK_MPI(MPI_Waitany(2, request, &index, &st));
        else if (way == 4)
            while (!flag)
                CHECK_MPI(MPI_Test(&request[1], &flag, &st));
        else {
            MPI_Status both[2];
            CHECK_MPI(MPI_Waitall(2, request, both));
            st = both[1];
        }
    }
    CHECK_STATUS(st, from, WANTED);
    CHECK_COUNT(st, MPI_BYTE, n);
}

/* One rank sends early and lets another know, which sends then what the target waits for. */
static void round_of(int target, int size, int way, int mode)
{
    const int early = (target + 1) % np, later = (target + np - 1) % np;
    unsigned char *b = check_alloc(MOST), *c = check_alloc(MOST);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status st;
    int found = 0;

    if (me == early) {
        check_fill(b, size, target + way);
        send_early(b, size, target, mode, &request);
        if (later != early)
            CHECK_MPI(MPI_Send(NULL, 0, MPI_BYTE, later, TOKEN, MPI_COMM_WORLD));
    }
    if (me == later) {
        if (later != early)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, early, TOKEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_fill(c, size / 2, target + 100 + way);
        CHECK_MPI(MPI_Send(c, size / 2, MPI_BYTE, target, WANTED, MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE)); /* null at those that have sent nothing early */
    if (me == target) {
        receive_wanted(c, size / 2, later, way);
        CHECK_DATA(c, size / 2, target + 100 + way);
        while (way == 4 && !found)
            CHECK_MPI(MPI_Iprobe(early, EARLY, MPI_COMM_WORLD, &found, &st));
        CHECK_MPI(MPI_Recv(b, MOST, MPI_BYTE, way == 2 ? MPI_ANY_SOURCE : early,
                           way == 3 ? MPI_ANY_TAG : EARLY, MPI_COMM_WORLD, &st));
        CHECK_STATUS(st, early, EARLY);
        CHECK_COUNT(st, MPI_BYTE, size);
        CHECK_DATA(b, size, target + way);
    }
    check_free(b);
    check_free(c);
}

/* Two early messages of one sender, that wanted first behind the other; more early ones from another. */
static void hidden(int target, int more)
{
    const int a = (target + 1) % np, b = (target + np - 1) % np;
    int value;

    if (me == a)
        for (int i = 0; i < 3; i++)
            CHECK_MPI(MPI_Send(&i, 1, MPI_INT, target, i == 2 ? WANTED : EARLY, MPI_COMM_WORLD));
    if (me == b && b != a)
        for (int i = 0; i < more; i++)
            CHECK_MPI(MPI_Send(&i, 1, MPI_INT, target, TOKEN, MPI_COMM_WORLD));
    if (me != target)
        return;
    CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, a, WANTED, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(value, 2);
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, EARLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(value, i);
    }
    for (int i = 0; i < more && b != a; i++) {
        CHECK_MPI(
            MPI_Recv(&value, 1, MPI_INT, b, i % 2 ? MPI_ANY_TAG : TOKEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(value, i);
    }
}

/* A ring of ranks that exchange with both neighbours step by step: some are ahead of others. */
static void exchange(int bytes)
{
    const int up = (me + np - 1) % np, down = (me + 1) % np;
    unsigned char *out = check_alloc(MOST), *in = check_alloc(MOST);

    for (int s = 0; s < STEPS; s++) {
        check_fill(out, bytes, me * 1000 + s);
        CHECK_MPI(MPI_Sendrecv(out, bytes, MPI_BYTE, up, UP, in, bytes, MPI_BYTE, down, UP, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        CHECK_DATA(in, bytes, down * 1000 + s);
        CHECK_MPI(MPI_Sendrecv(out, bytes, MPI_BYTE, down, DOWN, in, bytes, MPI_BYTE, up, DOWN,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_DATA(in, bytes, up * 1000 + s);
    }
    check_free(out);
    check_free(in);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int way = 0; np > 1 && way < WAYS; way++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int mode = 0; mode < 2;
                 mode++) /* the target receives from both before it sends, so no rank waits for itself */
                round_of((way + (int)i) % np, sizes[i], way, mode);
    for (int target = 0; np > 1 && target < np; target++)
        for (int more = 0; more < 80; more += 1 + more / 2)
            hidden(target, more);
    exchange(8);
    exchange(2064);
    return check_finish();
}
