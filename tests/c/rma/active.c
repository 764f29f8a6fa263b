/* Random epochs of active target synchronization, fences and post-start-complete-wait, among random
 * neighbours, over each kind of memory: after each one every rank's memory is what a model says that all
 * ranks carry along. Groups are used again, made anew and freed while epochs last; a freed group is refused,
 * also where the same ranks were just used.
 *
 *   active [rounds]
 */
#include "window.h"

enum { ROW = 40, OWN = 4 + ROW, MOST = 8, GROUPS = 4 };

/* What rank t has: one sum for all, then for each origin a value to put, one to fetch from, one to swap, one
 * to read, and a row. */
static int64_t model[MOST][1 + MOST * OWN];

static uint64_t state;

static unsigned chance(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

static MPI_Group world;

/* What this rank has got from each other one, which is there when the epoch is over, and what it should be.
 */
static struct results {
    int64_t fetched[MOST], swapped[MOST], read[MOST], rows[MOST][ROW];
} got, wanted;

static struct {
    unsigned mask;
    MPI_Group group;
} known[GROUPS];

/* The group of the ranks in a mask, one that was used before if there is one. */
static MPI_Group group_of(unsigned mask)
{
    static int next;
    int ranks[MOST], n = 0;

    for (int i = 0; i < GROUPS; i++)
        if (known[i].group != MPI_GROUP_NULL && known[i].mask == mask)
            return known[i].group;
    next = (next + 1) % GROUPS;
    if (known[next].group != MPI_GROUP_NULL)
        CHECK_MPI(MPI_Group_free(&known[next].group));
    for (int r = 0; r < np; r++)
        if (mask >> r & 1)
            ranks[n++] = r;
    CHECK_MPI(MPI_Group_incl(world, n, ranks, &known[next].group));
    known[next].mask = mask;
    return known[next].group;
}

static void forget(unsigned mask)
{
    for (int i = 0; i < GROUPS; i++)
        if (known[i].group != MPI_GROUP_NULL && known[i].mask == mask)
            CHECK_MPI(MPI_Group_free(&known[i].group));
}

/* The operations of rank o on rank t in one epoch: all ranks draw them, o carries them out. */
static void operate(const struct window *w, int o, int t)
{
    const int at = 1 + o * OWN, mine = o == me;
    const MPI_Aint base = w->base[t], own = base + at * (MPI_Aint)sizeof(int64_t);
    static int64_t put[MOST], add[MOST], more[MOST], row[MOST][ROW], new[MOST], expected[MOST];
    int64_t *m = &model[t][at];

    if (chance(2)) {
        put[t] = chance(1000);
        m[0] = put[t];
        if (mine)
            CHECK_MPI(MPI_Put(&put[t], 1, MPI_INT64_T, t, own, 1, MPI_INT64_T, w->win));
    }
    if (chance(2)) {
        add[t] = chance(1000);
        model[t][0] += add[t];
        if (mine)
            CHECK_MPI(MPI_Accumulate(&add[t], 1, MPI_INT64_T, t, base, 1, MPI_INT64_T, MPI_SUM, w->win));
    }
    if (chance(2)) {
        more[t] = chance(1000);
        if (mine) {
            CHECK_MPI(MPI_Fetch_and_op(&more[t], &got.fetched[t], MPI_INT64_T, t, own + 8, MPI_SUM, w->win));
            wanted.fetched[t] = m[1];
        }
        m[1] += more[t];
    }
    if (chance(2)) {
        expected[t] = m[2] + (chance(3) == 0);
        new[t] = chance(1000);
        if (mine) {
            CHECK_MPI(MPI_Compare_and_swap(&new[t], &expected[t], &got.swapped[t], MPI_INT64_T, t, own + 16,
                                           w->win));
            wanted.swapped[t] = m[2];
        }
        if (expected[t] == m[2])
            m[2] = new[t];
    }
    if (chance(2)) {
        const int n = 1 + (int)chance(ROW), op = (int)chance(3);
        for (int i = 0; i < n; i++) {
            row[t][i] = chance(1000);
            m[4 + i] = op == 0                ? row[t][i]
                       : op == 1              ? m[4 + i] + row[t][i]
                       : m[4 + i] > row[t][i] ? m[4 + i]
                                              : row[t][i];
        }
        if (mine)
            CHECK_MPI(MPI_Accumulate(row[t], n, MPI_INT64_T, t, own + 32, n, MPI_INT64_T,
                                     op == 0   ? MPI_REPLACE
                                     : op == 1 ? MPI_SUM
                                               : MPI_MAX,
                                     w->win));
    } else if (chance(2)) { /* more operations than are under way at once */
        const int n = 1 + (int)chance(ROW);
        for (int i = 0; i < n; i++) {
            m[4 + i] = row[t][i] = chance(1000);
            if (mine)
                CHECK_MPI(MPI_Put(&row[t][i], 1, MPI_INT64_T, t, own + 32 + 8 * i, 1, MPI_INT64_T, w->win));
        }
    } else if (mine) {
        CHECK_MPI(MPI_Get(got.rows[t], ROW, MPI_INT64_T, t, own + 32, ROW, MPI_INT64_T, w->win));
        CHECK_MPI(MPI_Get(&got.read[t], 1, MPI_INT64_T, t, own + 24, 1, MPI_INT64_T, w->win));
        memcpy(wanted.rows[t], m + 4, sizeof wanted.rows[t]);
        wanted.read[t] = m[3];
    }
}

/* Rank t itself changes what others read, between epochs. */
static void change_own(struct window *w)
{
    for (int t = 0; t < np; t++)
        for (int o = 0; o < np; o++)
            model[t][1 + o * OWN + 3] += 1 + t + o;
    for (int o = 0; o < np; o++)
        ((int64_t *)w->own)[1 + o * OWN + 3] = model[me][1 + o * OWN + 3];
}

static void verify(const struct window *w, const char *how)
{
    const int64_t *own = (const int64_t *)w->own;
    CHECK(memcmp(&got, &wanted, sizeof got) == 0);
    for (int i = 0; i < 1 + np * OWN; i++)
        if (own[i] != model[me][i]) {
            printf("# %s, %s, word %d\n", memory_names[w->memory], how, i);
            CHECK_EQ(own[i], model[me][i]);
            return;
        }
}

static void fence(struct window *w, int fresh)
{
    if (fresh)
        CHECK_MPI(MPI_Win_fence(chance(2) ? MPI_MODE_NOPRECEDE : 0, w->win));
    for (int o = 0; o < np; o++)
        for (int t = 0; t < np; t++)
            if (chance(3))
                operate(w, o, t);
    CHECK_MPI(MPI_Win_fence(0, w->win));
    verify(w, "fence");
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

static void post(struct window *w)
{
    unsigned to[MOST], from = 0;
    const int promise = chance(4) == 0 ? MPI_MODE_NOCHECK : 0, all = chance(4) == 0, drop = chance(3) == 0;
    int done = 0;

    for (int o = 0; o < np; o++) {
        to[o] = all ? (1u << np) - 1 : chance(1u << np);
        from |= (to[o] >> me & 1) << o;
    }
    CHECK_MPI(MPI_Win_post(group_of(from), promise | MPI_MODE_NOSTORE, w->win));
    if (promise)
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Win_start(group_of(to[me]), promise, w->win));
    if (drop) { /* the epochs go on without the handles */
        forget(to[me]);
        forget(from);
    }
    for (int o = 0; o < np; o++)
        for (int t = 0; t < np; t++)
            if (to[o] >> t & 1)
                operate(w, o, t);
    CHECK_MPI(MPI_Win_complete(w->win));
    if (chance(2))
        CHECK_MPI(MPI_Win_wait(w->win));
    else
        while (!done)
            CHECK_MPI(MPI_Win_test(w->win, &done));
    verify(w, "post and start");
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); /* nobody comes back before all have verified */
}

/* A group that was used is refused when it is gone. */
static void freed(struct window *w)
{
    MPI_Group self, gone;
    int flag;

    CHECK_MPI(MPI_Group_incl(world, 1, &me, &self));
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(MPI_Win_post(self, 0, w->win));
        CHECK_CLASS(MPI_Win_post(self, 0, w->win), MPI_ERR_RMA_SYNC);
        CHECK_MPI(MPI_Win_start(self, 0, w->win));
        CHECK_CLASS(MPI_Win_start(self, 0, w->win), MPI_ERR_RMA_SYNC);
        CHECK_MPI(MPI_Win_test(w->win, &flag));
        CHECK_EQ(flag, 0);
        CHECK_MPI(MPI_Win_complete(w->win));
        CHECK_CLASS(MPI_Win_complete(w->win), MPI_ERR_RMA_SYNC);
        CHECK_MPI(MPI_Win_test(w->win, &flag));
        CHECK_EQ(flag, 1);
        CHECK_CLASS(MPI_Win_test(w->win, &flag), MPI_ERR_RMA_SYNC);
        CHECK_CLASS(MPI_Win_wait(w->win), MPI_ERR_RMA_SYNC);
        CHECK_CLASS(MPI_Win_post(self, MPI_MODE_NOSUCCEED, w->win), MPI_ERR_ASSERT);
        CHECK_CLASS(MPI_Win_start(self, MPI_MODE_NOSTORE, w->win), MPI_ERR_ASSERT);
    }
    gone = self;
    CHECK_MPI(MPI_Group_free(&self));
    CHECK_CLASS(MPI_Win_post(gone, 0, w->win), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Win_start(gone, 0, w->win), MPI_ERR_GROUP);
    CHECK_CLASS(MPI_Win_post(MPI_GROUP_NULL, 0, w->win), MPI_ERR_GROUP);
    CHECK_MPI(MPI_Win_post(MPI_GROUP_EMPTY, 0, w->win));
    CHECK_MPI(MPI_Win_wait(w->win));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    static const enum memory kinds[] = {ALLOCATED, PRIVATE, ALLOC_MEM, DYNAMIC};
    const int rounds = argc > 1 ? atoi(argv[1]) : 60;

    check_init(&argc, &argv);
    CHECK(np <= MOST);
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int i = 0; i < GROUPS; i++)
        known[i].group = MPI_GROUP_NULL;
    state = 88172645463325252u + (unsigned)np;
    for (int k = 0; k < 4; k++) {
        struct window w = window_open(kinds[k], (1 + np * OWN) * (MPI_Aint)sizeof(int64_t));
        int fenced = 0;
        memset(model, 0, sizeof model);
        freed(&w);
        for (int i = 0; i < rounds; i++) {
            change_own(&w);
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            if (chance(3) == 0) {
                fence(&w, !fenced || chance(2) == 0);
                fenced = 1;
            } else {
                post(&w);
                fenced = 0;
            }
        }
        window_close(&w);
    }
    for (int i = 0; i < GROUPS; i++)
        if (known[i].group != MPI_GROUP_NULL)
            CHECK_MPI(MPI_Group_free(&known[i].group));
    CHECK_MPI(MPI_Group_free(&world));
    return check_finish();
}
