/*
 * Cartesian topologies: who is where, shifts over edges and around, subgrids, duplicates, grids without
 * dimensions and grids smaller than the communicator.
 */
#include "check.h"

#define MOST 3

static int wrap(int x, int d) { return ((x % d) + d) % d; }

static void check_topology(MPI_Comm comm, int ndims, const int *dims, const int *periods)
{
    int got = -1, n = -1, rank, size;
    int d[MOST] = {-7, -7, -7}, p[MOST] = {-7, -7, -7}, x[MOST] = {-7, -7, -7};
    CHECK_MPI(MPI_Topo_test(comm, &got));
    CHECK_EQ(got, MPI_CART);
    CHECK_MPI(MPI_Cartdim_get(comm, &n));
    CHECK_EQ(n, ndims);
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    CHECK_MPI(MPI_Comm_size(comm, &size));
    CHECK_MPI(MPI_Cart_get(comm, ndims, d, p, x));
    for (int i = 0; i < MOST; i++) {
        CHECK_EQ(d[i], i < ndims ? dims[i] : -7);
        CHECK_EQ(p[i], i < ndims ? periods[i] != 0 : -7);
    }
    int at[MOST] = {0, 0, 0}; /* counts through the grid, the last coordinate fastest */
    for (int r = 0; r < size; r++) {
        int c[MOST] = {-7, -7, -7}, back = -1;
        CHECK_MPI(MPI_Cart_coords(comm, r, ndims, c));
        CHECK_MPI(MPI_Cart_rank(comm, c, &back));
        CHECK_EQ(back, r);
        for (int i = 0; i < ndims; i++) {
            CHECK_EQ(c[i], at[i]);
            if (r == rank)
                CHECK_EQ(x[i], at[i]);
            if (periods[i]) {
                int far[MOST];
                memcpy(far, c, sizeof far);
                far[i] -= 3 * dims[i];
                CHECK_MPI(MPI_Cart_rank(comm, far, &back));
                CHECK_EQ(back, r);
            }
        }
        for (int i = ndims - 1; i >= 0 && ++at[i] == dims[i]; i--)
            at[i] = 0;
    }
    for (int i = 0; i < ndims; i++)
        for (int by = -2 * np; by <= 2 * np; by++) {
            int source = -9, dest = -9, want[2];
            CHECK_MPI(MPI_Cart_shift(comm, i, by, &source, &dest));
            for (int k = 0; k < 2; k++) {
                int c[MOST];
                memcpy(c, x, sizeof c);
                c[i] += k == 0 ? -by : by;
                want[k] = MPI_PROC_NULL;
                if (periods[i])
                    c[i] = wrap(c[i], dims[i]);
                if (c[i] >= 0 && c[i] < dims[i])
                    CHECK_MPI(MPI_Cart_rank(comm, c, &want[k]));
            }
            CHECK_EQ(source, want[0]);
            CHECK_EQ(dest, want[1]);
            /* data follows the shift, which beyond that repeats itself */
            if (abs(by) > dims[i] + 1)
                continue;
            int in = -1;
            CHECK_MPI(MPI_Sendrecv(&rank, 1, MPI_INT, dest, 3, &in, 1, MPI_INT, source, 3, comm,
                                   MPI_STATUS_IGNORE));
            CHECK_EQ(in, source == MPI_PROC_NULL ? -1 : source);
        }
}

static void check_parts(MPI_Comm comm, int ndims, const int *dims, const int *periods)
{
    int rank, x[MOST];
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    CHECK_MPI(MPI_Cart_coords(comm, rank, ndims, x));
    for (int cut = 0; cut < 1 << ndims; cut++) {
        MPI_Comm part = MPI_COMM_NULL;
        int remain[MOST], left = 0, d[MOST], p[MOST], members = 1;
        for (int i = 0; i < ndims; i++)
            if ((remain[i] = cut >> i & 1 ? 5 : 0)) {
                d[left] = dims[i];
                p[left++] = periods[i];
                members *= dims[i];
            }
        CHECK_MPI(MPI_Cart_sub(comm, remain, &part));
        int size = -1, in, sum, want = 0;
        CHECK_MPI(MPI_Comm_size(part, &size));
        CHECK_EQ(size, members);
        check_topology(part, left, d, p);
        int total;
        CHECK_MPI(MPI_Comm_size(comm, &total));
        for (int r = 0; r < total; r++) {
            int c[MOST], same = 1;
            CHECK_MPI(MPI_Cart_coords(comm, r, ndims, c));
            for (int i = 0; i < ndims; i++)
                same = same && (remain[i] || c[i] == x[i]);
            want += same ? r : 0;
        }
        in = rank;
        CHECK_MPI(MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, part));
        CHECK_EQ(sum, want);
        CHECK_MPI(MPI_Comm_free(&part));
    }
}

static void grid(int ndims, const int *dims, const int *periods)
{
    int n = 1, mapped = -1;
    for (int i = 0; i < ndims; i++)
        n *= dims[i];
    if (n > np)
        return;
    for (int reorder = 0; reorder < 2; reorder++) {
        MPI_Comm comm = MPI_COMM_WORLD, copy;
        CHECK_MPI(MPI_Cart_map(MPI_COMM_WORLD, ndims, dims, periods, &mapped));
        CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, reorder, &comm));
        CHECK((mapped == MPI_UNDEFINED) == (comm == MPI_COMM_NULL));
        if (comm == MPI_COMM_NULL)
            continue;
        int size;
        CHECK_MPI(MPI_Comm_size(comm, &size));
        CHECK_EQ(size, n);
        if (!reorder) {
            int rank;
            CHECK_MPI(MPI_Comm_rank(comm, &rank));
            CHECK_EQ(rank, me);
        }
        check_topology(comm, ndims, dims, periods);
        check_parts(comm, ndims, dims, periods);
        CHECK_MPI(MPI_Comm_dup(comm, &copy));
        CHECK_MPI(MPI_Comm_free(&comm));
        check_topology(copy, ndims, dims, periods);
        CHECK_MPI(MPI_Comm_split(copy, 0, 0, &comm)); /* topologies do not go along here */
        int kind = -1;
        CHECK_MPI(MPI_Topo_test(comm, &kind));
        CHECK_EQ(kind, MPI_UNDEFINED);
        CHECK_MPI(MPI_Comm_free(&comm));
        CHECK_MPI(MPI_Comm_free(&copy));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int mask = 0; mask < 8; mask++) {
        int periods[MOST] = {mask & 1, mask & 2, mask & 4};
        for (int a = 1; a <= np; a++)
            for (int b = 1; a * b <= np; b++)
                for (int c = 1; a * b * c <= np; c++) {
                    /* That a row of one goes around is looked at where all rows do. */
                    int around_one =
                        (a == 1 && periods[0]) || (b == 1 && periods[1]) || (c == 1 && periods[2]);
                    if (mask == 7 || !around_one)
                        grid(3, (int[]){a, b, c}, periods);
                }
    }
    grid(0, NULL, NULL);
    int kind = -1;
    CHECK_MPI(MPI_Topo_test(MPI_COMM_WORLD, &kind));
    CHECK_EQ(kind, MPI_UNDEFINED);
    return check_finish();
}
