/* Nonblocking accesses get done without calls into MPI, many at once, and whatever the order of waiting. */
#include "io.h"

#include <time.h>

enum { BYTES = 4 << 20, MANY = 300 };

static void alone(void)
{
    MPI_File f = io_open("slow", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    char *data = check_alloc(BYTES);
    check_fill(data, BYTES, me);
    MPI_Request r;
    CHECK_MPI(MPI_File_iwrite_at(f, (MPI_Offset)me * BYTES, data, BYTES, MPI_BYTE, &r));
    /* No call of MPI until the last byte can be seen. */
    int fd = open("slow", O_RDONLY), there = 0;
    for (int i = 0; i < 6000 && !there; i++) {
        unsigned char last;
        if (pread(fd, &last, 1, (off_t)(me + 1) * BYTES - 1) == 1 && last == check_byte(me, BYTES - 1))
            there = 1;
        struct timespec nap = {0, 10000000};
        nanosleep(&nap, NULL);
    }
    close(fd);
    CHECK(there);
    MPI_Status st;
    int flag = 0;
    while (!flag)
        CHECK_MPI(MPI_Test(&r, &flag, &st));
    CHECK_COUNT(st, MPI_BYTE, BYTES);
    memset(data, 0, BYTES);
    CHECK_MPI(MPI_File_iread_at_all(f, (MPI_Offset)me * BYTES, data, BYTES, MPI_BYTE, &r));
    CHECK_MPI(MPI_Wait(&r, &st));
    CHECK_DATA(data, BYTES, me);
    check_free(data);
    CHECK_MPI(MPI_File_close(&f));
}

static void many(void)
{
    MPI_File f = io_open("many", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
    static int out[MANY], in[MANY];
    static MPI_Request r[MANY];
    static MPI_Status st[MANY];
    CHECK_MPI(MPI_File_set_view(f, (MPI_Offset)me * MANY * 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < MANY; i++) {
        out[i] = me * MANY + i;
        CHECK_MPI(MPI_File_iwrite_at(f, MANY - 1 - i, &out[i], 1, MPI_INT, &r[i]));
    }
    CHECK_MPI(MPI_Waitall(MANY, r, st));
    for (int i = 0; i < MANY; i++) {
        CHECK_COUNT(st[i], MPI_INT, 1);
        CHECK_MPI(MPI_File_iread(f, &in[i], 1, MPI_INT, &r[i]));
    }
    int left = MANY;
    while (left > 0) {
        int n, index[MANY];
        CHECK_MPI(MPI_Waitsome(MANY, r, &n, index, st));
        left -= n;
    }
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(in[i], out[MANY - 1 - i]);
    /* A failure comes out where the request is waited for. */
    CHECK_MPI(MPI_File_iread_at(f, 0, in, 0, MPI_INT, &r[0]));
    CHECK_MPI(MPI_Wait(&r[0], &st[0]));
    CHECK_COUNT(st[0], MPI_INT, 0);
    CHECK_MPI(MPI_File_close(&f));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    alone();
    many();
    return check_finish();
}
