/* Size, extent and true extent of derived types: gaps, negative strides, zero counts, resized types, padding
 * of structs. */
#include <stddef.h>

#include "check.h"

#define BOUNDS(type, size, lb, extent, true_lb, true_extent)                                                 \
    bounds(__LINE__, &(type), size, lb, extent, true_lb, true_extent)

static void bounds(int line, MPI_Datatype *type, int size, MPI_Aint lb, MPI_Aint extent, MPI_Aint true_lb,
                   MPI_Aint true_extent)
{
    int got_size = -1;
    MPI_Aint l = -99, e = -99, tl = -99, te = -99;
    MPI_Count size_x = -1, l_x = -99, e_x = -99, tl_x = -99, te_x = -99;
    CHECK_MPI(MPI_Type_size(*type, &got_size));
    CHECK_MPI(MPI_Type_get_extent(*type, &l, &e));
    CHECK_MPI(MPI_Type_get_true_extent(*type, &tl, &te));
    CHECK_MSG(
        got_size == size && l == lb && e == extent && (size == 0 || (tl == true_lb && te == true_extent)),
        "line %d: size %d, bounds %ld+%ld, true bounds %ld+%ld; want %d, %ld+%ld, %ld+%ld", line, got_size,
        (long)l, (long)e, (long)tl, (long)te, size, (long)lb, (long)extent, (long)true_lb, (long)true_extent);
    CHECK_MPI(MPI_Type_size_x(*type, &size_x));
    CHECK_MPI(MPI_Type_get_extent_x(*type, &l_x, &e_x));
    CHECK_MPI(MPI_Type_get_true_extent_x(*type, &tl_x, &te_x));
    CHECK(size_x == size && l_x == l && e_x == e && tl_x == tl && te_x == te);
    CHECK_MPI(MPI_Type_free(type));
    CHECK(*type == MPI_DATATYPE_NULL);
}

struct padded {
    char c;
    double d;
    short s;
};

int main(int argc, char **argv)
{
    MPI_Datatype t, inner;
    check_init(&argc, &argv);

    CHECK_MPI(MPI_Type_contiguous(5, MPI_INT, &t));
    BOUNDS(t, 20, 0, 20, 0, 20);
    CHECK_MPI(MPI_Type_contiguous(0, MPI_INT, &t));
    BOUNDS(t, 0, 0, 0, 0, 0);
    CHECK_MPI(MPI_Type_vector(3, 2, 4, MPI_INT, &t));
    BOUNDS(t, 24, 0, 40, 0, 40);
    CHECK_MPI(MPI_Type_vector(3, 2, -4, MPI_INT, &t));
    BOUNDS(t, 24, -32, 40, -32, 40);
    CHECK_MPI(MPI_Type_create_hvector(3, 1, 9, MPI_INT, &t));
    BOUNDS(t, 12, 0, 22, 0, 22);
    CHECK_MPI(MPI_Type_contiguous(2, MPI_SHORT_INT, &t));
    BOUNDS(t, 12, 0, 16, 0, 16);
    CHECK_MPI(MPI_Type_contiguous(2, MPI_DOUBLE_INT, &t));
    BOUNDS(t, 24, 0, 32, 0, 28);

    int lengths[3] = {2, 0, 1}, displs[3] = {5, 1000, -2};
    CHECK_MPI(MPI_Type_indexed(3, lengths, displs, MPI_INT, &t));
    BOUNDS(t, 12, -8, 36, -8, 36);
    CHECK_MPI(MPI_Type_create_indexed_block(3, 2, displs, MPI_SHORT, &t));
    BOUNDS(t, 12, -4, 2008, -4, 2008);

    int ones[3] = {1, 1, 1};
    MPI_Aint where[3] = {offsetof(struct padded, c), offsetof(struct padded, d), offsetof(struct padded, s)};
    MPI_Datatype members[3] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    CHECK_MPI(MPI_Type_create_struct(3, ones, where, members, &t));
    BOUNDS(t, 11, 0, sizeof(struct padded), 0, offsetof(struct padded, s) + 2);

    CHECK_MPI(MPI_Type_create_resized(MPI_INT, -4, 20, &inner));
    CHECK_MPI(MPI_Type_contiguous(3, inner, &t));
    BOUNDS(t, 12, -4, 60, 0, 44);
    CHECK_MPI(MPI_Type_vector(2, 1, 3, inner, &t));
    BOUNDS(t, 8, -4, 80, 0, 64);
    CHECK_MPI(MPI_Type_create_resized(inner, 0, 4, &t));
    BOUNDS(t, 4, 0, 4, 0, 4);
    CHECK_MPI(MPI_Type_dup(inner, &t));
    CHECK_MPI(MPI_Type_free(&inner));
    BOUNDS(t, 4, -4, 20, 0, 4);

    int sizes[3] = {4, 5, 6}, sub[3] = {2, 3, 4}, starts[3] = {1, 1, 1};
    CHECK_MPI(MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_C, MPI_INT, &t));
    BOUNDS(t, 2 * 3 * 4 * 4, 0, 4 * 5 * 6 * 4, (30 + 6 + 1) * 4, (30 + 2 * 6 + 4) * 4);
    CHECK_MPI(MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_FORTRAN, MPI_INT, &t));
    BOUNDS(t, 2 * 3 * 4 * 4, 0, 4 * 5 * 6 * 4, (20 + 4 + 1) * 4, (3 * 20 + 2 * 4 + 2) * 4);

    /* 2^30 ints, 4 GiB, and 10^9 blocks: the counts do not fit into an int, and no memory of that order is
     * used. */
    int small = 0;
    MPI_Count large = 0;
    CHECK_MPI(MPI_Type_contiguous(1 << 30, MPI_INT, &t));
    CHECK_MPI(MPI_Type_size(t, &small));
    CHECK_EQ(small, MPI_UNDEFINED);
    CHECK_MPI(MPI_Type_size_x(t, &large));
    CHECK_EQ(large, 1LL << 32);
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Type_vector(1000000000, 1, 2, MPI_DOUBLE, &t));
    CHECK_MPI(MPI_Type_commit(&t));
    CHECK_MPI(MPI_Type_size_x(t, &large));
    CHECK_EQ(large, 8000000000LL);
    CHECK_MPI(MPI_Type_free(&t));
    return check_finish();
}
