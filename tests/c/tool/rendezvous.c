/*
 * Long messages come by the protocol that GOMPI_RENDEZVOUS names, and all arrive. Each is counted once by
 * its protocol, once by the reason for that, and at its sender once by the reason why it was announced.
 * Argument: the protocol, or "auto" for any of them.
 */
#include "counted.h"

enum { PROTOCOLS = 4, REASONS = 8, MESSAGES = 40, LEAST = 100000, MOST = 3000000 };

static const char *const names[PROTOCOLS] = {"read", "pipeline", "both", "network"};
static const char *const reasons[REASONS] = {"setting", "measured", "sender_away", "many_copies",
                                             "gaps", "no_single_copy", "no_shared_memory", "no_data"};

static MPI_T_pvar_handle count(const char *prefix, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    MPI_T_pvar_handle h = watch_bound(full, MPI_T_PVAR_CLASS_COUNTER, 0, NULL);
    value(h);
    return h;
}

int main(int argc, char **argv)
{
    MPI_T_pvar_handle counters[PROTOCOLS], because[REASONS], announced;
    int provided, other;
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    check_init(&argc, &argv);
    const char *want = argc > 1 ? argv[1] : "auto";
    CHECK_MPI(MPI_T_pvar_session_create(&session));
    for (int p = 0; p < PROTOCOLS; p++)
        counters[p] = count("rendezvous", names[p]);
    for (int r = 0; r < REASONS; r++)
        because[r] = count("rendezvous_because", reasons[r]);
    announced = count("announced", "too_long");
    other = me ^ 1;
    for (int i = 0; i < MESSAGES && other < np; i++) {
        int n = LEAST + (int)((long long)(MOST - LEAST) * i / MESSAGES), x = 0;
        unsigned char *data = check_alloc(n);
        if (me > other) {
            MPI_Request request;
            MPI_Status st;
            CHECK_MPI(MPI_Irecv(data, n, MPI_BYTE, other, 1, MPI_COMM_WORLD, &request));
            CHECK_MPI(MPI_Send(&x, 1, MPI_INT, other, 2, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Wait(&request, &st));
            CHECK_COUNT(st, MPI_BYTE, n);
            CHECK_DATA(data, n, i);
        } else {
            check_fill(data, n, i);
            CHECK_MPI(MPI_Recv(&x, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Send(data, n, MPI_BYTE, other, 1, MPI_COMM_WORLD)); /* in MPI, so it can help */
        }
        check_free(data);
    }
    long long all = 0, expected = me > other ? MESSAGES : 0;
    for (int p = 0; p < PROTOCOLS; p++) {
        long long came = value(counters[p]);
        all += came;
        if (strcmp(want, names[p]) == 0)
            CHECK_EQ(came, expected);
    }
    CHECK_EQ(all, expected);
    all = 0;
    for (int r = 0; r < REASONS; r++) {
        long long came = value(because[r]);
        all += came;
        if (strcmp(reasons[r], "setting") == 0 && strcmp(want, "both") == 0)
            CHECK_EQ(came, expected);
        if (strcmp(reasons[r], "setting") == 0 && strcmp(want, "auto") == 0)
            CHECK_EQ(came, 0);
    }
    CHECK_EQ(all, expected);
    CHECK_EQ(value(announced), other < np && me < other ? MESSAGES : 0);
    int rc = check_finish();
    CHECK_MPI(MPI_T_pvar_session_free(&session));
    CHECK_MPI(MPI_T_finalize());
    return rc || check_failed;
}
