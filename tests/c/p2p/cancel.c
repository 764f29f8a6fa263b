/*
 * Cancelled receives are done at once and take no message; a send that is not matched may be cancelled, and
 * its message is gone then; a matched one arrives whatever is asked. Argument "sends": every unmatched send
 * has to be cancelled.
 */
#include "check.h"

static int cancelled(MPI_Request *r)
{
    MPI_Status s;
    int flag = -1;
    CHECK_MPI(MPI_Cancel(r));
    CHECK_MPI(MPI_Wait(r, &s));
    CHECK(*r == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Test_cancelled(&s, &flag));
    return flag;
}

static void receives(int peer)
{
    int x = 42, y = -1, flag = -1;
    MPI_Request r;
    MPI_Status s;
    CHECK_MPI(MPI_Irecv(&y, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &r));
    CHECK_EQ(cancelled(&r), 1);
    CHECK_MPI(MPI_Recv_init(&y, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r));
    CHECK_MPI(MPI_Start(&r));
    CHECK_MPI(MPI_Cancel(&r));
    CHECK_MPI(MPI_Wait(&r, &s));
    CHECK_MPI(MPI_Test_cancelled(&s, &flag));
    CHECK_EQ(flag, 1);
    CHECK_EQ(y, -1);
    CHECK_MPI(MPI_Sendrecv(NULL, 0, MPI_INT, peer, 8, NULL, 0, MPI_INT, peer, 8, MPI_COMM_WORLD, &s));
    CHECK_MPI(MPI_Start(&r)); /* a cancelled one can be started again */
    CHECK_MPI(MPI_Send(&x, 1, MPI_INT, peer, 1, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&r, &s));
    CHECK_MPI(MPI_Test_cancelled(&s, &flag));
    CHECK_EQ(flag, 0);
    CHECK_EQ(y, 42);
    CHECK_MPI(MPI_Request_free(&r));
}

/* Each way to end it tells that a receive has been given up; a later one gets the message. */
static void ended(int peer)
{
    MPI_Datatype gaps;
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &gaps));
    CHECK_MPI(MPI_Type_commit(&gaps));
    for (int way = 0; way < 6; way++)
        for (int typed = 0; typed < 2; typed++) {
            int x = 42 + way, y[3] = {-1, -1, -1}, at = -1, n = -1, flag = -1;
            MPI_Datatype t = typed ? gaps : MPI_INT;
            MPI_Request r[2];
            MPI_Status s[2];
            CHECK_MPI(MPI_Irecv(y, 1, t, way % 2 ? peer : MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &r[0]));
            CHECK_MPI(MPI_Irecv(y, 1, t, peer, 9, MPI_COMM_WORLD, &r[1]));
            CHECK_MPI(MPI_Cancel(&r[0]));
            CHECK_MPI(MPI_Cancel(&r[0])); /* which changes nothing */
            CHECK_MPI(MPI_Cancel(&r[1]));
            switch (way) {
            case 0:
                CHECK_MPI(MPI_Waitall(2, r, s));
                break;
            case 1:
                CHECK_MPI(MPI_Testsome(2, r, &n, (int[2]){0}, s));
                CHECK_EQ(n, 2);
                break;
            case 2:
                CHECK_MPI(MPI_Request_get_status(r[0], &flag, &s[0]));
                CHECK_EQ(flag, 1);
                CHECK_MPI(MPI_Request_free(&r[0]));
                CHECK_MPI(MPI_Test(&r[1], &flag, &s[1]));
                CHECK_EQ(flag, 1);
                break;
            case 3:
                CHECK_MPI(MPI_Waitany(2, r, &at, &s[0]));
                CHECK_MPI(MPI_Waitany(2, r, &at, &s[1]));
                break;
            default:
                CHECK_MPI(MPI_Wait(&r[1], &s[1]));
                CHECK_MPI(MPI_Wait(&r[0], &s[0]));
            }
            for (int i = 0; i < 2; i++) {
                CHECK(r[i] == MPI_REQUEST_NULL);
                CHECK_MPI(MPI_Test_cancelled(&s[i], &flag));
                CHECK_EQ(flag, 1);
                CHECK_EQ(s[i].MPI_SOURCE, MPI_ANY_SOURCE);
                CHECK_EQ(s[i].MPI_TAG, MPI_ANY_TAG);
                CHECK_MPI(MPI_Get_count(&s[i], MPI_INT, &n));
                CHECK_EQ(n, 0);
            }
            /* The next message must not come before both have given their receives up. */
            CHECK_MPI(MPI_Sendrecv(NULL, 0, MPI_INT, peer, 8, NULL, 0, MPI_INT, peer, 8, MPI_COMM_WORLD,
                                   MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Irecv(y, 1, MPI_INT, peer, 9, MPI_COMM_WORLD, &r[0]));
            CHECK_MPI(MPI_Send(&x, 1, MPI_INT, peer, 9, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Wait(&r[0], &s[0]));
            CHECK_MPI(MPI_Test_cancelled(&s[0], &flag));
            CHECK_EQ(flag, 0);
            CHECK_EQ(y[0], x);
        }
    CHECK_MPI(MPI_Type_free(&gaps));
}

static void sends(int strict)
{
    int sizes[] = {4, 3000, 200000}, peer = me ^ 1;
    if (peer >= np)
        return;
    for (int z = 0; z < 3; z++)
        for (int mode = 0; mode < 3; mode++) {
            int n = sizes[z];
            char *out = check_alloc(n), *in = check_alloc(n);
            if (me < peer) {
                MPI_Request r[2];
                check_fill(out, n, 9);
                for (int i = 0; i < 2; i++)
                    if (mode == 0)
                        CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, peer, 3 + i, MPI_COMM_WORLD, &r[i]));
                    else if (mode == 1)
                        CHECK_MPI(MPI_Issend(out, n, MPI_BYTE, peer, 3 + i, MPI_COMM_WORLD, &r[i]));
                    else
                        CHECK_MPI(MPI_Ibsend(out, n, MPI_BYTE, peer, 3 + i, MPI_COMM_WORLD, &r[i]));
                int gone = cancelled(&r[0]);
                CHECK_MSG(gone || !strict, "mode %d size %d was not cancelled", mode, n);
                CHECK_MPI(MPI_Send(&gone, 1, MPI_INT, peer, 2, MPI_COMM_WORLD));
                CHECK_MPI(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, peer, 5, MPI_COMM_WORLD,
                                   MPI_STATUS_IGNORE)); /* it has looked */
            } else {
                int gone = -1, flag = -1;
                CHECK_MPI(MPI_Recv(&gone, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK_DATA(in, n, 9);
                CHECK_MPI(MPI_Iprobe(peer, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
                CHECK_EQ(flag, !gone);
                if (!gone)
                    CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, peer, 5, MPI_COMM_WORLD));
            }
            check_free(out);
            check_free(in);
        }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int size;
    void *room = malloc(1 << 20), *back;
    CHECK_MPI(MPI_Buffer_attach(room, 1 << 20));
    receives(me);
    ended(me);
    if ((me ^ 1) < np) {
        receives(me ^ 1);
        ended(me ^ 1);
    }
    sends(argc > 1);
    MPI_Status s;
    int flag = -1;
    CHECK_MPI(MPI_Status_set_cancelled(&s, 1));
    CHECK_MPI(MPI_Test_cancelled(&s, &flag));
    CHECK_EQ(flag, 1);
    CHECK_MPI(MPI_Buffer_detach(&back, &size));
    CHECK(back == room);
    free(room);
    return check_finish();
}
