/* Calls that go together: buffers of sends, cancelling, probes that may find nothing, generalized requests,
 * partitions. */
#ifndef CALLS_MESSAGES_H
#define CALLS_MESSAGES_H

#include "calls_world.h"

static void call_buffers(void)
{
    void *back;
    int bytes;
    MPI_Count bytes_c;
    MPI_Request r;
    CALL(MPI_Buffer_attach(room, sizeof room));
    CALL(MPI_Buffer_flush());
    CALL(MPI_Buffer_iflush(&r));
    DO(MPI_Wait(&r, &done));
    CALL(MPI_Buffer_detach(&back, &bytes));
    CHECK(back == room && bytes == sizeof room);
    CALL(MPI_Buffer_attach_c(room, sizeof room));
    CALL(MPI_Buffer_detach_c(&back, &bytes_c));
    CHECK(back == room && bytes_c == sizeof room);
    CALL(MPI_Comm_attach_buffer(the_comm, room, sizeof room));
    CALL(MPI_Comm_flush_buffer(the_comm));
    CALL(MPI_Comm_iflush_buffer(the_comm, &r));
    DO(MPI_Wait(&r, &done));
    CALL(MPI_Comm_detach_buffer(the_comm, &back, &bytes));
    CALL(MPI_Comm_attach_buffer_c(the_comm, room, sizeof room));
    CALL(MPI_Comm_detach_buffer_c(the_comm, &back, &bytes_c));
    CALL(MPI_Session_attach_buffer(the_session, room, sizeof room));
    CALL(MPI_Session_flush_buffer(the_session));
    CALL(MPI_Session_iflush_buffer(the_session, &r));
    DO(MPI_Wait(&r, &done));
    CALL(MPI_Session_detach_buffer(the_session, &back, &bytes));
    CALL(MPI_Session_attach_buffer_c(the_session, room, sizeof room));
    CALL(MPI_Session_detach_buffer_c(the_session, &back, &bytes_c));
}

static void call_probes(void)
{
    int flag = 0, cancelled = 0;
    MPI_Request r;
    MPI_Message m;
    MPI_Status st;
    send_right(&r);
    while (!flag)
        CALL(MPI_Iprobe(left, TAG, the_comm, &flag, &st));
    DO(MPI_Recv(in, 4, MPI_INT, left, TAG, the_comm, &st));
    DO(MPI_Wait(&r, &st));
    send_right(&r);
    for (flag = 0; !flag;)
        CALL(MPI_Improbe(left, TAG, the_comm, &flag, &m, &st));
    DO(MPI_Mrecv(in, 4, MPI_INT, &m, &st));
    DO(MPI_Wait(&r, &st));
    DO(MPI_Irecv(in, 4, MPI_INT, left, TAG + 1, the_comm, &r));
    CALL(MPI_Cancel(&r));
    DO(MPI_Wait(&r, &st));
    DO(MPI_Test_cancelled(&st, &cancelled));
    CHECK(cancelled);
}

static int on_query(void *state, MPI_Status *st)
{
    (void)state;
    DO(MPI_Status_set_elements(st, MPI_INT, 4));
    return MPI_Status_set_cancelled(st, 0);
}
static int on_free(void *state) { return (void)state, MPI_SUCCESS; }
static int on_cancel(void *state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

static void call_generalized(void)
{
    MPI_Request r;
    CALL(MPI_Grequest_start(on_query, on_free, on_cancel, NULL, &r));
    CALL(MPI_Grequest_complete(r));
    DO(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

/* Four partitions around the ring, declared ready in three ways. */
static void run_partitions(MPI_Request *send, MPI_Request *receive)
{
    int arrived = 0, some[1] = {3};
    DO(MPI_Start(receive));
    DO(MPI_Start(send));
    CALL(MPI_Pready(0, *send));
    CALL(MPI_Pready_range(1, 2, *send));
    CALL(MPI_Pready_list(1, some, *send));
    while (!arrived)
        CALL(MPI_Parrived(*receive, 0, &arrived));
    DO(MPI_Wait(send, MPI_STATUS_IGNORE));
    DO(MPI_Wait(receive, MPI_STATUS_IGNORE));
    DO(MPI_Request_free(send));
    DO(MPI_Request_free(receive));
}

static void call_partitions(void)
{
    MPI_Request s, r;
    CALL(MPI_Psend_init(out, 4, 1, MPI_INT, right, TAG, the_comm, MPI_INFO_NULL, &s));
    CALL(MPI_Precv_init(in, 4, 1, MPI_INT, left, TAG, the_comm, MPI_INFO_NULL, &r));
    run_partitions(&s, &r);
    CALL(MPI_Psend_init_c(out, 4, 1, MPI_INT, right, TAG, the_comm, MPI_INFO_NULL, &s));
    CALL(MPI_Precv_init_c(in, 4, 1, MPI_INT, left, TAG, the_comm, MPI_INFO_NULL, &r));
    run_partitions(&s, &r);
}

#endif
