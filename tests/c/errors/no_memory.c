/*
 * Operations that need memory of the library's, where addresses are limited (RLIMIT_AS, as by ulimit -v):
 * each gives MPI_ERR_NO_MEM, and MPI works afterwards. Counts of 2^31 and 2^40 in the _c functions and lists
 * that end where no memory is give the class that says so. No argument makes the Go runtime end the process.
 */
#include "expect.h"
#include <limits.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { MANY = 1 << 30 }; /* bytes; more than the limit leaves */

static char *huge; /* that many bytes, of which none is memory before it is touched */

/* Leaves some addresses, but not for as much as the operations need. */
static void limit_addresses(void)
{
    struct rlimit limit;
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f != NULL && fscanf(f, "%ld", &pages) == 1);
    fclose(f);
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = (rlim_t)pages * 4096 + (400u << 20);
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

static void works(void)
{
    int sum = 0, one = 1;
    MPI_Request r;
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, np);
    int to = (me + 1) % np, from = (me + np - 1) % np, got = -1;
    CHECK_MPI(MPI_Irecv(&got, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Send(&me, 1, MPI_INT, to, 1, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_EQ(got, from);
}

#define REFUSED(call)                                                                                  \
    do {                                                                                               \
        EXPECT(call, MPI_ERR_NO_MEM, "bytes");                                                         \
        works();                                                                                       \
    } while (0)

static void collectives(MPI_Datatype gaps)
{
    MPI_Request r;
    MPI_Count counts[8];
    MPI_Count each = MANY / np, pieces = MANY / np / 8;
    MPI_Aint places[8];
    MPI_Datatype types[8];
    for (int i = 0; i < np; i++) {
        counts[i] = each;
        places[i] = i * each;
        types[i] = MPI_BYTE;
    }
    REFUSED(MPI_Ialltoall_c(MPI_IN_PLACE, each, MPI_BYTE, huge, each, MPI_BYTE, MPI_COMM_WORLD, &r));
    REFUSED(MPI_Ialltoallv_c(MPI_IN_PLACE, NULL, NULL, MPI_BYTE, huge, counts, places, MPI_BYTE,
                             MPI_COMM_WORLD, &r));
    REFUSED(
        MPI_Ialltoallw_c(MPI_IN_PLACE, NULL, NULL, NULL, huge, counts, places, types, MPI_COMM_WORLD, &r));
    REFUSED(MPI_Alltoall_init_c(MPI_IN_PLACE, each, MPI_BYTE, huge, each, MPI_BYTE, MPI_COMM_WORLD,
                                MPI_INFO_NULL, &r));
    REFUSED(MPI_Ireduce_scatter_block_c(MPI_IN_PLACE, huge, each, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD, &r));
    if (np > 1)
        REFUSED(MPI_Iallreduce_c(MPI_IN_PLACE, huge, MANY, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD, &r));
    REFUSED(MPI_Ialltoall_c(MPI_IN_PLACE, pieces, gaps, huge, pieces, gaps, MPI_COMM_WORLD, &r));
}

static void messages(void)
{
    MPI_Request r;
    MPI_Status st;
    REFUSED(MPI_Sendrecv_replace_c(huge, MANY, MPI_BYTE, (me + 1) % np, 3, (me + np - 1) % np, 3,
                                   MPI_COMM_WORLD, &st));
    REFUSED(MPI_Isendrecv_replace_c(huge, MANY, MPI_BYTE, (me + 1) % np, 3, (me + np - 1) % np, 3,
                                    MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Buffer_attach_c(MPI_BUFFER_AUTOMATIC, 0));
    REFUSED(MPI_Bsend_c(huge, MANY, MPI_BYTE, me, 3, MPI_COMM_WORLD));
    REFUSED(MPI_Ibsend_c(huge, MANY, MPI_BYTE, (me + 1) % np, 3, MPI_COMM_WORLD, &r));
    void *back;
    MPI_Count size;
    CHECK_MPI(MPI_Buffer_detach_c(&back, &size));
    REFUSED(MPI_Send_c(huge, MANY, MPI_BYTE, me, 3, MPI_COMM_WORLD));
    REFUSED(MPI_Precv_init(huge, MANY, 1, MPI_BYTE, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
}

/* Lists that are there, but for which the library has no memory. */
static void lists(void)
{
    MPI_Datatype t;
    MPI_Group g, h;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &g));
    REFUSED(MPI_Type_indexed(MANY / 4, (int *)huge, (int *)huge, MPI_INT, &t));
    REFUSED(MPI_Type_create_hindexed_block(MANY / 8, 1, (MPI_Aint *)huge, MPI_INT, &t));
    REFUSED(
        MPI_Type_create_struct_c(MANY / 8, (MPI_Count *)huge, (MPI_Count *)huge, (MPI_Datatype *)huge, &t));
    REFUSED(MPI_Group_incl(g, MANY / 4, (int *)huge, &h));
    REFUSED(MPI_Waitall(MANY / 8, (MPI_Request *)huge, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Group_free(&g));
}

/* Counts beyond all memory. */
static void counts(MPI_Datatype large)
{
    static const MPI_Count many[] = {(MPI_Count)1 << 31, (MPI_Count)1 << 40};
    static int small[64];
    static MPI_Count wide[64];
    static MPI_Datatype types[64];
    MPI_Request r;
    MPI_Datatype t;
    MPI_Count size, position = 0;
    for (int i = 0; i < 2; i++) {
        MPI_Count n = many[i];
        EXPECT(MPI_Send_c(small, n, large, (me + 1) % np, 1, MPI_COMM_WORLD), MPI_ERR_COUNT, "count");
        EXPECT(MPI_Recv_c(small, n, large, (me + 1) % np, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
               MPI_ERR_COUNT, "count");
        EXPECT(MPI_Isend_c(small, n, MPI_INT, (me + 1) % np, 1, MPI_COMM_WORLD, &r), MPI_ERR_BUFFER, "buf");
        EXPECT(MPI_Bcast_c(small, n, large, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "count");
        EXPECT(MPI_Ibcast_c(small, n, large, 0, MPI_COMM_WORLD, &r), MPI_ERR_COUNT, "count");
        EXPECT(MPI_Allreduce_c(small, small + 32, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER, "sendbuf");
        EXPECT(MPI_Alltoall_c(MPI_IN_PLACE, 0, MPI_INT, small, n, large, MPI_COMM_WORLD), MPI_ERR_COUNT, "recvcount");
        EXPECT(MPI_Pack_c(small, n, large, small, 8, &position, MPI_COMM_WORLD), MPI_ERR_COUNT, "count");
        EXPECT(MPI_Pack_size_c(n << 20, large, MPI_COMM_WORLD, &size), MPI_ERR_COUNT, "incount");
        EXPECT(MPI_Pack_external_size_c("external32", n << 20, large, &size), MPI_ERR_COUNT, "incount");
        EXPECT(MPI_Type_indexed_c(n, wide, wide, MPI_INT, &t), MPI_ERR_ARG, "array_of_blocklengths");
        EXPECT(MPI_Type_create_struct_c(n, wide, wide, types, &t), MPI_ERR_ARG, "array_of_blocklengths");
        EXPECT(MPI_Type_create_hindexed_block_c(n, 1, wide, MPI_INT, &t), MPI_ERR_ARG, "array_of_displacements");
        EXPECT(
            MPI_Psend_init_c(small, 1 << 30, n, large, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r),
            MPI_ERR_COUNT, "elements");
        works();
    }
    EXPECT(MPI_Type_create_hindexed_block_c((MPI_Count)1 << 60, 1, wide, MPI_INT, &t), MPI_ERR_COUNT, "array_of_displacements");
    EXPECT(MPI_Type_indexed(INT_MAX, small, small, MPI_INT, &t), MPI_ERR_ARG, "array_of_blocklengths");
    EXPECT(MPI_Waitall(INT_MAX, (MPI_Request *)types, MPI_STATUSES_IGNORE), MPI_ERR_ARG, "array_of_requests");
    works();
}

int main(int argc, char **argv)
{
    MPI_Datatype gaps, large;
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Type_vector(2, 4, 8, MPI_BYTE, &gaps));
    CHECK_MPI(MPI_Type_commit(&gaps));
    CHECK_MPI(MPI_Type_contiguous_c((MPI_Count)1 << 31, MPI_BYTE, &large));
    CHECK_MPI(MPI_Type_commit(&large));
    huge = mmap(NULL, (size_t)MANY + 4096, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(huge != MAP_FAILED);
    works();
    counts(large);
    limit_addresses();
    collectives(gaps);
    messages();
    lists();
    CHECK_MPI(MPI_Type_free(&gaps));
    CHECK_MPI(MPI_Type_free(&large));
    return check_finish();
}
