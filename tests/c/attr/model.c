/*
 * Random calls on the attributes of communicators, datatypes and windows beside a model: keys with and
 * without functions, freed ones under which attributes still hang, duplicates (MPI 5.0, 7.7). Other MPIs give
 * the number of a freed key to the next one while attributes hang on it.
 */
#include "check.h"

enum { KEYS = 14, STEPS = 4000, LIVES = 3 };

enum { NO_COPY, COPY_ALL, COPY_NEXT }; /* what a key's copy function does */

static long deletions;

/* A key, and what hangs under it. */
struct key {
    int number, copies, deletes, made, freed, set;
    char *value;
};

static char places[KEYS + 1][STEPS + 1];
static struct key keys[KEYS];
static unsigned seed;

static unsigned draw(unsigned n)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

#define KIND(Kind, Handle)                                                                             \
    static int Kind##_next(Handle o, int k, void *extra, void *in, void *out, int *flag)               \
    {                                                                                                  \
        (void)o, (void)k, (void)extra;                                                                 \
        *(char **)out = (char *)in + 1;                                                                \
        *flag = 1;                                                                                     \
        return MPI_SUCCESS;                                                                            \
    }                                                                                                  \
    static int Kind##_gone(Handle o, int k, void *value, void *extra)                                  \
    {                                                                                                  \
        (void)o, (void)k, (void)value;                                                                 \
        ++*(long *)extra;                                                                              \
        return MPI_SUCCESS;                                                                            \
    }                                                                                                  \
    static void Kind##_make(struct key *k)                                                             \
    {                                                                                                  \
        MPI_##Kind##_copy_attr_function *copy[] = {MPI_##Kind##_NULL_COPY, MPI_##Kind##_DUP, Kind##_next}; \
        CHECK_MPI(MPI_##Kind##_create_keyval(copy[k->copies], k->deletes ? Kind##_gone : NULL, &k->number, \
                                             &deletions));                                             \
    }                                                                                                  \
    static void Kind##_look(Handle o, const struct key *k, int set, const char *value)                 \
    {                                                                                                  \
        char *got = NULL;                                                                              \
        int flag = -1;                                                                                 \
        CHECK_MPI(MPI_##Kind##_get_attr(o, k->number, &got, &flag));                                   \
        CHECK_EQ(flag, set);                                                                           \
        CHECK(!set || got == value);                                                                   \
    }                                                                                                  \
    static void Kind##_step(Handle o, struct key *k, int step)                                         \
    {                                                                                                  \
        long before = deletions;                                                                       \
        int number = k->number;                                                                        \
        char *value = &places[k - keys][step];                                                         \
        if (!k->made) {                                                                                \
            *k = (struct key){.copies = (int)draw(3), .deletes = draw(3) == 0, .made = 1};             \
            Kind##_make(k);                                                                            \
            return;                                                                                    \
        }                                                                                              \
        switch (draw(8)) {                                                                             \
        case 0: /* free the key */                                                                     \
            CHECK_MPI(MPI_##Kind##_free_keyval(&number));                                              \
            CHECK_EQ(number, MPI_KEYVAL_INVALID);                                                      \
            k->freed = 1;                                                                              \
            break;                                                                                     \
        case 1:                                                                                        \
        case 2:                                                                                        \
            if (!k->set)                                                                               \
                break;                                                                                 \
            CHECK_MPI(MPI_##Kind##_delete_attr(o, number));                                            \
            CHECK_EQ(deletions - before, k->deletes);                                                  \
            k->set = 0;                                                                                \
            break;                                                                                     \
        case 3:                                                                                        \
        case 4:                                                                                        \
        case 5:                                                                                        \
            if (k->freed)                                                                              \
                break;                                                                                 \
            CHECK_MPI(MPI_##Kind##_set_attr(o, number, value));                                        \
            CHECK_EQ(deletions - before, k->set && k->deletes);                                        \
            k->set = 1;                                                                                \
            k->value = value;                                                                          \
            break;                                                                                     \
        default: Kind##_look(o, k, k->set, k->value);                                                  \
        }                                                                                              \
        if (k->freed && !k->set)                                                                       \
            k->made = 0;                                                                               \
    }                                                                                                  \
    static void Kind##_end(void)                                                                       \
    {                                                                                                  \
        for (int i = 0; i < KEYS; i++)                                                                 \
            if (keys[i].made && !keys[i].freed)                                                        \
                CHECK_MPI(MPI_##Kind##_free_keyval(&keys[i].number));                                  \
    }                                                                                                  \
    /* Calls on an object. */                                                                      \
    static void Kind##_walk(Handle o)                                                                  \
    {                                                                                                  \
        memset(keys, 0, sizeof keys);                                                                  \
        for (int step = 0; step < STEPS; step++) {                                                     \
            Kind##_step(o, &keys[draw(KEYS)], step);                                                   \
            if (step % 500 == 499)                                                                     \
                Kind##_twin(o);                                                                        \
        }                                                                                              \
    }

#define MPI_Comm_NULL_COPY MPI_COMM_NULL_COPY_FN
#define MPI_Comm_DUP MPI_COMM_DUP_FN
#define MPI_Type_NULL_COPY MPI_TYPE_NULL_COPY_FN
#define MPI_Type_DUP MPI_TYPE_DUP_FN
#define MPI_Win_NULL_COPY MPI_WIN_NULL_COPY_FN
#define MPI_Win_DUP MPI_WIN_DUP_FN

/* How many attributes of a duplicate, or of the object, have a function that is called when they go. */
static int counted(int duplicate)
{
    int n = 0;
    for (int i = 0; i < KEYS; i++)
        n += keys[i].made && keys[i].set && keys[i].deletes && (!duplicate || keys[i].copies != NO_COPY);
    return n;
}

static void Comm_look(MPI_Comm, const struct key *, int, const char *);
static void Type_look(MPI_Datatype, const struct key *, int, const char *);

/* A duplicate has what the copy functions say. */
#define TWIN(Kind, Handle)                                                                             \
    static void Kind##_twin(Handle o)                                                                  \
    {                                                                                                  \
        Handle d;                                                                                      \
        long before = deletions;                                                                       \
        CHECK_MPI(MPI_##Kind##_dup(o, &d));                                                            \
        for (int i = 0; i < KEYS; i++)                                                                 \
            if (keys[i].made)                                                                          \
                Kind##_look(d, &keys[i], keys[i].set && keys[i].copies != NO_COPY,                     \
                            keys[i].value + (keys[i].copies == COPY_NEXT));                            \
        CHECK_MPI(MPI_##Kind##_free(&d));                                                              \
        CHECK_EQ(deletions - before, counted(1));                                                      \
    }
TWIN(Comm, MPI_Comm)
TWIN(Type, MPI_Datatype)
static void Win_twin(MPI_Win w) { (void)w; }

KIND(Comm, MPI_Comm)
KIND(Type, MPI_Datatype)
KIND(Win, MPI_Win)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int life = 0; life < LIVES; life++) {
        MPI_Comm c;
        MPI_Datatype t;
        MPI_Win w;
        long before;

        seed = 77u + (unsigned)life;
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &c));
        Comm_walk(c);
        before = deletions;
        CHECK_MPI(MPI_Comm_free(&c));
        CHECK_EQ(deletions - before, counted(0));
        Comm_end();

        CHECK_MPI(MPI_Type_vector(2, 3, 4, MPI_INT, &t));
        Type_walk(t);
        before = deletions;
        CHECK_MPI(MPI_Type_free(&t));
        CHECK_EQ(deletions - before, counted(0));
        Type_end();

        CHECK_MPI(MPI_Win_create(&life, sizeof life, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w));
        Win_walk(w);
        before = deletions;
        CHECK_MPI(MPI_Win_free(&w));
        CHECK_EQ(deletions - before, counted(0));
        Win_end();
    }
    return check_finish();
}
