/* Memory and windows as objects: blocks of MPI_Alloc_mem, flavors and attributes of windows, sizes and units
 * that differ from rank to rank, queries, several windows over the same memory, groups, names, hints,
 * attributes of the program's. */
#include "window.h"

static void blocks(void)
{
    enum { N = 200 };
    static const MPI_Aint sizes[] = {0, 1, 63, 64, 65, 4096, 5000, 131072, 131073, 1 << 20, 5 << 20};
    char *p[N], *aligned;
    MPI_Info info;
    for (int i = 0; i < N; i++) {
        const MPI_Aint n = sizes[i % 11];
        CHECK_MPI(MPI_Alloc_mem(n, MPI_INFO_NULL, &p[i]));
        CHECK((uintptr_t)p[i] % 64 == 0);
        if (n > 0)
            memset(p[i], i, n < 10000 ? (size_t)n : 10000);
    }
    for (int i = 0; i < N; i++) {
        const MPI_Aint n = sizes[i % 11] < 10000 ? sizes[i % 11] : 10000;
        for (MPI_Aint k = 0; k < n; k++)
            if (p[i][k] != (char)i) {
                CHECK_MSG(0, "block %d has changed at %ld", i, (long)k);
                break;
            }
        CHECK_MPI(MPI_Free_mem(p[i]));
    }
    CHECK_MPI(MPI_Info_create(&info));
    for (MPI_Aint a = 16; a <= 1 << 20; a *= 16) {
        char text[32];
        snprintf(text, sizeof text, "%ld", (long)a);
        CHECK_MPI(MPI_Info_set(info, "mpi_minimum_memory_alignment", text));
        for (MPI_Aint n = 1; n < 1 << 22; n *= 40) {
            CHECK_MPI(MPI_Alloc_mem(n, info, &aligned));
            CHECK_MSG((uintptr_t)aligned % (uintptr_t)a == 0, "%p is not aligned to %ld", (void *)aligned, (long)a);
            memset(aligned, 1, (size_t)n);
            CHECK_MPI(MPI_Free_mem(aligned));
        }
    }
    CHECK_MPI(MPI_Info_free(&info));
}

/* Large blocks that come and go in no order: none lies where another one is, or has too little room. */
static void reuse(void)
{
    enum { N = 12, ROUNDS = 300 };
    char *p[N] = {NULL};
    size_t sizes[N] = {0};
    unsigned int seed = 7;
    for (int round = 0; round < ROUNDS; round++) {
        seed = seed * 1103515245 + 12345;
        const int i = (int)(seed >> 16) % N;
        if (p[i] != NULL) {
            CHECK_MSG(p[i][0] == (char)i && p[i][sizes[i] - 1] == (char)(i + 1), "block %d has changed", i);
            CHECK_MPI(MPI_Free_mem(p[i]));
            p[i] = NULL;
            continue;
        }
        sizes[i] = ((size_t)1 << 17) + (size_t)(seed >> 8) % ((size_t)9 << 20);
        CHECK_MPI(MPI_Alloc_mem((MPI_Aint)sizes[i], MPI_INFO_NULL, &p[i]));
        p[i][0] = (char)i;
        p[i][sizes[i] - 1] = (char)(i + 1);
    }
    for (int i = 0; i < N; i++)
        if (p[i] != NULL)
            CHECK_MPI(MPI_Free_mem(p[i]));
}

static void attributes(struct window *w, MPI_Aint size)
{
    static const int flavors[] = {MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED,  MPI_WIN_FLAVOR_CREATE,
                                  MPI_WIN_FLAVOR_CREATE,   MPI_WIN_FLAVOR_DYNAMIC, MPI_WIN_FLAVOR_DYNAMIC};
    void *value;
    int flag, key, result, n;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Group group, world;
    MPI_Info info;
    CHECK_MPI(MPI_Win_get_attr(w->win, MPI_WIN_BASE, &value, &flag));
    CHECK(flag && value == (w->memory < DYNAMIC ? w->own : MPI_BOTTOM));
    CHECK_MPI(MPI_Win_get_attr(w->win, MPI_WIN_SIZE, &value, &flag));
    CHECK(flag && *(MPI_Aint *)value == (w->memory < DYNAMIC ? size : 0));
    CHECK_MPI(MPI_Win_get_attr(w->win, MPI_WIN_DISP_UNIT, &value, &flag));
    CHECK(flag && *(int *)value == 1);
    CHECK_MPI(MPI_Win_get_attr(w->win, MPI_WIN_CREATE_FLAVOR, &value, &flag));
    CHECK(flag && *(int *)value == flavors[w->memory]);
    CHECK_MPI(MPI_Win_get_attr(w->win, MPI_WIN_MODEL, &value, &flag));
    CHECK(flag && *(int *)value == MPI_WIN_UNIFIED);
    CHECK_CLASS(MPI_Win_set_attr(w->win, MPI_WIN_SIZE, NULL), MPI_ERR_KEYVAL);
    CHECK_MPI(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL));
    CHECK_MPI(MPI_Win_set_attr(w->win, key, &key));
    CHECK_MPI(MPI_Win_get_attr(w->win, key, &value, &flag));
    CHECK(flag && value == &key);
    CHECK_MPI(MPI_Win_delete_attr(w->win, key));
    CHECK_MPI(MPI_Win_free_keyval(&key));
    CHECK_MPI(MPI_Win_set_name(w->win, "halo"));
    CHECK_MPI(MPI_Win_get_name(w->win, name, &n));
    CHECK(n == 4 && strcmp(name, "halo") == 0);
    CHECK_MPI(MPI_Win_get_group(w->win, &group));
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Group_compare(group, world, &result));
    CHECK_EQ(result, MPI_IDENT);
    CHECK_MPI(MPI_Group_free(&group));
    CHECK_MPI(MPI_Group_free(&world));
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "no_locks", "true"));
    CHECK_MPI(MPI_Info_set(info, "no_such_hint", "true"));
    CHECK_MPI(MPI_Win_set_info(w->win, info));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Win_get_info(w->win, &info));
    CHECK_MPI(MPI_Info_get(info, "no_locks", 10, name, &flag));
    CHECK(flag && strcmp(name, "true") == 0);
    CHECK_MPI(MPI_Info_get(info, "accumulate_ordering", 20, name, &flag));
    CHECK(flag && strcmp(name, "rar,raw,war,waw") == 0);
    CHECK_MPI(MPI_Info_get(info, "no_such_hint", 10, name, &flag));
    CHECK(!flag);
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win)); /* a promise that is not kept */
    CHECK_MPI(MPI_Win_unlock(me, w->win));
    CHECK_MPI(MPI_Info_set(info, "no_locks", "false"));
    CHECK_MPI(MPI_Win_set_info(w->win, info));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win));
    CHECK_MPI(MPI_Win_unlock(me, w->win));
}

/* Rank r has r * 24 bytes in units of r + 1; rank 0 has none. */
static void unequal(int apart)
{
    MPI_Win win;
    MPI_Info info;
    char *own, *at, *last = NULL;
    MPI_Aint size, before = 0;
    int unit;
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "alloc_shared_noncontig", apart ? "true" : "false"));
    CHECK_MPI(MPI_Win_allocate_shared(24 * me, me + 1, info, MPI_COMM_WORLD, &own, &win));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Win_fence(0, win));
    for (int r = 0; r < np; r++) {
        CHECK_MPI(MPI_Win_shared_query(win, r, &size, &unit, &at));
        CHECK_EQ(size, 24 * r);
        CHECK_EQ(unit, r + 1);
        CHECK((at == NULL) == (apart && r == 0));
        if (!apart && r > 0)
            CHECK(at == last + before);
        CHECK_CLASS(MPI_Put(&me, 1, MPI_INT, r, 24 * r / (r + 1) + 1, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
        if (r > 0 && r == (me + 1) % np)
            CHECK_MPI(MPI_Put(&me, 1, MPI_INT, r, 2, 1, MPI_INT, win));
        last = at;
        before = size;
    }
    CHECK_MPI(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &at));
    CHECK_EQ(size, np > 1 ? 24 : 0);
    CHECK_MPI(MPI_Win_fence(0, win));
    if (me > 0) {
        int got;
        memcpy(&got, own + 2 * (me + 1), sizeof got);
        CHECK_EQ(got, me - 1);
    }
    CHECK(own == (CHECK_MPI(MPI_Win_shared_query(win, me, &size, &unit, &at)), at));
    CHECK_MPI(MPI_Win_free(&win));
}

/* How much memory rank r has in pattern i: some have none, or nobody has any. */
enum { PATTERNS = 5 };
static MPI_Aint sized(int i, int r)
{
    switch (i) {
    case 0: return r % 2 ? 0 : 64 * (r + 1);
    case 1: return r == np - 1 ? 77 : 0;
    case 2: return r == 0 ? 77 : 0;
    case 3: return r % 2 ? 5000 : 0;
    default: return 0;
    }
}

/* A rank without contiguous memory has the address at which that of the next one begins (MPI 5.0, 12.2.3),
 * wherever it asks: baseptr, MPI_WIN_BASE, MPI_Win_shared_query at every rank. One without memory that lies
 * apart has none. Operations there reach nothing. */
static void empty(int i, int apart)
{
    MPI_Win win;
    MPI_Info info;
    char *own, *at, *base, *begin = NULL, *end = NULL, x = 1;
    MPI_Aint size;
    int unit, found, first = -1;
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "alloc_shared_noncontig", apart ? "true" : "false"));
    CHECK_MPI(MPI_Win_allocate_shared(sized(i, me), 1, info, MPI_COMM_WORLD, &own, &win));
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &found));
    CHECK(found && base == own && (own == NULL) == (apart && sized(i, me) == 0));
    CHECK_MPI(MPI_Win_fence(0, win));
    for (int r = 0; r < np; r++) {
        CHECK_MPI(MPI_Win_shared_query(win, r, &size, &unit, &at));
        CHECK_EQ(size, sized(i, r));
        CHECK_EQ(unit, 1);
        CHECK((at == NULL) == (apart && size == 0) && (r != me || at == own));
        CHECK_MSG(r == 0 || (apart ? !at || at >= end : at == end),
                  "pattern %d, rank %d: %td bytes behind", i, r, at - end);
        CHECK_CLASS(MPI_Put(&x, 1, MPI_CHAR, r, size, 1, MPI_CHAR, win), MPI_ERR_RMA_RANGE);
        CHECK_MPI(MPI_Put(&x, 0, MPI_CHAR, r, size, 0, MPI_CHAR, win));
        if (size > 0 && first < 0) {
            first = r;
            begin = at;
        }
        if (size > 0 && r == (me + 1) % np)
            CHECK_MPI(MPI_Put(&x, 1, MPI_CHAR, r, size - 1, 1, MPI_CHAR, win));
        end = at ? at + size : end;
    }
    CHECK_MPI(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &at));
    CHECK_EQ(size, first < 0 ? 0 : sized(i, first));
    CHECK_EQ(unit, 1);
    CHECK(first < 0 ? (at == NULL) == (apart != 0) : at == begin);
    CHECK_MPI(MPI_Win_fence(0, win));
    if (sized(i, me) > 0)
        CHECK_EQ(own[sized(i, me) - 1], 1);
    CHECK_MPI(MPI_Win_free(&win));
}

/* Memory that all ranks have mapped cannot be had over several nodes. */
static void unshared(void)
{
    MPI_Win win = MPI_WIN_NULL;
    char *own;
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Win_allocate_shared(24, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win),
                MPI_ERR_RMA_SHARED);
    CHECK(win == MPI_WIN_NULL);
}

/* A window over a part of another one's memory, and over the same memory twice. */
static void overlapping(void)
{
    struct window w = window_open(ALLOCATED, 4096);
    MPI_Win part, twice;
    const int next = (me + 1) % np;
    long one = 1, two = 2;
    CHECK_MPI(MPI_Win_create(w.own + 128, 64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &part));
    CHECK_MPI(MPI_Win_create(w.own + 128, 64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &twice));
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, part));
    CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, twice)); /* another window, another lock */
    CHECK_MPI(MPI_Accumulate(&one, 1, MPI_LONG, next, 1, 1, MPI_LONG, MPI_SUM, part));
    CHECK_MPI(MPI_Accumulate(&two, 1, MPI_LONG, next, 2, 1, MPI_LONG, MPI_SUM, twice));
    CHECK_MPI(MPI_Win_unlock(next, part));
    CHECK_MPI(MPI_Win_unlock(next, twice));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_EQ(((long *)w.own)[17], 1);
    CHECK_EQ(((long *)w.own)[18], 2);
    CHECK_MPI(MPI_Win_free(&twice));
    CHECK_MPI(MPI_Win_free(&part));
    window_close(&w);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    blocks();
    reuse();
    for (int memory = 0; memory < MEMORIES; memory = memory_after(memory)) {
        struct window w = window_open((enum memory)memory, 8 * (me + 1));
        attributes(&w, 8 * (me + 1));
        window_close(&w);
    }
    if (share_node()) {
        unequal(0);
        unequal(1);
        for (int i = 0; i < 2 * PATTERNS; i++)
            empty(i / 2, i % 2);
    } else {
        unshared();
    }
    overlapping();
    for (int i = 0; i < 300; i++) { /* more windows than the stubs know, then all of them gone */
        static MPI_Win wins[300];
        long *base, x = i;
        CHECK_MPI(MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_SELF, &base, &wins[i]));
        CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, wins[i]));
        CHECK_MPI(MPI_Put(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, wins[i]));
        CHECK_MPI(MPI_Win_unlock(0, wins[i]));
        CHECK_EQ(*base, i);
        for (int k = 0; i == 299 && k < 300; k++)
            CHECK_MPI(MPI_Win_free(&wins[k]));
    }
    return check_finish();
}
