/*
 * A random but reproducible storm: all ranks derive one schedule from the seed (argument 1), post their part
 * in an order of their own, complete it in another, and check every byte. Sizes from nothing to 400 kB,
 * several tags, self included.
 */
#include "check.h"

enum { ROUNDS = 12, MESSAGES = 150, TAGS = 4 };

struct message {
    int from, to, tag, length;
};

static struct message plan[MESSAGES];

static void make_plan(uint64_t *state)
{
    for (int i = 0; i < MESSAGES; i++) {
        struct message *m = &plan[i];
        m->from = (int)check_below(state, np);
        m->to = (int)check_below(state, np);
        m->tag = (int)check_below(state, TAGS);
        uint64_t kind = check_below(state, 10);
        m->length = (int)check_below(state, kind < 5 ? 100 : kind < 8 ? 8000 : kind < 9 ? 80000 : 400000);
    }
}

/*
 * Messages between the same two ranks with the same tag are posted in the plan's order on either side, so
 * that they match one to one; everything else is free. `mine` picks the side.
 */
static int next_index(const char *posted, int receive, uint64_t *state)
{
    int start = (int)check_below(state, MESSAGES);
    for (int d = 0; d < MESSAGES; d++) {
        int i = (start + d) % MESSAGES;
        if (posted[i] || (receive ? plan[i].to : plan[i].from) != me)
            continue;
        for (int j = 0; j < i; j++) /* an earlier one of the same stream goes first */
            if (!posted[j] && plan[j].from == plan[i].from && plan[j].to == plan[i].to &&
                plan[j].tag == plan[i].tag)
                i = j;
        return i;
    }
    return -1;
}

static void play(uint64_t round, uint64_t *own)
{
    static unsigned char *b[2 * MESSAGES];
    static MPI_Request request[2 * MESSAGES];
    static char posted[2][MESSAGES];
    MPI_Status st[2 * MESSAGES];
    int done[2] = {0, 0};

    memset(posted, 0, sizeof posted);
    for (int i = 0; i < 2 * MESSAGES; i++) {
        b[i] = NULL;
        request[i] = MPI_REQUEST_NULL;
    }
    while (!done[0] || !done[1]) {
        int receive = (int)check_below(own, 2);
        int i = next_index(posted[receive], receive, own);
        if (i < 0) {
            done[receive] = 1;
            continue;
        }
        struct message *m = &plan[i];
        int k = receive * MESSAGES + i;
        posted[receive][i] = 1;
        if (receive) {
            b[k] = check_alloc_at(m->length + 8, i % 16);
            CHECK_MPI(MPI_Irecv(b[k], m->length, MPI_BYTE, m->from, m->tag, MPI_COMM_WORLD, &request[k]));
        } else {
            b[k] = check_alloc_at(m->length, i % 8);
            check_fill(b[k], m->length, round * MESSAGES + i);
            CHECK_MPI(MPI_Isend(b[k], m->length, MPI_BYTE, m->to, m->tag, MPI_COMM_WORLD, &request[k]));
        }
        if (check_below(own, 8) == 0) { /* look at something in between */
            int flag;
            int any = (int)check_below(own, 2 * MESSAGES);
            if (request[any] != MPI_REQUEST_NULL)
                CHECK_MPI(MPI_Test(&request[any], &flag, &st[any]));
        }
    }
    CHECK_MPI(MPI_Waitall(2 * MESSAGES, request, MPI_STATUSES_IGNORE));

    for (int i = 0; i < MESSAGES; i++)
        for (int receive = 0; receive < 2; receive++) {
            unsigned char *p = b[receive * MESSAGES + i];
            if (p == NULL)
                continue;
            CHECK_DATA(p, plan[i].length, round * MESSAGES + i);
            if (receive)
                CHECK_FRESH(p, plan[i].length, 8);
            check_free(p);
        }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    uint64_t shared = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t own = shared * 1000 + me;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        make_plan(&shared);
        play(round, &own);
    }
    return check_finish();
}
