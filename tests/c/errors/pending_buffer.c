/*
 * A nonblocking collective operation under way whose buffer is no memory any more on rank 0. That is an error
 * of its request, and of no other call, whichever call finds it. The other ranks get what they wait for, or
 * are told (MPI_ERR_OTHER) where a message of it would have come out of that buffer. Later operations go
 * well. Argument 1: how many elements a block has; 1 goes without messages on one host.
 */
#include "check.h"
#include <sys/mman.h>
#include <unistd.h>

enum { KINDS = 7 };

static char *begin(int kind, int n, int *out, int *in, MPI_Comm ring, MPI_Request *r)
{
    switch (kind) {
    case 0: CHECK_MPI(MPI_Ialltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD, r)); return "alltoall";
    case 1: CHECK_MPI(MPI_Iallgather(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD, r)); return "allgather";
    case 2:
        CHECK_MPI(MPI_Ineighbor_alltoall(out, n, MPI_INT, in, n, MPI_INT, ring, r));
        return "neighbor_alltoall";
    case 3: CHECK_MPI(MPI_Iallreduce(out, in, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, r)); return "allreduce";
    case 4: CHECK_MPI(MPI_Ireduce(out, in, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, r)); return "reduce";
    case 5: CHECK_MPI(MPI_Ibcast(me == np - 1 ? out : in, n, MPI_INT, np - 1, MPI_COMM_WORLD, r)); return "bcast";
    default: CHECK_MPI(MPI_Iscatter(out, n, MPI_INT, in, n, MPI_INT, np - 1, MPI_COMM_WORLD, r)); return "scatter";
    }
}

/* Ranks pass on in a receive buffer what they have received or combined. */
static int passes_on(int kind) { return kind == 1 || kind == 3 || kind == 4; }

int main(int argc, char **argv)
{
    int dims[1] = {0}, periods[1] = {1};
    MPI_Comm ring, quiet;
    check_init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 1;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)n * (size_t)(np + 2) * sizeof(int),
           room = (bytes + page - 1) / page * page;
    dims[0] = np;
    MPI_Comm host;
    int near;
    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
    MPI_Comm_size(host, &near);
    near = near == np;
    CHECK_MPI(MPI_Comm_free(&host));
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &quiet));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    int *out = check_alloc(room), *good = check_alloc(room);
    memset(out, 0, room);
    for (int kind = 0; kind < KINDS; kind++) {
        int x = 0, sum, bad = me == 0;
        MPI_Request r;
        int *in = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char *name = "";
        CHECK(in != MAP_FAILED);
        if (bad) {
            name = begin(kind, n, out, in, ring, &r);
            CHECK_EQ(mprotect(in, room, PROT_NONE), 0); /* not unmapped: others would get the addresses */
        }
        CHECK_MPI(MPI_Bcast(&x, 1, MPI_INT, 0, quiet)); /* the others come behind */
        if (!bad)
            name = begin(kind, n, out, in, ring, &r);
        for (int i = 0; i < 3; i++) {
            CHECK_MPI(MPI_Barrier(quiet));
            CHECK_MPI(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, quiet));
            CHECK_EQ(sum, np * (np - 1) / 2);
        }
        int rc = MPI_Wait(&r, MPI_STATUS_IGNORE), class = MPI_SUCCESS;
        if (rc != MPI_SUCCESS)
            MPI_Error_class(rc, &class);
        int told = !bad && (!near || (n > 1 && passes_on(kind))) && class == MPI_ERR_OTHER;
        CHECK_MSG(told || class == (bad ? MPI_ERR_BUFFER : MPI_SUCCESS), "%s gives class %d", name, class);
        begin(kind, n, out, good, ring, &r);
        CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
        munmap(in, room);
    }
    check_free(out);
    check_free(good);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&quiet);
    return check_finish();
}
