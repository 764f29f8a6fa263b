/*
 * Random work for a given time (arguments: seconds, seed) on communicators whose ranks are killed from
 * outside. Each round has messages, collectives and windows, derived from the seed, the round, and how many
 * ranks there are. All ranks agree on whether it went well, and repeat it without the dead if not. What it
 * yields is independent of the number of ranks, so each rank can compute the right answer alone in the end.
 */
#include "recovery.h"

enum { ITEMS = 256, NEAR = 3, LONGEST = 100000 };

static uint64_t seed;
static uint64_t messages, bytes; /* that have come */

static uint64_t item(uint64_t round, int i) { return check_mix(seed ^ check_mix(round << 10 | (uint64_t)i)); }

/* What a round yields. */
static uint64_t answer(uint64_t round)
{
    uint64_t sum = 0;

    for (int i = 0; i < ITEMS; i++)
        sum += item(round, i);
    return sum;
}

/* Waits for all requests. After a failure it revokes c, so that those end that the dead do not concern. */
static int finish(MPI_Comm c, int n, MPI_Request *r)
{
    int rc = MPI_Waitall(n, r, MPI_STATUSES_IGNORE);

    if (rc != MPI_SUCCESS)
        MPIX_Comm_revoke(c);
    for (int i = 0; rc != MPI_SUCCESS && i < n; i++)
        if (r[i] != MPI_REQUEST_NULL) {
            int one = MPI_Wait(&r[i], MPI_STATUS_IGNORE), class = error_class(one);
            CHECK_MSG(one == MPI_SUCCESS || class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_REVOKED,
                      "request %d of %d ends with class %d", i, n, class);
        }
    return rc == MPI_SUCCESS ? rc : MPIX_ERR_PROC_FAILED;
}

/* How much rank `from` sends to the one at a distance, and with which contents. */
static int length(uint64_t round, int from, int distance, uint64_t *contents)
{
    *contents = check_mix(seed + round * 64 + (uint64_t)(from * NEAR + distance));
    return (int)(*contents % (*contents & 1 << 20 ? LONGEST : 500));
}

static int exchange(MPI_Comm c, int rank, int size, uint64_t round)
{
    MPI_Request r[2 * NEAR];
    unsigned char *out[NEAR], *in[NEAR];
    uint64_t contents;
    int n = 0, rc = MPI_SUCCESS, far = size - 1 < NEAR ? size - 1 : NEAR;

    for (int d = 1; d <= far; d++) {
        int from = (rank + size - d) % size, len = length(round, from, d, &contents);

        in[d - 1] = check_alloc(LONGEST);
        out[d - 1] = check_alloc(LONGEST);
        if (rc == MPI_SUCCESS)
            rc = MPI_Irecv(in[d - 1], len, MPI_BYTE, d % 2 ? from : MPI_ANY_SOURCE, d, c, &r[n]);
        n += rc == MPI_SUCCESS;
        len = length(round, rank, d, &contents);
        check_fill(out[d - 1], len, contents);
        if (rc == MPI_SUCCESS)
            rc = MPI_Isend(out[d - 1], len, MPI_BYTE, (rank + d) % size, d, c, &r[n]);
        n += rc == MPI_SUCCESS;
    }
    if (rc != MPI_SUCCESS)
        MPIX_Comm_revoke(c);
    int rest = finish(c, n, r);
    if (rc == MPI_SUCCESS)
        rc = rest;
    for (int d = 1; d <= far; d++) {
        int len = length(round, (rank + size - d) % size, d, &contents);
        if (rc == MPI_SUCCESS) {
            CHECK_DATA(in[d - 1], len, contents);
            CHECK_FRESH(in[d - 1], len, LONGEST - len);
            messages++;
            bytes += (uint64_t)len;
        }
        check_free(in[d - 1]);
        check_free(out[d - 1]);
    }
    return rc;
}

/* Each rank adds its items to all, by one of several ways. */
static int collect(MPI_Comm c, int rank, int size, uint64_t round, uint64_t *result)
{
    uint64_t mine = 0, all[64], parts[64];
    MPI_Request r;
    MPI_Win w;
    uint64_t *cell;
    int rc;

    for (int i = rank; i < ITEMS; i += size)
        mine += item(round, i);
    *result = 0;
    switch (item(round, ITEMS) % 6) {
    case 0: return MPI_Allreduce(&mine, result, 1, MPI_UINT64_T, MPI_SUM, c);
    case 1:
        rc = MPI_Reduce(&mine, result, 1, MPI_UINT64_T, MPI_SUM, size - 1, c);
        return rc == MPI_SUCCESS ? MPI_Bcast(result, 1, MPI_UINT64_T, size - 1, c) : rc;
    case 2:
        rc = MPI_Iallgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, c, &r);
        if (rc == MPI_SUCCESS)
            rc = finish(c, 1, &r);
        break;
    case 3:
        for (int i = 0; i < size; i++)
            parts[i] = mine;
        rc = MPI_Alltoall(parts, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, c);
        break;
    case 4:
        rc = MPI_Scan(&mine, all, 1, MPI_UINT64_T, MPI_SUM, c);
        *result = all[0];
        return rc == MPI_SUCCESS ? MPI_Bcast(result, 1, MPI_UINT64_T, size - 1, c) : rc;
    default:
        rc = MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, c, &cell, &w);
        if (rc != MPI_SUCCESS)
            return rc;
        MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
        *cell = 0;
        rc = MPI_Win_fence(0, w);
        for (int i = 0; rc == MPI_SUCCESS && i < size; i++)
            rc = MPI_Accumulate(&mine, 1, MPI_UINT64_T, i, 0, 1, MPI_UINT64_T, MPI_SUM, w);
        if (rc == MPI_SUCCESS)
            rc = MPI_Win_fence(0, w);
        *result = *cell;
        MPI_Win_free(&w);
        return rc;
    }
    for (int i = 0; rc == MPI_SUCCESS && i < size; i++)
        *result += all[i];
    return rc;
}

/* One round of all ranks of c. */
static int work(MPI_Comm c, uint64_t round, uint64_t *result)
{
    MPI_Comm part = c;
    int rank, size, rc = MPI_SUCCESS, split = item(round, ITEMS + 1) % 4 == 0;

    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    if (split) { /* backwards */
        rc = MPI_Comm_split(c, 0, -rank, &part);
        if (rc != MPI_SUCCESS)
            return rc;
        MPI_Comm_rank(part, &rank);
    }
    rc = exchange(part, rank, size, round);
    if (rc == MPI_SUCCESS)
        rc = collect(part, rank, size, round, result);
    if (split) {
        if (rc != MPI_SUCCESS)
            MPIX_Comm_revoke(part);
        MPI_Comm_free(&part);
    }
    return rc;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1;
    uint64_t round = 0, sum = 0, want = 0, result;
    MPI_Comm c, rest;
    int repeated = 0;

    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    recovery_begin(&argc, &argv);
    int rc = MPI_Comm_dup(MPI_COMM_WORLD, &c);
    CHECK_MPI(rc);
    if (rc == MPI_SUCCESS)
        rc = MPI_Barrier(c);
    CHECK_MPI(rc);
    if (me == 0) {
        printf("begun\n"); /* from now on ranks may be killed */
        fflush(stdout);
    }
    double deadline = MPI_Wtime() + seconds;
    for (int outcome = 2; outcome & 2;) {
        rc = work(c, round, &result);
        if (rc != MPI_SUCCESS) {
            CHECK_MSG(error_class(rc) == MPIX_ERR_PROC_FAILED || error_class(rc) == MPIX_ERR_REVOKED,
                      "seed %" PRIu64 ", round %" PRIu64 ": class %d", seed, round, error_class(rc));
            MPIX_Comm_revoke(c);
        }
        outcome = (rc == MPI_SUCCESS ? 1 : 0) | (MPI_Wtime() < deadline ? 2 : 0);
        MPIX_Comm_agree(c, &outcome);
        if (outcome & 1) {
            sum += result;
            round++;
        } else {
            repeated++;
            CHECK_MPI(MPIX_Comm_shrink(c, &rest));
            MPI_Comm_free(&c);
            c = rest;
        }
    }
    MPI_Comm_free(&c);
    for (uint64_t i = 0; i < round; i++)
        want += answer(i);
    CHECK_MSG(sum == want, "seed %" PRIu64 ": the answer of %" PRIu64 " rounds is wrong", seed, round);
    MPI_Finalize();
    if (check_failed == 0)
        printf("rank %d: %" PRIu64 " rounds, %d repeated, %" PRIu64 " messages of %" PRIu64 " bytes\n", me, round,
               repeated, messages, bytes);
    return check_failed != 0;
}
