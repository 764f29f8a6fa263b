// Exceptions of C++ that leave error handlers, as MPI's removed C++ binding threw them: they pass through the library to the
// caller, the locals of the frames between are destroyed, and MPI goes on working. The functions of attribute keys may throw, too.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

int rank, size, failed;
thread_local int destroyed;

struct Failure : std::runtime_error {
    int code;
    Failure(int c, const std::string &text) : std::runtime_error(text), code(c) {}
};

struct Local {
    ~Local() { destroyed++; }
};

void report(MPI_Comm *, int *code, ...)
{
    Local here;
    char text[MPI_MAX_ERROR_STRING];
    int n = 0;
    MPI_Error_string(*code, text, &n);
    throw Failure(*code, std::string(text, n));
}

void check(bool ok, const char *what)
{
    if (ok)
        return;
    std::fprintf(stderr, "rank %d of %d: %s\n", rank, size, what);
    failed = 1;
}

// Whether call() ends with a Failure of that class.
template <class F> bool fails(int want, F call)
{
    int before = destroyed, cls = MPI_SUCCESS;
    try {
        Local between;
        call();
    } catch (const Failure &f) {
        MPI_Error_class(f.code, &cls);
        return cls == want && destroyed == before + 2 && !std::string(f.what()).empty();
    }
    return false;
}

void exchange(MPI_Comm c)
{
    int out = rank, in = -1, sum = -1;
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, c, MPI_STATUS_IGNORE);
    MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, c);
    check(in == (rank + size - 1) % size && sum == size * (size - 1) / 2, "exchange");
}

bool throwing;

int copy(MPI_Comm, int, void *, void *value, void *out, int *flag)
{
    Local here;
    if (throwing)
        throw Failure(MPI_ERR_OTHER, "copy");
    *static_cast<void **>(out) = value;
    *flag = 1;
    return MPI_SUCCESS;
}

int drop(MPI_Comm, int, void *, void *)
{
    Local here;
    if (throwing)
        throw Failure(MPI_ERR_KEYVAL, "delete");
    return MPI_SUCCESS;
}

void attributes(MPI_Comm c)
{
    MPI_Comm d;
    int key;
    MPI_Comm_create_keyval(copy, drop, &key, nullptr);
    MPI_Comm_set_attr(c, key, &key);
    throwing = true;
    check(fails(MPI_ERR_OTHER, [&] { MPI_Comm_dup(c, &d); }), "MPI_Comm_dup");
    check(fails(MPI_ERR_KEYVAL, [&] { MPI_Comm_delete_attr(c, key); }), "MPI_Comm_delete_attr");
    throwing = false;
    MPI_Comm_dup(c, &d);
    exchange(d);
    throwing = true;
    check(fails(MPI_ERR_KEYVAL, [&] { MPI_Comm_free(&d); }), "MPI_Comm_free");
    throwing = false;
    exchange(d);
    MPI_Comm_free(&d);
    MPI_Comm_delete_attr(c, key);
    MPI_Comm_free_keyval(&key);
}

void work(MPI_Comm c)
{
    int v = 0;
    check(fails(MPI_ERR_COUNT, [&] { MPI_Send(&v, -1, MPI_INT, 0, 0, c); }), "MPI_Send");
    check(fails(MPI_ERR_RANK, [&] { MPI_Isend(&v, 1, MPI_INT, size, 0, c, nullptr); }), "MPI_Isend");
    check(fails(MPI_ERR_ROOT, [&] { MPI_Bcast(&v, 1, MPI_INT, -9, c); }), "MPI_Bcast");
    check(fails(MPI_ERR_TAG, [&] { MPI_Comm_call_errhandler(c, MPI_ERR_TAG); }), "MPI_Comm_call_errhandler");
    for (int i = 0; i < 20000; i++) {
        check(fails(MPI_ERR_COUNT, [&] { MPI_Recv(&v, -1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE); }), "MPI_Recv");
        if (i % 5000 == 0)
            exchange(c);
    }
    exchange(c);
}

} // namespace

int main(int argc, char **argv)
{
    int provided;
    MPI_Comm comms[2];
    MPI_Errhandler handler;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_errhandler(report, &handler);
    for (MPI_Comm &c : comms) {
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        MPI_Comm_set_errhandler(c, handler);
    }
    MPI_Errhandler_free(&handler);
    std::thread other(work, comms[1]);
    work(comms[0]);
    other.join();
    attributes(comms[0]);
    for (MPI_Comm &c : comms)
        MPI_Comm_free(&c);
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
}
