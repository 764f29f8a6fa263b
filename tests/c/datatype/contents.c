/* Envelope and contents give back what a constructor was called with; types taken from there can be used and
 * freed. */
#include "check.h"

static void envelope(int line, MPI_Datatype t, int ni, int na, int nd, int combiner)
{
    int i = -1, a = -1, d = -1, c = -1;
    CHECK_MPI(MPI_Type_get_envelope(t, &i, &a, &d, &c));
    CHECK_MSG(i == ni && a == na && d == nd && c == combiner, "line %d: envelope %d %d %d %d, want %d %d %d %d", line, i, a, d, c, ni, na,
              nd, combiner);
}

#define NUMBERS(...) (int[]){__VA_ARGS__}, (int)(sizeof(int[]){__VA_ARGS__} / sizeof(int))
#define NONE NULL, 0

/* Checks the contents of a type made of one other type, and frees it. */
static void contents(int line, MPI_Datatype *t, int combiner, const int *ints, int ni, const int *addrs,
                     int na, MPI_Datatype old)
{
    int got[64];
    MPI_Aint places[64];
    MPI_Datatype types[1] = {MPI_DATATYPE_NULL};
    envelope(line, *t, ni, na, 1, combiner);
    CHECK_MPI(MPI_Type_get_contents(*t, 64, 64, 1, got, places, types));
    for (int i = 0; i < ni; i++)
        CHECK_MSG(got[i] == ints[i], "line %d: integer %d is %d, want %d", line, i, got[i], ints[i]);
    for (int i = 0; i < na; i++)
        CHECK_MSG(places[i] == addrs[i], "line %d: address %d is %ld, want %d", line, i, (long)places[i], addrs[i]);
    CHECK_MSG(types[0] == old, "line %d: the wrong old type", line);
    CHECK_MPI(MPI_Type_free(t));
}

#define CONTENTS(t, ...) contents(__LINE__, &(t), __VA_ARGS__)

int main(int argc, char **argv)
{
    MPI_Datatype t, u, back[3];
    int n[2] = {2, 1}, d[2] = {0, 7};
    MPI_Aint far[2] = {0, 56};
    check_init(&argc, &argv);

    envelope(__LINE__, MPI_INT, 0, 0, 0, MPI_COMBINER_NAMED);
    envelope(__LINE__, MPI_DOUBLE_INT, 0, 0, 0, MPI_COMBINER_NAMED);
    CHECK_MPI(MPI_Type_dup(MPI_CHAR, &t));
    CONTENTS(t, MPI_COMBINER_DUP, NONE, NONE, MPI_CHAR);
    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &t));
    CONTENTS(t, MPI_COMBINER_CONTIGUOUS, NUMBERS(3), NONE, MPI_INT);
    CHECK_MPI(MPI_Type_vector(3, 2, -5, MPI_INT, &t));
    CONTENTS(t, MPI_COMBINER_VECTOR, NUMBERS(3, 2, -5), NONE, MPI_INT);
    CHECK_MPI(MPI_Type_create_hvector(3, 2, 99, MPI_INT, &t));
    CONTENTS(t, MPI_COMBINER_HVECTOR, NUMBERS(3, 2), NUMBERS(99), MPI_INT);
    CHECK_MPI(MPI_Type_indexed(2, n, d, MPI_FLOAT, &t));
    CONTENTS(t, MPI_COMBINER_INDEXED, NUMBERS(2, 2, 1, 0, 7), NONE, MPI_FLOAT);
    CHECK_MPI(MPI_Type_create_hindexed(2, n, far, MPI_FLOAT, &t));
    CONTENTS(t, MPI_COMBINER_HINDEXED, NUMBERS(2, 2, 1), NUMBERS(0, 56), MPI_FLOAT);
    CHECK_MPI(MPI_Type_create_indexed_block(2, 4, d, MPI_FLOAT, &t));
    CONTENTS(t, MPI_COMBINER_INDEXED_BLOCK, NUMBERS(2, 4, 0, 7), NONE, MPI_FLOAT);
    CHECK_MPI(MPI_Type_create_hindexed_block(2, 4, far, MPI_FLOAT, &t));
    CONTENTS(t, MPI_COMBINER_HINDEXED_BLOCK, NUMBERS(2, 4), NUMBERS(0, 56), MPI_FLOAT);
    CHECK_MPI(MPI_Type_create_resized(MPI_INT, -8, 24, &t));
    CONTENTS(t, MPI_COMBINER_RESIZED, NONE, NUMBERS(-8, 24), MPI_INT);
    int sizes[2] = {5, 6}, sub[2] = {2, 3}, starts[2] = {1, 2};
    CHECK_MPI(MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_FORTRAN, MPI_INT, &t));
    CONTENTS(t, MPI_COMBINER_SUBARRAY, NUMBERS(2, 5, 6, 2, 3, 1, 2, MPI_ORDER_FORTRAN), NONE, MPI_INT);
    int how[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, arg[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2},
        grid[2] = {2, 3};
    CHECK_MPI(MPI_Type_create_darray(6, 4, 2, sizes, how, arg, grid, MPI_ORDER_C, MPI_INT, &t));
    CONTENTS(t, MPI_COMBINER_DARRAY,
             NUMBERS(6, 4, 2, 5, 6, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2,
                     2, 3, MPI_ORDER_C),
             NONE, MPI_INT);

    /* A derived type in the contents is a new object; the type built again of it moves the same bytes. */
    MPI_Datatype of[2] = {MPI_INT, MPI_DATATYPE_NULL};
    int ints[3], tail[2];
    MPI_Aint addrs[2];
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_SHORT, &of[1]));
    CHECK_MPI(MPI_Type_create_struct(2, n, far, of, &t));
    CHECK_MPI(MPI_Type_free(&of[1]));
    envelope(__LINE__, t, 3, 2, 2, MPI_COMBINER_STRUCT);
    CHECK_MPI(MPI_Type_get_contents(t, 3, 2, 2, ints, addrs, back));
    CHECK(ints[0] == 2 && ints[1] == 2 && ints[2] == 1 && addrs[0] == 0 && addrs[1] == 56 &&
          back[0] == MPI_INT);
    envelope(__LINE__, back[1], 3, 0, 1, MPI_COMBINER_VECTOR);
    CHECK_MPI(MPI_Type_create_struct(2, ints + 1, addrs, back, &u));
    CHECK_MPI(MPI_Type_free(&back[1]));
    CHECK_MPI(MPI_Type_commit(&t));
    CHECK_MPI(MPI_Type_commit(&u));
    unsigned char from[64], one[32], two[32];
    int at1 = 0, at2 = 0;
    check_fill(from, sizeof from, 5);
    CHECK_MPI(MPI_Pack(from, 1, t, one, 32, &at1, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Pack(from, 1, u, two, 32, &at2, MPI_COMM_WORLD));
    CHECK(at1 == 12 && at2 == 12 && memcmp(one, two, 12) == 0);
    memcpy(tail, from, 8);
    CHECK(memcmp(one, tail, 8) == 0 && memcmp(one + 8, from + 56, 2) == 0 &&
          memcmp(one + 10, from + 60, 2) == 0);
    CHECK_MPI(MPI_Type_free(&t));
    CHECK_MPI(MPI_Type_free(&u));

    CHECK_MPI(MPI_Type_create_f90_real(10, 50, &t));
    CHECK_MPI(MPI_Type_create_f90_real(10, 50, &u));
    CHECK(t == u);
    envelope(__LINE__, t, 2, 0, 0, MPI_COMBINER_F90_REAL);
    CHECK_MPI(MPI_Type_get_contents(t, 2, 0, 0, ints, addrs, back));
    CHECK(ints[0] == 10 && ints[1] == 50);
    CHECK_MPI(MPI_Type_create_f90_integer(5, &t));
    CHECK_MPI(MPI_Type_size(t, &ints[0]));
    CHECK_EQ(ints[0], 4);
    CHECK_MPI(MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &t));
    CHECK_MPI(MPI_Type_size(t, &ints[0]));
    CHECK_EQ(ints[0], 8);
    CHECK_MPI(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &t));
    CHECK_MPI(MPI_Type_size(t, &ints[0]));
    CHECK_EQ(ints[0], 8);
    return check_finish();
}
