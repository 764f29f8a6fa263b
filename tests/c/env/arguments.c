/* Arguments and environment reach every rank as they were given: blanks, quotes, dashes. */
#include "check.h"

int main(int argc, char **argv)
{
    static const char *want[] = {"two words", "-n", "--", "it's", "a\\b", "x=y", "*", "$HOME"};
    int n = sizeof want / sizeof want[0];

    check_init(&argc, &argv);
    CHECK_EQ(argc, n + 1);
    for (int i = 0; i < n && i + 1 < argc; i++)
        CHECK_MSG(strcmp(argv[i + 1], want[i]) == 0, "argument %d is \"%s\", want \"%s\"", i + 1, argv[i + 1], want[i]);
    CHECK(argv[argc] == NULL);

    const char *setting = getenv("GOMPI_TEST_SETTING");
    CHECK(setting != NULL && strcmp(setting, "some thing") == 0);
    return check_finish();
}
