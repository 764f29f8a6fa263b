/* Size and extent of the predefined datatypes are those of the C types they stand for. */
#include "types.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < TYPE_COUNT; i++) {
        const struct type_entry *t = &all_types[i];
        int size = -1;
        MPI_Aint lower = -99, extent = -99;
        if (!type_present(t))
            continue;
        CHECK_MPI(MPI_Type_size(t->type, &size));
        CHECK_MSG((size_t)size == t->size, "the size of %s is %d, want %zu", t->name, size, t->size);
        CHECK_MPI(MPI_Type_get_extent(t->type, &lower, &extent));
        CHECK_MSG(lower == 0, "the lower bound of %s is %ld", t->name, (long)lower);
        CHECK_MSG((size_t)extent == t->extent, "the extent of %s is %ld, want %zu", t->name, (long)extent, t->extent);
#if MPI_VERSION >= 4
        MPI_Count size_c = -1, lower_c = -1, extent_c = -1;
        CHECK_MPI(MPI_Type_size_c(t->type, &size_c));
        CHECK_EQ(size_c, t->size);
        CHECK_MPI(MPI_Type_get_extent_c(t->type, &lower_c, &extent_c));
        CHECK_EQ(lower_c, 0);
        CHECK_EQ(extent_c, t->extent);
#endif
    }
    return check_finish();
}
