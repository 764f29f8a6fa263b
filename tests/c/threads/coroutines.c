/* MPI called on a stack that is not the thread's own, as coroutine libraries do, switching back and forth
 * between two. */
#include "check.h"
#include <ucontext.h>

enum { STACK = 256 * 1024, ROUNDS = 200 };

static ucontext_t base, side[2];
static int turn[2];

static void body(int which)
{
    for (int i = 0; i < ROUNDS; i++) {
        int out = which * 1000 + i, in = -1, sum = -1;
        CHECK_MPI(MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % np, which, &in, 1, MPI_INT, (me + np - 1) % np,
                               which, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQ(in, out);
        CHECK_MPI(MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQ(sum, np * out);
        turn[which]++;
        swapcontext(&side[which], i + 1 < ROUNDS || which == 0 ? &side[!which] : &base);
    }
}

static void start(int which, ucontext_t *after)
{
    char *stack = malloc(STACK);
    getcontext(&side[which]);
    side[which].uc_stack.ss_sp = stack;
    side[which].uc_stack.ss_size = STACK;
    side[which].uc_link = after;
    makecontext(&side[which], (void (*)(void))body, 1, which);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    start(0, &base);
    start(1, &base);
    char *stacks[2] = {side[0].uc_stack.ss_sp, side[1].uc_stack.ss_sp};
    swapcontext(&base, &side[0]);
    CHECK_EQ(turn[0], ROUNDS);
    CHECK_EQ(turn[1], ROUNDS);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    free(stacks[0]);
    free(stacks[1]);
    return check_finish();
}
