/* Types of absolute addresses at MPI_BOTTOM. */
#include "check.h"

int main(int argc, char **argv)
{
    int a[3] = {1, 2, 3}, i[3] = {0};
    double b = 4.5, d = 0;
    int lengths[2] = {3, 1};
    MPI_Aint where[2], base;
    MPI_Datatype of[2] = {MPI_INT, MPI_DOUBLE}, out, in;
    MPI_Status st;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Get_address(a, &where[0]));
    CHECK_MPI(MPI_Get_address(&b, &where[1]));
    CHECK_MPI(MPI_Get_address(&a[1], &base));
    CHECK_EQ(MPI_Aint_diff(base, where[0]), 4);
    CHECK_EQ(MPI_Aint_add(where[0], 4), base);
    CHECK_MPI(MPI_Type_create_struct(2, lengths, where, of, &out));
    CHECK_MPI(MPI_Get_address(i, &where[0]));
    CHECK_MPI(MPI_Get_address(&d, &where[1]));
    CHECK_MPI(MPI_Type_create_struct(2, lengths, where, of, &in));
    CHECK_MPI(MPI_Type_commit(&out));
    CHECK_MPI(MPI_Type_commit(&in));
    a[0] = me;
    CHECK_MPI(MPI_Sendrecv(MPI_BOTTOM, 1, out, (me + 1) % np, 0, MPI_BOTTOM, 1, in, (me + np - 1) % np, 0,
                           MPI_COMM_WORLD, &st));
    CHECK(i[0] == (me + np - 1) % np && i[1] == 2 && i[2] == 3 && d == 4.5);
    CHECK_COUNT(st, in, 1);
    CHECK_MPI(MPI_Type_free(&out));
    CHECK_MPI(MPI_Type_free(&in));
    return check_finish();
}
