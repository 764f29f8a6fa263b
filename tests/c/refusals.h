/* How many calls the fast path has left to the rest of the library because they are not plain to it. */
#ifndef REFUSALS_H
#define REFUSALS_H

#include "check.h"

static MPI_T_pvar_session refusals_session;
static MPI_T_pvar_handle refusals;

/* Initializes MPI as well, for one thread. */
static void refusals_begin(int *argc, char ***argv)
{
    int provided, index, count;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_init(argc, argv);
    CHECK_MPI(MPI_T_pvar_session_create(&refusals_session));
    CHECK_MPI(MPI_T_pvar_get_index("fast_path_refusals_not_plain", MPI_T_PVAR_CLASS_COUNTER, &index));
    CHECK_MPI(MPI_T_pvar_handle_alloc(refusals_session, index, NULL, &refusals, &count));
    CHECK_MPI(MPI_T_pvar_start(refusals_session, refusals));
}

static unsigned long long refused(void)
{
    unsigned long long v = 0;
    CHECK_MPI(MPI_T_pvar_read(refusals_session, refusals, &v));
    return v;
}

/* Ends the program's use of MPI and is what main returns. */
static int refusals_finish(void)
{
    CHECK_MPI(MPI_T_pvar_handle_free(refusals_session, &refusals));
    CHECK_MPI(MPI_T_pvar_session_free(&refusals_session));
    int failed = check_finish();
    MPI_T_finalize();
    return failed;
}

#endif
