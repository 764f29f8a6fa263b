/* What the operating system refuses: the class of the error, on all ranks of a collective call, and what had
 * been written before. Some parts need rights to mount a file system of their own; without them they are left
 * out. */
#include "io.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>

enum { SMALL = 1 << 20, PIECE = 300000 };

/* Ranks write more than the file system holds: each way of access says so, to all. */
static void full(const char *path)
{
    static char data[PIECE];
    MPI_File f = MPI_FILE_NULL;
    MPI_Datatype tile, sparse;
    memset(data, 'x', sizeof data);
    CHECK_MPI(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &f));
    if (f == MPI_FILE_NULL)
        return;
    char first = 'f', got = 0;
    CHECK_MPI(MPI_File_write_at(f, me, &first, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    int rc = MPI_SUCCESS;
    for (int i = 0; i < 10 && rc == MPI_SUCCESS; i++)
        rc = MPI_File_write_at_all(f, PIECE + (MPI_Offset)(i * np + me) * PIECE, data, PIECE, MPI_BYTE,
                                   MPI_STATUS_IGNORE);
    CHECK_CLASS(rc, MPI_ERR_NO_SPACE);
    CHECK_MPI(MPI_File_read_at(f, me, &got, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK_EQ(got, 'f');

    /* In small pieces with gaps, which go by mapped pages where they can. */
    MPI_Type_vector(PIECE / 100, 100, 100 * np, MPI_BYTE, &tile);
    MPI_Type_create_resized(tile, 0, (MPI_Aint)PIECE * np, &sparse);
    MPI_Type_commit(&sparse);
    CHECK_MPI(MPI_File_set_size(f, 0));
    CHECK_MPI(MPI_File_set_view(f, 100 * me, MPI_BYTE, sparse, "native", MPI_INFO_NULL));
    rc = MPI_SUCCESS;
    for (int i = 0; i < 10 && rc == MPI_SUCCESS; i++)
        rc = MPI_File_write_all(f, data, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    CHECK_CLASS(rc, MPI_ERR_NO_SPACE);
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_set_size(f, 0));
    CHECK_CLASS(MPI_File_preallocate(f, 4 * SMALL), MPI_ERR_NO_SPACE);
    CHECK_MPI(MPI_File_set_size(f, 0));
    int failed = 0;
    for (int i = 0; i < 10 && !failed; i++) {
        rc = MPI_File_write_ordered(f, data, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
        if (rc != MPI_SUCCESS)
            CHECK_CLASS(rc, MPI_ERR_NO_SPACE);
        failed = rc != MPI_SUCCESS; /* a failure of an ordered access is told by its rank alone */
        MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    }
    CHECK_EQ(failed, 1);
    MPI_Type_free(&tile);
    MPI_Type_free(&sparse);
    CHECK_MPI(MPI_File_close(&f));
}

/* All ranks see the one file system that rank 0 has mounted. */
static void small_file_system(void)
{
    int mounted = 0;
    if (me == 0) {
        CHECK_EQ(mkdir("small", 0700), 0);
        mounted = mount("gompi", "small", "tmpfs", 0, "size=1m") == 0;
    }
    MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (mounted)
        full("small/file");
    MPI_Barrier(MPI_COMM_WORLD);
    if (mounted && me == 0) {
        MPI_File f;
        CHECK_EQ(mount("gompi", "small", NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
        CHECK_CLASS(
            MPI_File_open(MPI_COMM_SELF, "small/new", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f),
            MPI_ERR_READ_ONLY);
        CHECK_EQ(umount("small"), 0);
    }
    if (me == 0)
        CHECK_EQ(rmdir("small"), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Beyond the size to which the process is limited: an error, and no signal kills anybody. */
static void limited(void)
{
    static char data[100000];
    struct rlimit old, now;
    MPI_Status st;
    getrlimit(RLIMIT_FSIZE, &old);
    now = old;
    now.rlim_cur = SMALL;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &now), 0);
    MPI_File f = io_open("limited", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_CLASS(MPI_File_write_at(f, SMALL, data, 10, MPI_BYTE, &st), MPI_ERR_QUOTA);
    CHECK_CLASS(MPI_File_write_at_all(f, SMALL - 1000, data, sizeof data, MPI_BYTE, &st), MPI_ERR_QUOTA);
    CHECK_CLASS(MPI_File_set_size(f, 2 * SMALL), MPI_ERR_QUOTA);
    CHECK_CLASS(MPI_File_preallocate(f, 2 * SMALL), MPI_ERR_QUOTA);
    MPI_Offset n;
    CHECK_MPI(MPI_File_get_size(f, &n));
    CHECK(n == SMALL); /* what fits has been written */
    MPI_Datatype tile;
    MPI_Type_vector(1000, 1, 2, MPI_INT, &tile);
    MPI_Type_commit(&tile);
    CHECK_MPI(MPI_File_set_view(f, SMALL - 1000, MPI_INT, tile, "native", MPI_INFO_NULL));
    CHECK_CLASS(MPI_File_write_all(f, data, 1000, MPI_INT, &st), MPI_ERR_QUOTA);
    MPI_Type_free(&tile);
    CHECK_MPI(MPI_File_close(&f));
    setrlimit(RLIMIT_FSIZE, &old);
}

/* In an ordered access the last rank alone may not write so far: it says so, the data of the others is there,
 * and the shared pointer stands where all of them begin next. */
static void last_limited(void)
{
    enum { N = 5000 };
    static char out[N], in[N];
    const int last = me == np - 1;
    struct rlimit old, now;
    MPI_Status st;
    MPI_Offset at;
    getrlimit(RLIMIT_FSIZE, &old);
    now = old;
    now.rlim_cur = N * (np - 1) + N / 2;
    if (last)
        CHECK_EQ(setrlimit(RLIMIT_FSIZE, &now), 0);
    MPI_File f = io_open("last_limited", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    memset(out, 'a' + me, sizeof out);
    int rc = MPI_File_write_ordered(f, out, N, MPI_BYTE, &st);
    if (last)
        CHECK_CLASS(rc, MPI_ERR_QUOTA);
    else
        CHECK_MPI(rc);
    CHECK_COUNT(st, MPI_BYTE, last ? N / 2 : N);
    CHECK_MPI(MPI_File_get_position_shared(f, &at));
    CHECK_EQ(at, N * np);
    if (last)
        setrlimit(RLIMIT_FSIZE, &old);
    CHECK_MPI(MPI_File_write_ordered(f, out, N, MPI_BYTE, &st));
    CHECK_MPI(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    for (int round = 0; round < 2; round++) {
        CHECK_MPI(MPI_File_read_ordered(f, in, N, MPI_BYTE, &st));
        CHECK_COUNT(st, MPI_BYTE, N);
        for (int i = 0; i < N; i++)
            CHECK_EQ(in[i], round == 0 && last && i >= N / 2 ? 0 : 'a' + me);
    }
    CHECK_MPI(MPI_File_close(&f));
}

/* Without rights: a file of somebody else's. */
static void forbidden(void)
{
    if (me == 0) {
        int fd = open("secret", O_CREAT | O_WRONLY, 0);
        CHECK(fd >= 0);
        close(fd);
        chmod("secret", 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (geteuid() != 0 || seteuid(65534) == 0) {
        MPI_File f;
        CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, "secret", MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_ACCESS);
        if (getuid() == 0)
            CHECK_EQ(seteuid(0), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        CHECK_EQ(unlink("secret"), 0);
}

/* The file becomes shorter behind MPI's back, with its pages mapped: less is read, and what is written is
 * there. */
static void truncated(void)
{
    enum { N = 20000 };
    static int out[N], in[N];
    MPI_Datatype tile;
    MPI_Status st;
    MPI_Type_vector(N, 1, 2, MPI_INT, &tile);
    MPI_Type_commit(&tile);
    MPI_File f = io_open("shrinks", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_MPI(MPI_File_set_view(f, 0, MPI_INT, tile, "native", MPI_INFO_NULL));
    for (int i = 0; i < N; i++)
        out[i] = i;
    CHECK_MPI(MPI_File_write_at_all(f, 0, out, me == 0 ? N : 0, MPI_INT, &st));
    CHECK_MPI(MPI_File_read_at_all(f, 0, in, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        CHECK_EQ(truncate("shrinks", 8 * 1000), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(MPI_File_read_at_all(f, 0, in, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, 1000);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(MPI_File_write_at_all(f, 0, out, me == np - 1 ? N : 0, MPI_INT, &st));
    MPI_Barrier(MPI_COMM_WORLD);
    memset(in, 0, sizeof in);
    CHECK_MPI(MPI_File_read_at_all(f, 0, in, N, MPI_INT, &st));
    CHECK_COUNT(st, MPI_INT, N);
    CHECK(memcmp(in, out, sizeof in) == 0);
    MPI_Type_free(&tile);
    CHECK_MPI(MPI_File_close(&f));
}

/* The same, for small accesses to one run: where it was cut off, and after it has been synchronized, to the
 * byte. */
static void shortened(void)
{
    enum { N = 50000 };
    static char out[N], in[N];
    MPI_Status st;
    MPI_File f = io_open("shortened", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    memset(out, 'o', sizeof out);
    for (int way = 0; way < 3; way++) {
        CHECK_MPI(MPI_File_write_at(f, 0, out, N, MPI_BYTE, &st));
        for (int i = 0; i < 3; i++) { /* the pages are mapped by now */
            CHECK_MPI(MPI_File_write_at(f, 0, out, N, MPI_BYTE, &st));
            CHECK_MPI(MPI_File_read_at(f, 0, in, N, MPI_BYTE, &st));
            CHECK_COUNT(st, MPI_BYTE, N);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (me == 0 && way < 2)
            CHECK_EQ(truncate("shortened", 10001), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        if (way == 1)
            CHECK_MPI(MPI_File_sync(f));
        if (way == 2)
            CHECK_MPI(MPI_File_set_size(f, 10001));
        memset(in, 0, sizeof in);
        if (way == 0) { /* whole pages are missing */
            CHECK_MPI(MPI_File_read_at(f, 0, in, N, MPI_BYTE, &st));
            CHECK_COUNT(st, MPI_BYTE, 10001);
        }
        CHECK_MPI(MPI_File_read_at(f, 9000, in, 1500, MPI_BYTE, &st));
        CHECK_COUNT(st, MPI_BYTE, 1001);
        CHECK_MPI(MPI_File_read_at(f, 10001, in, 1, MPI_BYTE, &st));
        CHECK_COUNT(st, MPI_BYTE, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_MPI(MPI_File_write_at(f, 10000 + 10 * me, out, 10, MPI_BYTE, &st));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Offset size;
        CHECK_MPI(MPI_File_get_size(f, &size));
        CHECK_EQ(size, 10000 + 10 * np);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_MPI(MPI_File_close(&f));
}

/* Memory that cannot be read, in the middle of a buffer: an error of the rank that gave it, told to all. */
static void bad_memory(void)
{
    enum { PAGES = 8 };
    const long page = sysconf(_SC_PAGESIZE);
    char *p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    memset(p, 1, PAGES * page);
    if (me == 0)
        CHECK_EQ(mprotect(p + 3 * page, page, PROT_NONE),
                 0); /* the hole of an munmap may be filled by anybody */
    MPI_Datatype tile;
    MPI_Type_vector(PAGES * page / 8, 1, 2, MPI_DOUBLE, &tile);
    MPI_Type_commit(&tile);
    MPI_File f = io_open("torn", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Request r;
    for (int strided = 0; strided < 2; strided++) {
        CHECK_MPI(MPI_File_set_view(f, 0, MPI_DOUBLE, strided ? tile : MPI_DOUBLE, "native", MPI_INFO_NULL));
        CHECK_CLASS(MPI_File_write_at_all(f, 0, p, PAGES * page / 8, MPI_DOUBLE, MPI_STATUS_IGNORE),
                    MPI_ERR_BUFFER);
        if (me == 0) {
            CHECK_MPI(MPI_File_iwrite_at(f, 0, p, PAGES * page / 8, MPI_DOUBLE, &r));
            CHECK_CLASS(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
        }
    }
    MPI_Type_free(&tile);
    CHECK_MPI(MPI_File_close(&f));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    small_file_system();
    limited();
    last_limited();
    forbidden();
    truncated();
    shortened();
    bad_memory();
    return check_finish();
}
