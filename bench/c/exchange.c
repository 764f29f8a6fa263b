/* exchange.c - microseconds of exchanges between two ranks as programs write them, each
 * with buffers of its own for what goes and what comes.
 *
 *   mpiexec -n 2 ./exchange <milliseconds per batch> <seconds> <kind> <bytes>...
 *
 * The kinds are these. roundtrip: a message to and one fro. isends: 64 messages by
 * MPI_Isend, and MPI_Waitall. ring: each rank sends to the next and receives from the
 * one before, by MPI_Sendrecv. bothways: MPI_Irecv, MPI_Isend and MPI_Waitall at both.
 * faces, without bytes: a round trip of a face of a cube of 64 x 64 x 64 doubles, a
 * subarray of it.
 */
#include "bench.h"

enum { MESSAGES = 64, MOST = 16 << 20, SIDE = 64 };

static char *out, *in;
static int bytes, other, messages = 1;

static void round_trip(long n)
{
    for (long i = 0; i < n; i++) {
        if (rank == 0)
            MUST(MPI_Send(out, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD));
        MUST(MPI_Recv(in, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == 1)
            MUST(MPI_Send(out, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD));
    }
}

static void isends(long n)
{
    MPI_Request requests[MESSAGES];

    for (long i = 0; i < n; i++) {
        for (int m = 0; m < MESSAGES; m++) {
            const size_t at = (size_t)m * (size_t)bytes;
            if (rank == 0)
                MUST(MPI_Isend(out + at, bytes, MPI_BYTE, other, m, MPI_COMM_WORLD, &requests[m]));
            else
                MUST(MPI_Irecv(in + at, bytes, MPI_BYTE, other, m, MPI_COMM_WORLD, &requests[m]));
        }
        MUST(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    }
}

static void ring(long n)
{
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;

    for (long i = 0; i < n; i++)
        MUST(MPI_Sendrecv(out, bytes, MPI_BYTE, next, 1, in, bytes, MPI_BYTE, last, 1, MPI_COMM_WORLD,
                          MPI_STATUS_IGNORE));
}

static void both_ways(long n)
{
    MPI_Request requests[2];

    for (long i = 0; i < n; i++) {
        MUST(MPI_Irecv(in, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[0]));
        MUST(MPI_Isend(out, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[1]));
        MUST(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
}

static char pattern(int sender, size_t i)
{
    return (char)(i * 7 + i / 1021 + (size_t)sender * 101 + 3);
}

static void measure(const char *name, void (*exchange)(long))
{
    const size_t all = (size_t)bytes * (size_t)messages;

    out = buffer(all);
    in = buffer(all);
    for (size_t i = 0; i < all; i++)
        out[i] = pattern(rank, i);
    ATTEMPT(name) {
        double seconds = seconds_each(exchange);
        memset(in, 0, all);
        exchange(1);
        for (size_t i = 0; (rank == 1 || exchange != isends) && i < all; i++)
            if (in[i] != pattern(other, i))
                fail("a message carried other bytes than were sent");
        result(bytes, seconds * 1e6);
    }
    free(out);
    free(in);
}

static double (*cube)[SIDE][SIDE];
static MPI_Datatype leaves, comes; /* the inner layer that is sent, the halo that is received */

static void face_round_trip(long n)
{
    for (long i = 0; i < n; i++) {
        if (rank == 0)
            MUST(MPI_Send(cube, 1, leaves, other, 1, MPI_COMM_WORLD));
        MUST(MPI_Recv(cube, 1, comes, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == 1)
            MUST(MPI_Send(cube, 1, leaves, other, 1, MPI_COMM_WORLD));
    }
}

static double point(int of, long x, long y, long z)
{
    return (double)(((of * SIDE + x) * SIDE + y) * SIDE + z);
}

/* The halo must be the other cube's inner layer, and nothing else may have changed. */
static void verify_face(int fixed)
{
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int z = 0; z < SIDE; z++) {
                const int place[3] = {x, y, z};
                double want = point(rank, x, y, z);
                if (place[fixed] == 0)
                    want = point(other, fixed == 0 ? 1 : x, fixed == 1 ? 1 : y, fixed == 2 ? 1 : z);
                if (cube[x][y][z] != want)
                    fail("the cube has other values than were sent");
            }
}

static void measure_face(const char *name, int fixed)
{
    const int sizes[3] = {SIDE, SIDE, SIDE};
    int layer[3] = {SIDE, SIDE, SIDE}, starts[3] = {0, 0, 0};

    cube = buffer(sizeof(double) * SIDE * SIDE * SIDE);
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int z = 0; z < SIDE; z++)
                cube[x][y][z] = point(rank, x, y, z);
    layer[fixed] = 1;
    ATTEMPT(name) {
        MUST(MPI_Type_create_subarray(3, sizes, layer, starts, MPI_ORDER_C, MPI_DOUBLE, &comes));
        starts[fixed] = 1;
        MUST(MPI_Type_create_subarray(3, sizes, layer, starts, MPI_ORDER_C, MPI_DOUBLE, &leaves));
        MUST(MPI_Type_commit(&comes));
        MUST(MPI_Type_commit(&leaves));
        double seconds = seconds_each(face_round_trip);
        verify_face(fixed);
        result(SIDE * SIDE * (long)sizeof(double), seconds * 1e6);
        MUST(MPI_Type_free(&comes));
        MUST(MPI_Type_free(&leaves));
    }
    free(cube);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *kind, *name;
        void (*exchange)(long);
    } kinds[] = {
        {"roundtrip", "round trip", round_trip},
        {"isends", "64 x MPI_Isend", isends},
        {"ring", "ring by MPI_Sendrecv", ring},
        {"bothways", "both ways", both_ways},
    };

    bench_start(&argc, &argv);
    if (size != 2)
        fail("exchange needs 2 ranks");
    other = 1 - rank;
    const char *kind = argc > 3 ? argv[3] : "";
    if (strcmp(kind, "faces") == 0) {
        measure_face("face of whole rows, round trip", 1);
        measure_face("face of single doubles, round trip", 2);
        MPI_Finalize();
        return 0;
    }
    int known = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(kind, kinds[k].kind) != 0)
            continue;
        known = 1;
        messages = kinds[k].exchange == isends ? MESSAGES : 1;
        for (int i = 4; i < argc && time_left(); i++) {
            bytes = (int)argument(argc, argv, i, 1, MOST / messages);
            measure(kinds[k].name, kinds[k].exchange);
        }
    }
    if (!known)
        fail("argument 3 must be roundtrip, isends, ring, bothways or faces");
    MPI_Finalize();
    return 0;
}
