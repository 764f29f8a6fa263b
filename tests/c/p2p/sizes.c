/*
 * Message sizes, with an eye on the places where an implementation may change its protocol: every size up to
 * 300, the neighbourhood of every power of two up to 1 MiB, a few odd large ones; aligned and not; posted
 * before and after.
 */
#include "check.h"

enum { PLENTY = 5 * 1024 * 1024 + 64 };

static unsigned char *out, *in;

/* Rank 0 sends to rank `peer`, which sends the next size's data back. */
static void round_trip(size_t n, size_t shift, int peer, int posted)
{
    MPI_Status st;
    MPI_Request request;
    int other = me == 0 ? peer : 0;
    uint64_t mine = n * 4 + (me == 0), theirs = n * 4 + (me != 0);

    if (me != 0 && me != peer)
        return;
    check_fill(out + shift, n, mine);
    check_renew(in + shift, n + 40);
    if (posted) {
        /* Both receives are posted when the data start: an empty message each way comes first. */
        CHECK_MPI(MPI_Irecv(in + shift, (int)n, MPI_BYTE, other, 5, MPI_COMM_WORLD, &request));
        CHECK_MPI(MPI_Sendrecv(NULL, 0, MPI_BYTE, other, 6, NULL, 0, MPI_BYTE, other, 6, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Send(out + shift, (int)n, MPI_BYTE, other, 5, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&request, &st));
    } else if (me == 0) {
        CHECK_MPI(MPI_Send(out + shift, (int)n, MPI_BYTE, other, 5, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Recv(in + shift, (int)n, MPI_BYTE, other, 5, MPI_COMM_WORLD, &st));
    } else {
        CHECK_MPI(MPI_Recv(in + shift, (int)n, MPI_BYTE, other, 5, MPI_COMM_WORLD, &st));
        CHECK_MPI(MPI_Send(out + shift, (int)n, MPI_BYTE, other, 5, MPI_COMM_WORLD));
    }
    CHECK_STATUS(st, other, 5);
    CHECK_COUNT(st, MPI_BYTE, n);
    CHECK_DATA(in + shift, n, theirs);
    CHECK_DATA(out + shift, n, mine);
    CHECK_FRESH(in + shift, n, 40);
}

int main(int argc, char **argv)
{
    static const size_t odd[] = {
        44, 45, 1000, 5000, 65521, 300001, 1000003, 2 * 1024 * 1024 + 7, 5 * 1024 * 1024};

    check_init(&argc, &argv);
    if (np < 2)
        check_skip("two ranks are needed");
    out = check_alloc(PLENTY);
    in = check_alloc(PLENTY);
    for (int peer = 1; peer < np; peer++) {
        for (size_t n = 0; n <= 300; n++)
            round_trip(n, n % 9, peer, n & 1);
        for (size_t n = 0; n <= 300; n += 7)
            round_trip(n, 0, peer, 1);
        for (size_t p = 512; p <= 1024 * 1024; p *= 2)
            for (int d = -65; d <= 65; d += d < -8 || d >= 8 ? 32 : 1)
                if (p <= 65536 || (d >= -1 && d <= 1))
                    round_trip(p + d, 0, peer, d & 1);
        for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
            for (int posted = 0; posted < 2; posted++) {
                round_trip(odd[i], 0, peer, posted);
                round_trip(odd[i], 3, peer, posted);
            }
    }
    CHECK_GUARD(out);
    CHECK_GUARD(in);
    check_free(out);
    check_free(in);
    return check_finish();
}
