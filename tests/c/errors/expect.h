/* Expecting an error: its class, and (of gompi) a text that names the function, the argument and the value.
 */
#ifndef GOMPI_TESTS_EXPECT_H
#define GOMPI_TESTS_EXPECT_H

#include "check.h"

/* EXPECT(call, class, words...): the call fails with the class; each word stands in the error's text. */
#define EXPECT(call, class, ...)                                                                       \
    expect_error(__FILE__, __LINE__, #call, (call), (class), (const char *const[]){__VA_ARGS__, NULL})

CHECK_UNUSED
static void expect_error(const char *file, int line, const char *call, int rc, int want,
                         const char *const *words)
{
    int class = MPI_SUCCESS, n = 0;
    char text[MPI_MAX_ERROR_STRING] = "";

    check_count();
    if (rc != MPI_SUCCESS) {
        MPI_Error_class(rc, &class);
        MPI_Error_string(rc, text, &n);
    }
    if (class != want) {
        check_fail(file, line, "%s gave error class %d, want %d: %s", call, class, want, text);
        return;
    }
#ifdef TEST_GOMPI
    /* The function's name is what stands before the parenthesis of the call; a large-count twin may go by its
     * namesake. */
    char function[64] = "";
    sscanf(call, "%63[A-Za-z_]", function);
    size_t length = strlen(function);
    if (length > 2 && strcmp(function + length - 2, "_c") == 0)
        function[length - 2] = '\0';
    if (strstr(text, function) == NULL)
        check_fail(file, line, "%s: the text does not name %s: %s", call, function, text);
    for (; *words != NULL; words++)
        if (strstr(text, *words) == NULL)
            check_fail(file, line, "%s: \"%s\" is not in the text: %s", call, *words, text);
    if (strlen(text) != (size_t)n)
        check_fail(file, line, "%s: the text has %zu characters, reported are %d", call, strlen(text), n);
#else
    (void)words;
#endif
}

#endif
