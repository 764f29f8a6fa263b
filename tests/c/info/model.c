/*
 * Random calls on info objects beside a model: more keys and longer values than there is room for at first,
 * the order of keys, duplicates, and objects that are freed with keys in them (MPI 5.0, chapter 10).
 */
#include "check.h"

enum { KEYS = 14, LIVES = 400, STEPS = 60, LONGEST = 900 };

static char values[KEYS][LONGEST + 1];
static int order[KEYS], n; /* the keys that are there, as they have come */
static unsigned seed = 4;

static unsigned draw(unsigned below)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static const char *name(int k)
{
    static char text[3][40];
    static int turn;
    char *to = text[turn++ % 3];
    snprintf(to, sizeof text[0], "%s%d", k % 2 ? "key" : "a longer name of a key ", k);
    return to;
}

static int place(int k)
{
    for (int i = 0; i < n; i++)
        if (order[i] == k)
            return i;
    return -1;
}

static void look(MPI_Info info)
{
    char got[MPI_MAX_INFO_VAL], key[MPI_MAX_INFO_KEY];
    int count = -1;

    CHECK_MPI(MPI_Info_get_nkeys(info, &count));
    CHECK_EQ(count, n);
    for (int i = 0; i < n; i++) {
        CHECK_MPI(MPI_Info_get_nthkey(info, i, key));
        CHECK_MSG(strcmp(key, name(order[i])) == 0, "key %d is %s, want %s", i, key, name(order[i]));
    }
    for (int k = 0; k < KEYS; k++) {
        int length = sizeof got, flag = -1;
        CHECK_MPI(MPI_Info_get_string(info, name(k), &length, got, &flag));
        CHECK_EQ(flag, place(k) >= 0);
        CHECK(!flag || (strcmp(got, values[k]) == 0 && length == (int)strlen(values[k]) + 1));
    }
}

static void step(MPI_Info info)
{
    int k = (int)draw(KEYS), at = place(k);

    if (draw(3) == 0) {
        CHECK_EQ(MPI_Info_delete(info, name(k)) == MPI_SUCCESS, at >= 0);
        if (at >= 0)
            memmove(&order[at], &order[at + 1], (size_t)(--n - at) * sizeof order[0]);
        return;
    }
    size_t length = 1 + draw(draw(4) ? 30 : LONGEST);
    memset(values[k], 'a' + (int)draw(26), length);
    values[k][length] = 0;
    CHECK_MPI(MPI_Info_set(info, name(k), values[k]));
    if (at < 0)
        order[n++] = k;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int life = 0; life < LIVES; life++) {
        MPI_Info info, twin;
        unsigned steps = draw(STEPS);

        n = 0;
        CHECK_MPI(MPI_Info_create(&info));
        for (unsigned i = 0; i < steps; i++) {
            step(info);
            if (i % 8 == 0)
                look(info);
        }
        look(info);
        if (life % 3 == 0) {
            CHECK_MPI(MPI_Info_dup(info, &twin));
            CHECK_MPI(MPI_Info_free(&info));
            look(twin);
            info = twin;
            step(info);
            look(info);
        }
        CHECK_MPI(MPI_Info_free(&info));
    }
    return check_finish();
}
