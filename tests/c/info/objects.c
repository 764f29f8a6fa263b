/* Info objects: order of keys, changes, copies, room for values, what is refused; legal before MPI_Init and
 * after MPI_Finalize too. */
#include "check.h"

static void expect(MPI_Info info, const char *key, const char *want)
{
    char value[64] = "?";
    int room = sizeof value, flag = -1;
    CHECK_MPI(MPI_Info_get_string(info, key, &room, value, &flag));
    CHECK_EQ(flag, want != NULL);
    if (want != NULL) {
        CHECK_MSG(strcmp(value, want) == 0, "%s is \"%s\", want \"%s\"", key, value, want);
        CHECK_EQ(room, (int)strlen(want) + 1);
    }
}

static void keys(MPI_Info info, int n, const char *const *want)
{
    int got;
    char key[MPI_MAX_INFO_KEY];
    CHECK_MPI(MPI_Info_get_nkeys(info, &got));
    CHECK_EQ(got, n);
    for (int i = 0; i < n; i++) {
        CHECK_MPI(MPI_Info_get_nthkey(info, i, key));
        CHECK_MSG(strcmp(key, want[i]) == 0, "key %d is %s, want %s", i, key, want[i]);
    }
}

static void life(void)
{
    MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
    char small[4] = "xyz";
    int room, flag, length;
    CHECK_MPI(MPI_Info_create(&info));
    keys(info, 0, NULL);
    CHECK_MPI(MPI_Info_set(info, "one", "1"));
    CHECK_MPI(MPI_Info_set(info, "two", "two words"));
    CHECK_MPI(MPI_Info_set(info, "three", ""));
    CHECK_MPI(MPI_Info_set(info, "one", "first"));
    keys(info, 3, (const char *[]){"one", "two", "three"});
    expect(info, "one", "first");
    expect(info, "two", "two words");
    expect(info, "three", "");
    expect(info, "four", NULL);
    CHECK_MPI(MPI_Info_dup(info, &copy));
    CHECK_MPI(MPI_Info_delete(info, "one"));
    keys(info, 2, (const char *[]){"two", "three"});
    keys(copy, 3, (const char *[]){"one", "two", "three"});
    expect(copy, "one", "first");

    room = sizeof small;
    CHECK_MPI(MPI_Info_get_string(info, "two", &room, small, &flag));
    CHECK(flag && strcmp(small, "two") == 0);
    CHECK_EQ(room, 10);
    room = 0;
    CHECK_MPI(MPI_Info_get_string(info, "two", &room, small, &flag));
    CHECK(flag && strcmp(small, "two") == 0);
    CHECK_EQ(room, 10);
    CHECK_MPI(MPI_Info_get_valuelen(info, "two", &length, &flag));
    CHECK(flag);
    CHECK_EQ(length, 9);
    CHECK_MPI(MPI_Info_get(info, "two", 3, small, &flag));
    CHECK(flag && strcmp(small, "two") == 0);
    CHECK_MPI(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL);
    CHECK_MPI(MPI_Info_free(&copy));
}

/* Values that take the place of others: of any length, with blanks, and on one of two copies alone. */
static void changed(void)
{
    static const char *const values[] = {"a", "somewhat longer", "b", " in blanks\t", "", "c"};
    MPI_Info info, copy = MPI_INFO_NULL;
    char line[200];
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "other", "stays"));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        CHECK_MPI(MPI_Info_set(info, " key", values[i]));
        expect(info, "key", i == 3 ? "in blanks" : values[i]);
        expect(info, "other", "stays");
        if (copy != MPI_INFO_NULL) {
            expect(copy, "key", i == 4 ? "in blanks" : values[i - 1]);
            CHECK_MPI(MPI_Info_free(&copy));
        }
        CHECK_MPI(MPI_Info_dup(info, &copy));
    }
    CHECK_MPI(MPI_Info_free(&copy));
    for (int n = 60; n < 199; n++) {
        memset(line, '0' + n % 10, (size_t)n);
        line[n] = '\0';
        CHECK_MPI(MPI_Info_set(info, "key", line));
        int flag = 0, length = 0;
        CHECK_MPI(MPI_Info_get_valuelen(info, "key", &length, &flag));
        CHECK_EQ(length, n);
    }
    CHECK_MPI(MPI_Info_free(&info));
}

static void refused(void)
{
    MPI_Info info, gone, null = MPI_INFO_NULL;
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int n;
    memset(key, 'k', sizeof key - 1);
    memset(value, 'v', sizeof value - 1);
    key[sizeof key - 1] = value[sizeof value - 1] = '\0';
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_CLASS(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY);
    CHECK_CLASS(MPI_Info_set(info, "k", value), MPI_ERR_INFO_VALUE);
    CHECK_MPI(MPI_Info_set(info, key + 1, value + 1));
    CHECK_CLASS(MPI_Info_delete(info, "none"), MPI_ERR_INFO_NOKEY);
    CHECK_CLASS(MPI_Info_get_nthkey(info, 1, key), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Info_get_nkeys(MPI_INFO_NULL, &n), MPI_ERR_INFO);
    CHECK_CLASS(MPI_Info_free(&null), MPI_ERR_INFO);
    gone = info;
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_CLASS(MPI_Info_get_nkeys(gone, &n), MPI_ERR_INFO);
    CHECK_CLASS(MPI_Info_free(&gone), MPI_ERR_INFO);
}

int main(int argc, char **argv)
{
    life(); /* before MPI_Init */
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    life();
    changed();
    refused();
    char value[512];
    int room = sizeof value, flag;
    CHECK_MPI(MPI_Info_get_string(MPI_INFO_ENV, "command", &room, value, &flag));
    CHECK(flag && strstr(value, "objects") != NULL);
    MPI_Finalize();
    life();
    return check_result();
}
