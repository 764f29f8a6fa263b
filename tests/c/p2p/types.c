/* Every predefined datatype in every kind of receive: the data arrive, the gaps of pair types are left alone.
 */
#include "types.h"

static void exchange(const struct type_entry *t, int count, int mode)
{
    int right = (me + 1) % np, left = (me + np - 1) % np, tag = 100 + mode;
    size_t bytes = (size_t)count * t->extent;
    unsigned char *out = check_alloc(bytes), *in = check_alloc(bytes + 3 * t->extent);
    MPI_Status st;
    MPI_Request request;

    check_fill(out, bytes, 1000 + me);
    switch (mode) {
    case 0: /* may be unexpected */
        CHECK_MPI(MPI_Isend(out, count, t->type, right, tag, MPI_COMM_WORLD, &request));
        CHECK_MPI(MPI_Recv(in, count + 3, t->type, left, tag, MPI_COMM_WORLD, &st));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        break;
    case 1: /* posted before the message can be there */
        CHECK_MPI(MPI_Irecv(in, count + 3, t->type, left, tag, MPI_COMM_WORLD, &request));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Send(out, count, t->type, right, tag, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&request, &st));
        break;
    default:
        CHECK_MPI(MPI_Sendrecv(out, count, t->type, right, tag, in, count + 3, t->type, left, tag,
                               MPI_COMM_WORLD, &st));
    }
    CHECK_STATUS(st, left, tag);
    CHECK_COUNT(st, t->type, count);
    CHECK_ELEMENTS(in, t, count, 1000 + left);
    CHECK_FRESH(in, bytes, 3 * t->extent);
    CHECK_DATA(out, bytes, 1000 + me);
    check_free(out);
    check_free(in);
}

int main(int argc, char **argv)
{
    static const int counts[] = {0, 1, 2, 7, 100, 9000};

    check_init(&argc, &argv);
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (!type_present(&all_types[i]))
            continue;
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (int mode = 0; mode < 3; mode++)
                exchange(&all_types[i], counts[c], mode);
    }
    return check_finish();
}
