/* Puts and gets of private memory by all ways that the library may try, many of each size, so that
 * it comes to prefer one: data arrives, operations on the same bytes keep their order, and what
 * leaves the window or is no memory is an error all the same. */
#include "window.h"

enum { MOST = 100000, TIMES = 250 };

static const int sizes[] = {8, 257, 512, 513, 1024, 3000, 4096, 8192, 8193, 20000, 65536, MOST};

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    unsigned char *mem = check_alloc(2 * MOST), *out = check_alloc(MOST), *in = check_alloc(MOST);
    const int next = (me + 1) % np;
    MPI_Win win;
    CHECK_MPI(MPI_Win_create(mem, 2 * MOST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int n = sizes[i], times = n > 10000 ? TIMES / 4 : TIMES;
        CHECK_MPI(MPI_Win_lock_all(0, win));
        for (int t = 0; t < times; t++) {
            check_fill(out, n, t + n);
            CHECK_MPI(MPI_Put(out, n, MPI_BYTE, next, MOST - n, n, MPI_BYTE, win));
            if (t % 3 == 0) /* behind the put, without a flush */
                CHECK_MPI(MPI_Put(out + n / 2, 1, MPI_BYTE, next, MOST - n, 1, MPI_BYTE, win));
            if (t % 2 == 0)
                CHECK_MPI(MPI_Win_flush(next, win));
            CHECK_MPI(MPI_Get(in, n, MPI_BYTE, next, MOST - n, n, MPI_BYTE, win));
            CHECK_MPI(MPI_Win_flush(next, win));
            if (t % 3 == 0)
                out[0] = out[n / 2];
            CHECK_EQ(memcmp(in, out, (size_t)n), 0);
        }
        CHECK_CLASS(MPI_Put(out, n, MPI_BYTE, next, 2 * MOST - n + 1, n, MPI_BYTE, win), MPI_ERR_RMA_RANGE);
        CHECK_CLASS(MPI_Get(in, n, MPI_BYTE, next, 2 * MOST - n + 1, n, MPI_BYTE, win), MPI_ERR_RMA_RANGE);
        CHECK_MPI(MPI_Win_unlock_all(win));
        for (int t = 0; t < 40; t++) {
            CHECK_MPI(MPI_Win_fence(0, win));
            check_fill(out, n, t);
            CHECK_MPI(MPI_Put(out, n, MPI_BYTE, next, MOST, n, MPI_BYTE, win));
            CHECK_MPI(MPI_Win_fence(0, win));
            CHECK_DATA(mem + MOST, n, t);
        }
        CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    }
    CHECK_MPI(MPI_Win_free(&win));
    check_free(mem);
    check_free(out);
    check_free(in);
    return check_finish();
}
