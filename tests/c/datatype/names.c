/* The predefined datatypes are called what they are called. */
#include "types.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < TYPE_COUNT; i++) {
        const struct type_entry *t = &all_types[i];
        char name[MPI_MAX_OBJECT_NAME];
        int n = -1;
        if (!type_present(t))
            continue;
        memset(name, '#', sizeof name);
        CHECK_MPI(MPI_Type_get_name(t->type, name, &n));
        CHECK_EQ(n, strlen(name));
        /* Of a synonym either name will do. */
        const char *other = t->type == MPI_LONG_LONG ? "MPI_LONG_LONG_INT" : t->type == MPI_C_COMPLEX ? "MPI_C_FLOAT_COMPLEX" : t->name;
        const char *third = t->type == MPI_LONG_LONG ? "MPI_LONG_LONG" : t->type == MPI_C_COMPLEX ? "MPI_C_COMPLEX" : t->name;
        CHECK_MSG(strcmp(name, t->name) == 0 || strcmp(name, other) == 0 || strcmp(name, third) == 0,
                  "%s is called \"%.60s\"", t->name, name);
    }
    return check_finish();
}
