/* MPI_Reduce and MPI_Allreduce: sums and maxima over every root and size, in place too; send buffers stay as
 * they are. */
#include "check.h"

static const int counts[] = {0, 1, 2, 3, 5, 8, 17, 100, 511, 1000, 4097, 16384, 65537, 262144};

/* What rank r contributes at i, small enough that sums of doubles are exact. */
static long value(int r, int i, int round)
{
    return (long)(check_mix(r * 1000003u + i * 17u + round) % 100000) - 50000;
}

static void expect_sum(const char *what, const long *got, int n, int round)
{
    for (int i = 0; i < n; i++) {
        long want = 0;
        for (int r = 0; r < np; r++)
            want += value(r, i, round);
        if (got[i] != want) {
            CHECK_MSG(0, "%s, count %d: element %d is %ld, want %ld", what, n, i, got[i], want);
            return;
        }
    }
    CHECK(1);
}

static void expect_own(const long *got, int n, int round)
{
    for (int i = 0; i < n; i++)
        if (got[i] != value(me, i, round)) {
            CHECK_MSG(0, "the send buffer was changed at %d", i);
            return;
        }
    CHECK(1);
}

static void set_own(long *p, int n, int round)
{
    for (int i = 0; i < n; i++)
        p[i] = value(me, i, round);
}

static void sums(int n, int root, int round)
{
    size_t bytes = n * sizeof(long);
    long *out = check_alloc(bytes), *in = check_alloc(bytes);

    set_own(out, n, round);
    CHECK_MPI(MPI_Reduce(out, in, n, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD));
    expect_own(out, n, round);
    if (me == root)
        expect_sum("reduce", in, n, round);
    else
        CHECK_FRESH(in, 0, bytes);

    /* In place: the root's contribution lies where the result goes. Elsewhere the receive buffer is not
     * looked at. */
    if (me == root) {
        set_own(in, n, round);
        CHECK_MPI(MPI_Reduce(MPI_IN_PLACE, in, n, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD));
        expect_sum("reduce in place", in, n, round);
    } else {
        CHECK_MPI(MPI_Reduce(out, NULL, n, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD));
    }
    expect_own(out, n, round);

    if (root == round % np) { /* Allreduce has no root */
        check_renew(in, bytes);
        CHECK_MPI(MPI_Allreduce(out, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
        expect_own(out, n, round);
        expect_sum("allreduce", in, n, round);
        set_own(in, n, round);
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
        expect_sum("allreduce in place", in, n, round);
    }
    check_free(out);
    check_free(in);
}

/* Unaligned doubles and a maximum. */
static void maxima(int n, int root)
{
    size_t bytes = n * sizeof(double);
    char *out = check_alloc_at(bytes, 5), *in = check_alloc_at(bytes, 3);
    for (int i = 0; i < n; i++) {
        double d = (double)value(me, i, 77);
        memcpy(out + i * sizeof d, &d, sizeof d);
    }
    CHECK_MPI(MPI_Reduce(out, in, n, MPI_DOUBLE, MPI_MAX, root, MPI_COMM_WORLD));
    for (int i = 0; me == root && i < n; i++) {
        double want = -1e300, got;
        for (int r = 0; r < np; r++)
            if ((double)value(r, i, 77) > want)
                want = (double)value(r, i, 77);
        memcpy(&got, in + i * sizeof got, sizeof got);
        CHECK_MSG(got == want, "maximum %d is %g, want %g", i, got, want);
    }
    check_free(out);
    check_free(in);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int round = 0;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (int root = 0; root < np; root++)
            sums(counts[c], root, ++round);
    for (int n = 1; n <= 64; n++)
        maxima(n, n % np);
    return check_finish();
}
