/*
 * What gompi does not have yet says so: each function that docs/coverage.md (argument 1) lists as missing
 * returns MPI_ERR_UNSUPPORTED_OPERATION, with a text that names it, whatever its arguments.
 */
#include "check.h"
#include <dlfcn.h>

/* All parameters of MPI functions are integers or pointers, which is all that matters to the calling
 * convention. */
typedef int (*any_function)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                            intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);

static int call(const char *name)
{
    any_function f;
    *(void **)&f = dlsym(RTLD_DEFAULT, name);
    CHECK_MSG(f != NULL, "%s does not exist", name);
    return f == NULL ? MPI_SUCCESS : f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void expect_unsupported(const char *name)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int class = MPI_SUCCESS, n = 0, rc = call(name);
    if (rc != MPI_SUCCESS) {
        MPI_Error_class(rc, &class);
        MPI_Error_string(rc, text, &n);
    }
    /* The functions of the tool interface have error classes of their own, and no handler (MPI 5.0, 15.3.10).
     */
    int want = strncmp(name, "MPI_T_", 6) == 0 ? MPI_T_ERR_NOT_SUPPORTED : MPI_ERR_UNSUPPORTED_OPERATION;
    CHECK_MSG(class == want, "%s gave error class %d: %s", name, class, text);
    CHECK_MSG(class != want || strstr(text, name) != NULL, "%s: the text is \"%s\"", name, text);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FILE *f = fopen(argc > 1 ? argv[1] : "", "r");
    char line[16384];
    int announced = -1, in_missing = 0, tried = 0;
    CHECK_MSG(f != NULL, "cannot read %s", argc > 1 ? argv[1] : "(no argument)");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (line[0] == '#' && line[1] == ' ')
            in_missing = strncmp(line, "# Missing", 9) == 0;
        else if (sscanf(line, "missing: %d", &announced) != 1 && in_missing && line[0] != '#')
            for (char *word = strtok(line, " ,\n"); word != NULL; word = strtok(NULL, " ,\n")) {
                char *twin = strstr(word, "(_c)"); /* the function and its large-count twin */
                if (twin != NULL)
                    *twin = '\0';
                expect_unsupported(word);
                if (twin != NULL) {
                    memcpy(twin, "_c", 3);
                    expect_unsupported(word);
                }
                tried += 1 + (twin != NULL);
            }
    }
    if (f != NULL)
        fclose(f);
    CHECK_MSG(announced >= 0, "there is no line \"missing: N\"");
    CHECK_EQ(tried, announced);
    return check_finish();
}
