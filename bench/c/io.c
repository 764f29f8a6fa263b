/* io.c - throughput of file access in megabytes (10^6 bytes) per second of all
 * ranks together; what the system's page cache holds is not written to a disk first.
 *
 *   mpiexec -n 4 ./io <milliseconds per batch> <seconds> <file> <bytes>...
 *
 * The bytes are those that each rank reads or writes in one call. contiguous: by
 * explicit offsets. strided: through a view in which blocks of 512 bytes of the ranks
 * alternate, each rank by itself; collective: the same, all ranks together. shared:
 * through the shared file pointer. ordered: through it, in the order of the ranks.
 */
#include "bench.h"
#include <unistd.h>

enum { MOST = 64 << 20, BLOCK = 512 };

static MPI_File file;
static MPI_Datatype view;
static char *data;
static int bytes;

static void write_contiguous(void)
{
    MUST(MPI_File_write_at(file, (MPI_Offset)rank * bytes, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void read_contiguous(void)
{
    MUST(MPI_File_read_at(file, (MPI_Offset)rank * bytes, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

/* Offsets count bytes that the view shows. */
static void write_strided(void)
{
    MUST(MPI_File_write_at(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void read_strided(void)
{
    MUST(MPI_File_read_at(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void write_collective(void)
{
    MUST(MPI_File_write_at_all(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void read_collective(void)
{
    MUST(MPI_File_read_at_all(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

/* The shared pointer goes back to the start before each call, so that the file
 * does not grow; that is collective and belongs to the time. */
static void write_shared(void)
{
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_write_shared(file, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void write_ordered(void)
{
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_write_ordered(file, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void read_ordered(void)
{
    MUST(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered(file, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
}

enum layout { WHOLE, STRIDED, ANY_ORDER };

static const struct operation {
    const char *name;
    void (*once)(void);
    int reads;
    enum layout layout;
} operations[] = {
    {"write, contiguous", write_contiguous, 0, WHOLE},
    {"read, contiguous", read_contiguous, 1, WHOLE},
    {"write, strided", write_strided, 0, STRIDED},
    {"read, strided", read_strided, 1, STRIDED},
    {"write, collective", write_collective, 0, STRIDED},
    {"read, collective", read_collective, 1, STRIDED},
    {"write, shared pointer", write_shared, 0, ANY_ORDER},
    {"write, ordered", write_ordered, 0, WHOLE},
    {"read, ordered", read_ordered, 1, WHOLE},
};

static const struct operation *current;

static void repeat(long times)
{
    for (long i = 0; i < times; i++)
        current->once();
}

/* Which rank's byte stands at an offset of the file, and what it is. */
static char byte_at(enum layout layout, long offset)
{
    const long owner = layout == STRIDED ? offset / BLOCK % size : offset / bytes;

    return (char)(owner + 1);
}

/* The file as it should be, written by one rank without MPI. */
static void prepare(const char *path)
{
    const long all = (long)bytes * size;

    if (rank == 0) {
        char *content = buffer((size_t)all);
        for (long i = 0; i < all; i++)
            content[i] = current->reads ? byte_at(current->layout, i) : 0;
        FILE *f = fopen(path, "wb");
        if (f == NULL || fwrite(content, 1, (size_t)all, f) != (size_t)all || fclose(f) != 0)
            fail("cannot write the file");
        free(content);
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void verify_file(const char *path)
{
    const long all = (long)bytes * size;

    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        char *content = buffer((size_t)all);
        long counted[257] = {0};
        FILE *f = fopen(path, "rb");
        if (f == NULL || fread(content, 1, (size_t)all, f) != (size_t)all || fclose(f) != 0)
            fail("the file is too short");
        for (long i = 0; i < all; i++) {
            counted[(unsigned char)content[i]]++;
            if (current->layout != ANY_ORDER && content[i] != byte_at(current->layout, i))
                fail("the file has other bytes than were written");
        }
        for (int r = 0; r < size; r++)
            if (counted[r + 1] != bytes)
                fail("a rank's bytes are not in the file, or twice");
        free(content);
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void verify_buffer(void)
{
    for (int i = 0; i < bytes; i++)
        if (data[i] != (char)(rank + 1))
            fail("other bytes were read than are in the file");
}

static void measure(const char *path)
{
    prepare(path);
    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    if (current->layout == STRIDED) {
        MUST(MPI_Type_vector(bytes / BLOCK, BLOCK, BLOCK * size, MPI_BYTE, &view));
        MUST(MPI_Type_commit(&view));
        MUST(MPI_File_set_view(file, (MPI_Offset)rank * BLOCK, MPI_BYTE, view, "native", MPI_INFO_NULL));
        MUST(MPI_Type_free(&view));
    }
    data = buffer((size_t)bytes);
    memset(data, current->reads ? 0 : rank + 1, (size_t)bytes);
    double seconds = seconds_each(repeat);
    MUST(MPI_File_close(&file));
    if (current->reads)
        verify_buffer();
    else
        verify_file(path);
    result_rate(bytes, (double)bytes * size / seconds / 1e6);
    free(data);
}

static void attempt(const char *path)
{
    ATTEMPT(current->name)
        measure(path);
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size > 100 || argc < 5)
        fail("io needs a file, sizes and at most 100 ranks");
    for (int i = 4; i < argc; i++) {
        bytes = (int)argument(argc, argv, i, BLOCK, MOST) / BLOCK * BLOCK;
        for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++) {
            if (!time_left())
                break;
            current = &operations[k];
            attempt(argv[3]);
        }
    }
    if (rank == 0)
        unlink(argv[3]);
    MPI_Finalize();
    return 0;
}
