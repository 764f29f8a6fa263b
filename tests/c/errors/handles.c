/*
 * What is no handle is taken for none: null handles, handles of another kind, old ones, numbers out of the
 * blue and addresses, in every place where a handle may stand. The right class each time, never a crash.
 */
#include "expect.h"

enum { RANDOM = 400 };

static int b[4];

/* The i-th of a series of values that are no handles: numbers of all widths, addresses, single bits. */
static uint64_t bad_value(int i, uint64_t *state)
{
    static int here;
    switch (i % 8) {
    case 0: return check_random(state) & 0x3fffffff;
    case 1: return check_random(state) & 0xffffffff;
    case 2: return check_random(state);
    case 3: return check_random(state) & 0xfff;
    case 4: return (uint64_t)(uintptr_t)&here + (uint64_t)i;
    case 5: return (uint64_t)-1 - (uint64_t)i;
    case 6: return (uint64_t)1 << (i % 64);
    default: return 4096 + check_below(state, 4096);
    }
}

#define CLASS_OF(call, want, value)                                                                    \
    do {                                                                                               \
        int rc_ = (call), class_ = MPI_SUCCESS;                                                        \
        if (rc_ != MPI_SUCCESS)                                                                        \
            MPI_Error_class(rc_, &class_);                                                             \
        CHECK_MSG(class_ == (want), "%s with handle 0x%llx gave error class %d, want %d", #call,       \
                  (unsigned long long)(value), class_, (want));                                        \
    } while (0)

static void communicators(uint64_t v)
{
    MPI_Comm c = (MPI_Comm)(uintptr_t)v;
    MPI_Request r;
    MPI_Status st;
    int n, flag;
    if (c == MPI_COMM_WORLD || c == MPI_COMM_SELF)
        return;
    CLASS_OF(MPI_Comm_rank(c, &n), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Comm_size(c, &n), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Send(b, 1, MPI_INT, 0, 0, c), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Recv(b, 1, MPI_INT, 0, 0, c, &st), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Isend(b, 1, MPI_INT, 0, 0, c, &r), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Irecv(b, 1, MPI_INT, 0, 0, c, &r), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Iprobe(0, 0, c, &flag, &st), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Barrier(c), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Bcast(b, 1, MPI_INT, 0, c), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Allreduce(b, b + 1, 1, MPI_INT, MPI_SUM, c), MPI_ERR_COMM, v);
    CLASS_OF(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN), MPI_ERR_COMM, v);
}

static void datatypes(uint64_t v)
{
    MPI_Datatype t = (MPI_Datatype)(uintptr_t)v;
    MPI_Request r;
    MPI_Status st;
    int n;
    if (v >= 0x200 && v < 0x300) /* may be a predefined one */
        return;
    CLASS_OF(MPI_Send(b, 1, t, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, v);
    CLASS_OF(MPI_Recv(b, 1, t, 0, 0, MPI_COMM_WORLD, &st), MPI_ERR_TYPE, v);
    CLASS_OF(MPI_Isend(b, 1, t, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_TYPE, v);
    CLASS_OF(MPI_Irecv(b, 1, t, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_TYPE, v);
    CLASS_OF(MPI_Type_size(t, &n), MPI_ERR_TYPE, v);
    CLASS_OF(MPI_Bcast(b, 1, t, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, v);
    CLASS_OF(MPI_Allreduce(b, b + 1, 1, t, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_TYPE, v);
    memset(&st, 0, sizeof st);
    CLASS_OF(MPI_Get_count(&st, t, &n), MPI_ERR_TYPE, v);
}

static void operations(uint64_t v)
{
    MPI_Op o = (MPI_Op)(uintptr_t)v;
    if (v >= 0x20 && v < 0x40)
        return;
    CLASS_OF(MPI_Allreduce(b, b + 1, 1, MPI_INT, o, MPI_COMM_WORLD), MPI_ERR_OP, v);
    CLASS_OF(MPI_Reduce(b, b + 1, 1, MPI_INT, o, 0, MPI_COMM_WORLD), MPI_ERR_OP, v);
}

static void requests(uint64_t v)
{
    MPI_Request r = (MPI_Request)(uintptr_t)v;
    MPI_Status st;
    int flag;
    if (r == MPI_REQUEST_NULL)
        return;
    CLASS_OF(MPI_Wait(&r, &st), MPI_ERR_REQUEST, v);
    CHECK((uint64_t)(uintptr_t)r == v);
    CLASS_OF(MPI_Test(&r, &flag, &st), MPI_ERR_REQUEST, v);
    MPI_Request two[2] = {MPI_REQUEST_NULL, r};
    CLASS_OF(MPI_Waitall(2, two, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST, v);
}

static void handlers(uint64_t v)
{
    MPI_Errhandler h = (MPI_Errhandler)(uintptr_t)v;
    if (v >= 0x140 && v < 0x148)
        return;
    int rc = MPI_Comm_set_errhandler(MPI_COMM_WORLD, h), class = MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        MPI_Error_class(rc, &class);
    /* MPI-4.1 has given this a class of its own; MPI_ERR_ARG is what it was before. */
    CHECK_MSG(class == MPI_ERR_ERRHANDLER || class == MPI_ERR_ARG, "errhandler 0x%llx gave error class %d",
              (unsigned long long)v, class);
}

/* A request that has been waited for is gone; its handle must not find another that came after it. */
static void stale_requests(void)
{
    MPI_Request r, old;
    MPI_Status st;
    int out = 1, in = 0;
    for (int i = 0; i < 200; i++) {
        CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, me, 3, MPI_COMM_WORLD, &r));
        old = r;
        CHECK_MPI(MPI_Send(&out, 1, MPI_INT, me, 3, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK(r == MPI_REQUEST_NULL);
        EXPECT(MPI_Wait(&old, &st), MPI_ERR_REQUEST, "request");

        /* The next request may take the same place, under another name. */
        MPI_Request next;
        CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, me, 4, MPI_COMM_WORLD, &next));
        CHECK(next != old);
        EXPECT(MPI_Wait(&old, &st), MPI_ERR_REQUEST, "request");
        CHECK_MPI(MPI_Send(&out, 1, MPI_INT, me, 4, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&next, MPI_STATUS_IGNORE));
    }
}

static void nothing(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

/* An error handler that nobody has any more. */
static void freed_handler(void)
{
    MPI_Errhandler h, old;
    CHECK_MPI(MPI_Comm_create_errhandler(nothing, &h));
    old = h;
    CHECK_MPI(MPI_Errhandler_free(&h));
    handlers((uint64_t)(uintptr_t)old);
    CHECK_MPI(MPI_Comm_create_errhandler(nothing, &h));
    CHECK(h != old);
    handlers((uint64_t)(uintptr_t)old);
    CHECK(MPI_Errhandler_free(&old) != MPI_SUCCESS);
    CHECK_MPI(MPI_Errhandler_free(&h));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));

    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 99;
    static const uint64_t fixed[] = {0,     1,     2,     0x20,  0x21,  0x100, 0x101,
                                     0x108, 0x110, 0x118, 0x120, 0x128, 0x130, 0x140,
                                     0x143, 0x180, 0x200, 0x209, 0x247, 0xfff, 0x1000};
    for (size_t i = 0; i < RANDOM + sizeof fixed / sizeof fixed[0]; i++) {
        uint64_t v = i < RANDOM ? bad_value((int)i, &state) : fixed[i - RANDOM];
        communicators(v);
        datatypes(v);
        operations(v);
        requests(v);
        handlers(v);
    }
    stale_requests();
    freed_handler();

    int sum = -1;
    CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, np * (np - 1) / 2);
    return check_finish();
}
