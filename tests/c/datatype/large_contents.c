/* Types made by large-count constructors tell their contents as counts, to the _c twins alone. */
#include "check.h"

static void envelope(int line, MPI_Datatype t, MPI_Count ni, MPI_Count na, MPI_Count nc, MPI_Count nd,
                     int combiner)
{
    MPI_Count i = -1, a = -1, c = -1, d = -1;
    int k = -1;
    CHECK_MPI(MPI_Type_get_envelope_c(t, &i, &a, &c, &d, &k));
    CHECK_MSG(i == ni && a == na && c == nc && d == nd && k == combiner, "line %d: envelope %lld %lld %lld %lld %d", line, (long long)i,
              (long long)a, (long long)c, (long long)d, k);
}

int main(int argc, char **argv)
{
    MPI_Datatype t, old;
    MPI_Count huge = 3000000000LL, counts[8] = {0};
    int ints[8] = {0}, dummy;
    MPI_Aint addrs[8];
    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);

    CHECK_MPI(MPI_Type_vector_c(huge, 1, 2, MPI_CHAR, &t));
    envelope(__LINE__, t, 0, 0, 3, 1, MPI_COMBINER_VECTOR);
    CHECK_MPI(MPI_Type_get_contents_c(t, 0, 0, 3, 1, ints, addrs, counts, &old));
    CHECK(counts[0] == huge && counts[1] == 1 && counts[2] == 2 && old == MPI_CHAR);
    CHECK_CLASS(MPI_Type_get_envelope(t, &dummy, &dummy, &dummy, &dummy), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Type_get_contents_c(t, 0, 0, 2, 1, ints, addrs, counts, &old), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Type_get_contents_c(t, 0, 0, 3, 1, ints, addrs, NULL, &old), MPI_ERR_ARG);
    CHECK_MPI(MPI_Type_free(&t));

    MPI_Count n[2] = {1, 2}, d[2] = {0, huge};
    CHECK_MPI(MPI_Type_create_hindexed_c(2, n, d, MPI_INT, &t));
    envelope(__LINE__, t, 0, 0, 5, 1, MPI_COMBINER_HINDEXED);
    CHECK_MPI(MPI_Type_get_contents_c(t, 0, 0, 5, 1, ints, addrs, counts, &old));
    CHECK(counts[0] == 2 && counts[1] == 1 && counts[2] == 2 && counts[3] == 0 && counts[4] == huge);
    MPI_Count lb, extent;
    CHECK_MPI(MPI_Type_get_extent_c(t, &lb, &extent));
    CHECK_EQ(extent, huge + 8);
    CHECK_MPI(MPI_Type_free(&t));

    MPI_Count sizes[1] = {huge}, sub[1] = {1}, start[1] = {huge - 1};
    CHECK_MPI(MPI_Type_create_subarray_c(1, sizes, sub, start, MPI_ORDER_C, MPI_INT, &t));
    envelope(__LINE__, t, 2, 0, 3, 1, MPI_COMBINER_SUBARRAY);
    CHECK_MPI(MPI_Type_get_contents_c(t, 2, 0, 3, 1, ints, addrs, counts, &old));
    CHECK(ints[0] == 1 && ints[1] == MPI_ORDER_C && counts[0] == huge && counts[1] == 1 &&
          counts[2] == huge - 1);
    CHECK_MPI(MPI_Type_free(&t));

    CHECK_MPI(MPI_Type_contiguous(4, MPI_INT, &t));
    envelope(__LINE__, t, 1, 0, 0, 1, MPI_COMBINER_CONTIGUOUS);
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_CLASS(MPI_Type_contiguous_c(INT64_MAX, MPI_INT, &t), MPI_ERR_ARG);
    return check_finish();
}
