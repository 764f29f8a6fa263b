/* MPI_LB and MPI_UB, which MPI 3.0 removed, set the bounds of old codes' structs (MPI 2.2, 4.1.6). */
#include "check.h"

#include <stddef.h>
#include <string.h>

static MPI_Datatype made(int n, const int *blocks, const MPI_Aint *places, const MPI_Datatype *types)
{
    MPI_Datatype t;
    CHECK_MPI(MPI_Type_struct(n, (int *)blocks, (MPI_Aint *)places, (MPI_Datatype *)types, &t));
    CHECK_MPI(MPI_Type_commit(&t));
    return t;
}

static void expect(MPI_Datatype t, int size, MPI_Aint lb, MPI_Aint ub)
{
    int got;
    MPI_Aint low, high, extent;
    CHECK_MPI(MPI_Type_size(t, &got));
    CHECK_EQ(got, size);
    CHECK_MPI(MPI_Type_lb(t, &low));
    CHECK_EQ(low, lb);
    CHECK_MPI(MPI_Type_ub(t, &high));
    CHECK_EQ(high, ub);
    CHECK_MPI(MPI_Type_extent(t, &extent));
    CHECK_EQ(extent, ub - lb);
}

struct cell {
    double value;
    char kind;
    int where[3];
};

int main(int argc, char **argv)
{
    char name[MPI_MAX_OBJECT_NAME];
    int n;

    check_init(&argc, &argv);

    CHECK_MPI(MPI_Type_get_name(MPI_LB, name, &n));
    CHECK(strcmp(name, "MPI_LB") == 0);
    CHECK_MPI(MPI_Type_get_name(MPI_UB, name, &n));
    CHECK(strcmp(name, "MPI_UB") == 0);

    /* Both, one, and nothing but one: the other bound follows the data, or is 0. */
    MPI_Datatype both =
        made(3, (int[]){1, 4, 1}, (MPI_Aint[]){-3, 0, 6}, (MPI_Datatype[]){MPI_LB, MPI_BYTE, MPI_UB});
    MPI_Datatype upper = made(2, (int[]){2, 1}, (MPI_Aint[]){4, 40}, (MPI_Datatype[]){MPI_INT, MPI_UB});
    MPI_Datatype lower = made(2, (int[]){1, 1}, (MPI_Aint[]){-8, 8}, (MPI_Datatype[]){MPI_LB, MPI_DOUBLE});
    MPI_Datatype nothing = made(1, (int[]){1}, (MPI_Aint[]){10}, (MPI_Datatype[]){MPI_LB});
    expect(both, 4, -3, 6);
    expect(upper, 8, 4, 40);
    expect(lower, 8, -8, 16);
    expect(nothing, 0, 10, 0);

    /* They stay where they are in types made of these. */
    MPI_Datatype three, nested;
    CHECK_MPI(MPI_Type_contiguous(3, both, &three));
    expect(three, 12, -3, 24);
    nested = made(2, (int[]){1, 1}, (MPI_Aint[]){0, 100}, (MPI_Datatype[]){both, MPI_INT});
    expect(nested, 8, -3, 6);

    /* An array of structs as old codes describe it. */
    MPI_Datatype cell = made(4, (int[]){1, 1, 3, 1},
                             (MPI_Aint[]){offsetof(struct cell, value), offsetof(struct cell, kind),
                                          offsetof(struct cell, where), sizeof(struct cell)},
                             (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR, MPI_INT, MPI_UB});
    expect(cell, 21, 0, sizeof(struct cell));
    struct cell from[5], to[5];
    memset(to, 0, sizeof to);
    for (int i = 0; i < 5; i++)
        from[i] = (struct cell){i + 0.5, (char)('a' + i), {i, -i, 7 * i}};
    CHECK_MPI(MPI_Sendrecv(from, 5, cell, 0, 1, to, 5, cell, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    for (int i = 0; i < 5; i++)
        CHECK(to[i].value == from[i].value && to[i].kind == from[i].kind &&
              memcmp(to[i].where, from[i].where, sizeof to[i].where) == 0);

    MPI_Datatype all[] = {both, upper, lower, nothing, three, nested, cell};
    for (int i = 0; i < 7; i++)
        CHECK_MPI(MPI_Type_free(&all[i]));
    return check_finish();
}
