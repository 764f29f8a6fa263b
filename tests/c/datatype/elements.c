/* Get_count and Get_elements of messages that end within an element, and Status_set_elements. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Datatype t, pairs;
    MPI_Status st;
    int n = -1;
    MPI_Count wide = -1;
    check_init(&argc, &argv);
    int lengths[2] = {2, 3};
    MPI_Aint displs[2] = {0, 16};
    MPI_Datatype of[2] = {MPI_INT, MPI_DOUBLE};
    CHECK_MPI(
        MPI_Type_create_struct(2, lengths, displs, of, &t)); /* 2 ints, 3 doubles: 32 bytes, 5 elements */
    CHECK_MPI(MPI_Type_commit(&t));
    CHECK_MPI(MPI_Type_contiguous(2, MPI_SHORT_INT, &pairs));
    CHECK_MPI(MPI_Type_commit(&pairs));
    static const struct {
        int bytes, count, elements;
    } cases[] = {{0, 0, 0},   {4, MPI_UNDEFINED, 1}, {8, MPI_UNDEFINED, 2}, {16, MPI_UNDEFINED, 3},
                 {32, 1, 5},  {36, MPI_UNDEFINED, 6}, {64, 2, 10},          {80, MPI_UNDEFINED, 13},
                 {2, MPI_UNDEFINED, MPI_UNDEFINED}, {12, MPI_UNDEFINED, MPI_UNDEFINED}};
    char out[96] = {0}, in[128];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].bytes % 4 == 0 && cases[i].bytes != 12)
            CHECK_MPI(
                MPI_Sendrecv(out, cases[i].bytes, MPI_BYTE, me, 1, in, 3, t, me, 1, MPI_COMM_WORLD, &st));
        else
            CHECK_MPI(MPI_Status_set_elements(&st, MPI_BYTE, cases[i].bytes));
        CHECK_MPI(MPI_Get_count(&st, t, &n));
        CHECK_MSG(n == cases[i].count, "%d bytes: count %d", cases[i].bytes, n);
        CHECK_MPI(MPI_Get_elements(&st, t, &n));
        CHECK_MSG(n == cases[i].elements, "%d bytes: %d elements", cases[i].bytes, n);
        CHECK_MPI(MPI_Get_elements_x(&st, t, &wide));
        CHECK_EQ(wide, cases[i].elements);
    }
    CHECK_MPI(MPI_Sendrecv(out, 8, MPI_BYTE, me, 1, in, 1, pairs, me, 1, MPI_COMM_WORLD, &st));
    CHECK_MPI(MPI_Get_elements(&st, pairs, &n));
    CHECK_EQ(n, 3);
    CHECK_MPI(MPI_Get_elements(&st, MPI_SHORT_INT, &n));
    CHECK_EQ(n, 3);

    CHECK_MPI(MPI_Status_set_elements(&st, t, 10)); /* basic elements (13.3) */
    CHECK_MPI(MPI_Get_count(&st, t, &n));
    CHECK_EQ(n, 2);
    CHECK_MPI(MPI_Get_elements(&st, t, &n));
    CHECK_EQ(n, 10);
    CHECK_MPI(MPI_Status_set_elements(&st, MPI_INT, 7));
    CHECK_COUNT(st, MPI_INT, 7);
    CHECK_MPI(MPI_Status_set_elements_x(&st, MPI_CHAR, 5000000000LL));
    CHECK_MPI(MPI_Get_elements(&st, MPI_CHAR, &n));
    CHECK_EQ(n, MPI_UNDEFINED);
    CHECK_MPI(MPI_Get_elements_x(&st, MPI_CHAR, &wide));
    CHECK_EQ(wide, 5000000000LL);
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Type_free(&pairs));
    return check_finish();
}
