/* Performance variables of counts, as they stand for the process or for an object. */
#ifndef COUNTED_H
#define COUNTED_H

#include "check.h"

static MPI_T_pvar_session session;

/* Starts to count; on is what the variable is bound to, NULL for the process. */
static MPI_T_pvar_handle watch_bound(const char *name, int class, int bound_to, void *on)
{
    MPI_T_pvar_handle h;
    int index, count, bind;
    CHECK_MPI(MPI_T_pvar_get_index(name, class, &index));
    CHECK_MPI(
        MPI_T_pvar_get_info(index, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind, NULL, NULL, NULL));
    CHECK_EQ(bind, on != NULL ? bound_to : MPI_T_BIND_NO_OBJECT);
    CHECK_MPI(MPI_T_pvar_handle_alloc(session, index, on, &h, &count));
    CHECK_EQ(count, 1);
    CHECK_MPI(MPI_T_pvar_start(session, h));
    return h;
}

/* What has been counted since the last time. */
static long long value(MPI_T_pvar_handle h)
{
    unsigned long long v = 0;
    CHECK_MPI(MPI_T_pvar_readreset(session, h, &v));
    return (long long)v;
}

#endif
