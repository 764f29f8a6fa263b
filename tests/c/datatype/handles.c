/* Handles of predefined datatypes are distinct, except for the synonyms, and the null handle is none of them.
 */
#include "types.h"

static int synonyms(const char *a, const char *b)
{
    static const char *const same[][2] = {{"MPI_LONG_LONG", "MPI_LONG_LONG_INT"}, {"MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX"}};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if ((strcmp(a, same[i][0]) == 0 && strcmp(b, same[i][1]) == 0) ||
            (strcmp(b, same[i][0]) == 0 && strcmp(a, same[i][1]) == 0))
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int i = 0; i < TYPE_COUNT; i++) {
        CHECK_MSG(all_types[i].type != MPI_DATATYPE_NULL, "%s is MPI_DATATYPE_NULL", all_types[i].name);
        for (int j = 0; j < i; j++)
            CHECK_MSG((all_types[i].type == all_types[j].type) ==
                          synonyms(all_types[i].name, all_types[j].name),
                      "%s and %s: the same handle, or not the same", all_types[i].name, all_types[j].name);
    }
    return check_finish();
}
