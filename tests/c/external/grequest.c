/*
 * Generalized requests: which of the program's functions are called when and in what order, their errors,
 * cancelling, freeing ahead of the end, and completion together with other requests.
 */
#include "check.h"

struct work {
    int queried, freed, cancelled, complete; /* how often; the last `complete` of a cancel */
    int query_code, free_code, cancel_code;
    int elements, source, tag;
    int order, query_at, free_at;
    MPI_Request finish; /* what the cancel function completes */
};

static int query(void *extra, MPI_Status *st)
{
    struct work *w = extra;
    w->queried++;
    w->query_at = ++w->order;
    MPI_Status_set_elements(st, MPI_INT, w->elements);
    MPI_Status_set_cancelled(st, w->cancelled);
    st->MPI_SOURCE = w->source;
    st->MPI_TAG = w->tag;
    return w->query_code;
}

static int release(void *extra)
{
    struct work *w = extra;
    w->freed++;
    w->free_at = ++w->order;
    return w->free_code;
}

static int cancel(void *extra, int complete)
{
    struct work *w = extra;
    w->cancelled++;
    w->complete = complete;
    if (w->finish != MPI_REQUEST_NULL)
        MPI_Grequest_complete(w->finish);
    return w->cancel_code;
}

static struct work fresh(int n)
{
    struct work w;
    memset(&w, 0, sizeof w);
    w.complete = -1;
    w.elements = n;
    w.source = 100 + n;
    w.tag = 200 + n;
    w.finish = MPI_REQUEST_NULL;
    return w;
}

static MPI_Request start(struct work *w)
{
    MPI_Request r = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Grequest_start(query, release, cancel, w, &r));
    CHECK(r != MPI_REQUEST_NULL);
    return r;
}

#define CHECK_CALLS(w, q, f, c)        \
    do {                               \
        CHECK_EQ((w).queried, q);      \
        CHECK_EQ((w).freed, f);        \
        CHECK_EQ((w).cancelled, c);    \
        if ((q) && (f))                \
            CHECK((w).query_at < (w).free_at); \
    } while (0)

static void check_report(const MPI_Status *st, const struct work *w)
{
    CHECK_STATUS(*st, w->source, w->tag);
    CHECK_COUNT(*st, MPI_INT, w->elements);
}

static void single(void)
{
    struct work w = fresh(3);
    MPI_Request r = start(&w), copy = r;
    MPI_Status st;
    int flag = -1;
    CHECK_MPI(MPI_Test(&r, &flag, &st));
    CHECK_EQ(flag, 0);
    CHECK_MPI(MPI_Request_get_status(r, &flag, &st));
    CHECK_EQ(flag, 0);
    CHECK_CALLS(w, 0, 0, 0);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK(r == copy);
    CHECK_CALLS(w, 0, 0, 0);
    CHECK_MPI(MPI_Request_get_status(r, &flag, &st));
    CHECK_EQ(flag, 1);
    check_report(&st, &w);
    CHECK_CALLS(w, 1, 0, 0);
    CHECK_CLASS(MPI_Grequest_complete(r), MPI_ERR_REQUEST);
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK(r == MPI_REQUEST_NULL);
    check_report(&st, &w);
    CHECK_CALLS(w, 2, 1, 0);

    w = fresh(1); /* asked also when nobody wants the answer */
    r = start(&w);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_CALLS(w, 1, 1, 0);
    w = fresh(2);
    r = start(&w);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_MPI(MPI_Test(&r, &flag, &st));
    CHECK_EQ(flag, 1);
    check_report(&st, &w);
    CHECK_CALLS(w, 1, 1, 0);
}

static void freed(void)
{
    struct work w = fresh(1);
    MPI_Request r = start(&w), copy = r;
    CHECK_MPI(MPI_Request_free(&r)); /* ahead of the end */
    CHECK(r == MPI_REQUEST_NULL);
    CHECK_CALLS(w, 0, 0, 0);
    CHECK_MPI(MPI_Grequest_complete(copy));
    CHECK_CALLS(w, 0, 1, 0);
    CHECK_CLASS(MPI_Grequest_complete(copy), MPI_ERR_REQUEST);
    w = fresh(1);
    r = start(&w);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_MPI(MPI_Request_free(&r));
    CHECK(r == MPI_REQUEST_NULL);
    CHECK_CALLS(w, 0, 1, 0);
    w = fresh(1);
    w.free_code = MPI_ERR_NO_SPACE;
    r = start(&w);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_CLASS(MPI_Request_free(&r), MPI_ERR_NO_SPACE);
    CHECK(r == MPI_REQUEST_NULL);
}

static void cancels(void)
{
    struct work w = fresh(1);
    MPI_Request r = start(&w);
    MPI_Status st;
    int flag = -1;
    CHECK_MPI(MPI_Cancel(&r));
    CHECK_CALLS(w, 0, 0, 1);
    CHECK_EQ(w.complete, 0);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_MPI(MPI_Cancel(&r));
    CHECK_EQ(w.complete, 1);
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_MPI(MPI_Test_cancelled(&st, &flag));
    CHECK_EQ(flag, 1);
    CHECK_CALLS(w, 1, 1, 2);
    w = fresh(1); /* the function may end the operation itself */
    r = w.finish = start(&w);
    CHECK_MPI(MPI_Cancel(&r));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_CALLS(w, 1, 1, 1);
    w = fresh(1);
    w.cancel_code = MPI_ERR_OTHER;
    r = start(&w);
    CHECK_CLASS(MPI_Cancel(&r), MPI_ERR_OTHER);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_MPI(MPI_Wait(&r, &st));
}

static void errors(void)
{
    int code, class;
    MPI_Status st, sts[3];
    MPI_Request r, rs[3];
    struct work w = fresh(1), good = fresh(2);
    CHECK_MPI(MPI_Add_error_class(&class));
    CHECK_MPI(MPI_Add_error_code(class, &code));
    w.query_code = code;
    r = start(&w);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_EQ(MPI_Wait(&r, &st), code);
    CHECK(r == MPI_REQUEST_NULL);
    CHECK_CALLS(w, 1, 1, 0);
    w = fresh(1);
    w.query_code = MPI_ERR_OTHER;
    w.free_code = code; /* counts more */
    r = start(&w);
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_EQ(MPI_Wait(&r, &st), code);
    w = fresh(1);
    w.free_code = code;
    rs[0] = start(&good);
    rs[1] = start(&w);
    rs[2] = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Grequest_complete(rs[1]));
    CHECK_MPI(MPI_Grequest_complete(rs[0]));
    CHECK_CLASS(MPI_Waitall(3, rs, sts), MPI_ERR_IN_STATUS);
    CHECK_EQ(sts[0].MPI_ERROR, MPI_SUCCESS);
    CHECK_EQ(sts[1].MPI_ERROR, code);
    check_report(&sts[0], &good);
    check_report(&sts[1], &w);
    CHECK_CALLS(good, 1, 1, 0);
    CHECK_CALLS(w, 1, 1, 0);
    CHECK_CLASS(MPI_Grequest_complete(MPI_REQUEST_NULL), MPI_ERR_REQUEST);
    CHECK_CLASS(MPI_Grequest_start(query, release, cancel, &w, NULL), MPI_ERR_ARG);
    int x;
    CHECK_MPI(MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r));
    CHECK_CLASS(MPI_Grequest_complete(r), MPI_ERR_REQUEST);
    CHECK_MPI(MPI_Cancel(&r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

/* Generalized requests between messages, completed by each call for several requests. */
static void mixed(void)
{
    enum { N = 6 };
    for (int way = 0; way < 4; way++) {
        struct work w[N];
        MPI_Request r[3 * N];
        MPI_Status st[3 * N];
        int in[N], out[N], done = 0, seen[3 * N] = {0};
        for (int i = 0; i < N; i++) {
            w[i] = fresh(i);
            out[i] = me * 100 + i;
            r[3 * i] = start(&w[i]);
            CHECK_MPI(MPI_Irecv(&in[i], 1, MPI_INT, (me + np - 1) % np, i, MPI_COMM_WORLD, &r[3 * i + 1]));
        }
        for (int i = 0; i < N; i++)
            CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, (me + 1) % np, i, MPI_COMM_WORLD, &r[3 * i + 2]));
        for (int i = N; i-- > 0;)
            if (way == 0 || i % 2)
                CHECK_MPI(MPI_Grequest_complete(r[3 * i]));
        if (way == 0) {
            CHECK_MPI(MPI_Waitall(3 * N, r, st));
        }
        while (way > 0 && done < 3 * N) {
            int n = 1, index[3 * N], flag;
            MPI_Status some[3 * N];
            if (done == 3 * N - N / 2) /* what is left is half of the generalized ones */
                for (int i = 0; i < N; i += 2)
                    CHECK_MPI(MPI_Grequest_complete(r[3 * i]));
            if (way == 1) {
                CHECK_MPI(MPI_Waitany(3 * N, r, index, some));
            } else if (way == 2) {
                CHECK_MPI(MPI_Testany(3 * N, r, index, &flag, some));
                n = flag;
            } else {
                CHECK_MPI(MPI_Testsome(3 * N, r, &n, index, some));
            }
            for (int k = 0; k < n; k++) {
                CHECK_EQ(seen[index[k]]++, 0);
                st[index[k]] = some[k];
            }
            done += n;
        }
        for (int i = 0; i < N; i++) {
            check_report(&st[3 * i], &w[i]);
            CHECK_STATUS(st[3 * i + 1], (me + np - 1) % np, i);
            CHECK_EQ(in[i], (me + np - 1) % np * 100 + i);
            CHECK_CALLS(w[i], 1, 1, 0);
        }
        for (int i = 0; i < 3 * N; i++)
            CHECK(r[i] == MPI_REQUEST_NULL);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    single();
    freed();
    cancels();
    errors();
    mixed();
    MPI_Request r; /* functions may be absent */
    CHECK_MPI(MPI_Grequest_start(NULL, NULL, NULL, NULL, &r));
    CHECK_MPI(MPI_Cancel(&r));
    CHECK_MPI(MPI_Grequest_complete(r));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < 20000; i++) { /* nothing is left behind */
        struct work w = fresh(1);
        r = start(&w);
        MPI_Grequest_complete(r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (w.freed != 1)
            CHECK_EQ(w.freed, 1);
    }
    return check_finish();
}
