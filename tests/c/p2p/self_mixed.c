/*
 * Messages of a rank to itself in random order: small and large ones, by all modes of sending, more of them
 * than any queue holds, with receives posted before and after, probes, and cancelled sends. Messages of
 * others come in between. Those of one tag arrive in the order in which they were sent. Argument: a seed.
 */
#include "check.h"

enum { TAGS = 3, MOST = 200, STEPS = 6000, LARGE = 100000, OTHERS = 9 };

struct flight {
    MPI_Request request;
    unsigned char *data;
    int bytes, number;
};

/* By tag: what has been sent and not been received, oldest first, and the receives that have been posted. */
static struct flight sends[TAGS][MOST], receives[TAGS][MOST];
static int sent[TAGS], posted[TAGS], numbers[TAGS];
static unsigned state;
static MPI_Comm comm;
static int self;

static unsigned draw(unsigned below)
{
    state = state * 1664525 + 1013904223;
    return (unsigned)(((unsigned long long)state * below) >> 32);
}

static int some_size(void)
{
    switch (draw(12)) {
    case 0: return (int)draw(LARGE);
    case 1: return 16384 + (int)draw(3);
    case 2: return 65536 + (int)draw(3);
    default: return (int)draw(2000);
    }
}

/* Takes out the oldest of a list, whose operation is over. */
static void drop(struct flight *list, int *count)
{
    check_free(list->data);
    memmove(list, list + 1, (size_t)--*count * sizeof *list);
}

/* The oldest message has met the oldest receive. */
static void settle(int tag)
{
    while (sent[tag] > 0 && posted[tag] > 0) {
        struct flight *s = &sends[tag][0], *r = &receives[tag][0];
        MPI_Status st;
        CHECK_MPI(MPI_Wait(&r->request, &st));
        CHECK_STATUS(st, self, tag);
        CHECK_COUNT(st, MPI_BYTE, s->bytes);
        CHECK_EQ(r->number, s->number);
        CHECK_DATA(r->data, s->bytes, s->number);
        CHECK_MPI(MPI_Wait(&s->request, MPI_STATUS_IGNORE));
        drop(sends[tag], &sent[tag]);
        drop(receives[tag], &posted[tag]);
    }
}

static void start_send(int tag)
{
    if (sent[tag] == MOST)
        return;
    struct flight *s = &sends[tag][sent[tag]];
    s->bytes = some_size();
    s->number = numbers[tag]++;
    s->data = check_alloc(s->bytes);
    s->request = MPI_REQUEST_NULL;
    check_fill(s->data, s->bytes, s->number);
    switch (draw(4)) {
    case 0: CHECK_MPI(MPI_Issend(s->data, s->bytes, MPI_BYTE, self, tag, comm, &s->request)); break;
    case 1: CHECK_MPI(MPI_Isend(s->data, s->bytes, MPI_BYTE, self, tag, comm, &s->request)); break;
    default:
        if (s->bytes <= 16384 || posted[tag] > sent[tag])
            CHECK_MPI(MPI_Send(s->data, s->bytes, MPI_BYTE, self, tag, comm));
        else
            CHECK_MPI(MPI_Isend(s->data, s->bytes, MPI_BYTE, self, tag, comm, &s->request));
    }
    sent[tag]++;
}

/* Posts a receive, whose number is that of the message that is to come. */
static void start_receive(int tag)
{
    if (posted[tag] == MOST)
        return;
    struct flight *r = &receives[tag][posted[tag]];
    r->number = (sent[tag] > 0 ? sends[tag][0].number : numbers[tag]) + posted[tag];
    r->data = check_alloc(LARGE);
    CHECK_MPI(MPI_Irecv(r->data, LARGE, MPI_BYTE, self, tag, comm, &r->request));
    posted[tag]++;
}

/* Receives the oldest message, which is there or not, as a probe says. */
static void receive_now(int tag)
{
    int there = -1;
    MPI_Status st;
    if (posted[tag] > 0)
        return;
    CHECK_MPI(MPI_Iprobe(self, tag, comm, &there, &st));
    CHECK_EQ(there, sent[tag] > 0);
    if (!there)
        return;
    struct flight *s = &sends[tag][0];
    CHECK_STATUS(st, self, tag);
    CHECK_COUNT(st, MPI_BYTE, s->bytes);
    unsigned char *in = check_alloc(LARGE);
    CHECK_MPI(MPI_Recv(in, LARGE, MPI_BYTE, self, tag, comm, &st));
    CHECK_COUNT(st, MPI_BYTE, s->bytes);
    CHECK_DATA(in, s->bytes, s->number);
    CHECK_MPI(MPI_Wait(&s->request, MPI_STATUS_IGNORE));
    check_free(in);
    drop(sends[tag], &sent[tag]);
}

/* Cancels the youngest send, which nothing has received. */
static void cancel_last(int tag)
{
    MPI_Status st;
    int gone = -1;
    if (sent[tag] == 0 || posted[tag] > 0)
        return;
    struct flight *s = &sends[tag][sent[tag] - 1];
    if (s->request == MPI_REQUEST_NULL)
        return;
    CHECK_MPI(MPI_Cancel(&s->request));
    CHECK_MPI(MPI_Wait(&s->request, &st));
    CHECK_MPI(MPI_Test_cancelled(&st, &gone));
    CHECK_EQ(gone, 1);
    numbers[tag]--;
    sent[tag]--;
    check_free(s->data);
}

/* A message around all ranks. */
static void around(int step)
{
    int out = step, in = -1;
    CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % np, OTHERS, &in, 1, MPI_INT, (me + np - 1) % np,
                           OTHERS, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(in, step);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    for (int world = 0; world < 2; world++) {
        comm = world ? MPI_COMM_WORLD : MPI_COMM_SELF;
        self = world ? me : 0;
        state = seed * 7919 + (unsigned)(me * 2 + world);
        for (int step = 0; step < STEPS; step++) {
            int tag = (int)draw(TAGS), times = draw(50) == 0 ? 60 : 1;
            switch (draw(6)) {
            case 0:
            case 1:
                for (int i = 0; i < times; i++)
                    start_send(tag);
                break;
            case 2:
                for (int i = 0; i < times; i++)
                    start_receive(tag);
                break;
            case 3:
            case 4: receive_now(tag); break;
            default: cancel_last(tag);
            }
            settle(tag);
            if (step % 100 == 0)
                around(step);
        }
        for (int tag = 0; tag < TAGS; tag++) {
            while (sent[tag] > 0) {
                start_receive(tag);
                settle(tag);
            }
            for (int i = 0; posted[tag] > 0; i++) {
                MPI_Status st;
                int gone = -1;
                CHECK_MPI(MPI_Cancel(&receives[tag][0].request));
                CHECK_MPI(MPI_Wait(&receives[tag][0].request, &st));
                CHECK_MPI(MPI_Test_cancelled(&st, &gone));
                CHECK_EQ(gone, 1);
                drop(receives[tag], &posted[tag]);
            }
        }
    }
    return check_finish();
}
