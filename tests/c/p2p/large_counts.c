/*
 * Messages over 2 GiB: by an int count of 8-byte elements, and (with a large-count MPI) by an MPI_Count of
 * bytes. Each word of the data is another one, so a piece that goes to the wrong place shows.
 */
#include "check.h"

static const size_t limit_bytes = ((size_t)1 << 31) + 24;

static long available_kb(void)
{
    char line[256];
    long kb = -1;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "MemAvailable: %ld kB", &kb) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kb;
}

/* The k-th word of the data; cheap, because there are 268 million. */
static uint64_t word(size_t k, uint64_t seed) { return (k + seed) * UINT64_C(0x9e3779b97f4a7c15); }

static void fill_words(uint64_t *p, size_t n, uint64_t seed)
{
    for (size_t k = 0; k < n; k++)
        p[k] = word(k, seed);
}

static void check_words(const uint64_t *p, size_t n, uint64_t seed)
{
    for (size_t k = 0; k < n; k++)
        if (p[k] != word(k, seed)) {
            CHECK_MSG(0, "word %zu of %zu is wrong", k, n);
            return;
        }
    CHECK(1);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int enough = available_kb() > 6L * 1024 * 1024, all = 0;
    CHECK_MPI(MPI_Allreduce(&enough, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    if (!all)
        check_skip("less than 6 GB of memory are available");
    if (np != 2)
        check_skip("this is for two ranks");

    size_t n = limit_bytes / 8;
    uint64_t *b = malloc(limit_bytes + 64);
    MPI_Status st;
    CHECK(b != NULL);
    if (b == NULL)
        check_give_up();
    memset((char *)b + limit_bytes, CHECK_GUARD_BYTE, 64);

    if (me == 0) {
        fill_words(b, n, 1);
        CHECK_MPI(MPI_Send(b, (int)n, MPI_INT64_T, 1, 1, MPI_COMM_WORLD));
        check_words(b, n, 1);
    } else {
        MPI_Request r;
        CHECK_MPI(MPI_Irecv(b, (int)n, MPI_INT64_T, 0, 1, MPI_COMM_WORLD, &r));
        CHECK_MPI(MPI_Wait(&r, &st));
        CHECK_STATUS(st, 0, 1);
        CHECK_COUNT(st, MPI_INT64_T, (int)n);
        CHECK_COUNT(st, MPI_BYTE, MPI_UNDEFINED); /* more than an int can say */
        check_words(b, n, 1);
    }
#if MPI_VERSION >= 4
    MPI_Count bytes = (MPI_Count)limit_bytes - 5, got = -1;
    if (me == 0) {
        CHECK_MPI(MPI_Send_c(b, bytes, MPI_BYTE, 1, 2, MPI_COMM_WORLD));
    } else {
        memset(b, 0, limit_bytes);
        CHECK_MPI(MPI_Recv_c(b, bytes + 3, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &st));
        CHECK_MPI(MPI_Get_count_c(&st, MPI_BYTE, &got));
        CHECK_EQ(got, bytes);
        check_words(b, (size_t)bytes / 8, 1);
        size_t where;
        CHECK(check_all_bytes((char *)b + bytes, 5, 0, &where));
    }
#endif
    size_t where = 0;
    CHECK(check_all_bytes((char *)b + limit_bytes, 64, CHECK_GUARD_BYTE, &where));
    free(b);
    return check_finish();
}
