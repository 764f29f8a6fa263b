/* What the standard lets a call wait for, what ends a program, and what only makes sense when all ranks call
 * it. */
#include "fuzz.h"
#include <fnmatch.h>
#include <string.h>

enum { TRIES = 50 };

static bool good(const struct call *c, int i) { return i >= 0 && c->v[i] != 0; }

/* A receive or probe waits for a message: it is called when one has come. Receives that are posted may take
 * it, so several are sent. An error of the probe is one of the call, too. */
static bool has_message(struct call *c)
{
    int from = find_kind(c, K_source, 0), tag = find_kind(c, K_anytag, 0), comm = find_kind(c, K_comm, 0),
        rank = 0, flag;
    for (int i = 0; i < TRIES; i++) {
        MPI_Comm on = (MPI_Comm)c->v[comm];
        if (PMPI_Iprobe((int)c->v[from], (int)c->v[tag], on, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS || flag)
            return true;
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Comm_rank(on, &rank);
        if (PMPI_Isend("message", 8, MPI_CHAR, rank, c->v[tag] >= 0 ? (int)c->v[tag] : 0, on, &request) !=
            MPI_SUCCESS)
            return false;
        PMPI_Request_free(&request);
    }
    return false;
}

/* A send waits for its receive: one is posted for every message of the communicator, and taken back when it
 * was not needed. */
static MPI_Request sink_request = MPI_REQUEST_NULL;
static char sink[1 << 17];

static bool has_receive(struct call *c)
{
    int comm = find_kind(c, K_comm, 0);
    if (PMPI_Irecv(sink, sizeof sink, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, (MPI_Comm)c->v[comm],
                   &sink_request) != MPI_SUCCESS)
        sink_request = MPI_REQUEST_NULL;
    if (sink_request == MPI_REQUEST_NULL)
        return true;
    int flag; /* what had come before ends it at once */
    for (int i = 0; i < 1000; i++) {
        if (PMPI_Request_get_status(sink_request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS || !flag)
            return true;
        PMPI_Wait(&sink_request, MPI_STATUS_IGNORE);
        PMPI_Irecv(sink, sizeof sink, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, (MPI_Comm)c->v[comm],
                   &sink_request);
    }
    return false;
}

/* The send and the receive of one call meet each other, when no receive is posted and no message is waiting.
 */
static bool meets_itself(struct call *c)
{
    int to = find_kind(c, K_dest, 0), from = find_kind(c, K_source, 0), tag = find_kind(c, K_tag, 0),
        any = find_kind(c, K_anytag, 0);
    drain();
    if (c->v[to] == MPI_PROC_NULL || c->v[from] == MPI_PROC_NULL)
        c->v[to] = c->v[from] = MPI_PROC_NULL;
    if (c->v[any] != MPI_ANY_TAG && !c->bad[any])
        c->v[any] = c->v[tag];
    return !(c->bad[to] || c->bad[from]) || c->v[from] < -100 ||
           c->v[from] > 100; /* else who knows who sends to whom */
}

/* A request of an operation that is under way may be waited for in vain; such a one is left out. */
static bool is_done(int64_t handle)
{
    int flag = 1;
    if (PMPI_Request_get_status((MPI_Request)handle, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        flag = 1;
    for (int i = 0; i < TRIES && !flag && together && np > 1; i++)
        PMPI_Request_get_status((MPI_Request)handle, &flag, MPI_STATUS_IGNORE);
    return agree(flag);
}

static bool only_done(struct call *c)
{
    int at = find_kind(c, K_request, 0);
    if (c->v[at] == 0 || c->handles[at] == 0)
        return agree(true);
    int64_t *array = (int64_t *)c->v[at];
    for (int i = 0; i < c->handles[at]; i++)
        if (!is_done(array[i]))
            c->before[at][i] = array[i] = (int64_t)MPI_REQUEST_NULL;
    return true;
}

/* What waits until messages are gone: all that this rank has sent to itself is received first. */
static bool drained(struct call *c)
{
    (void)c;
    drain();
    return agree(true);
}

static bool drained_object(struct call *c)
{
    drain();
    return agree(c->function->n > 0);
}

/* A partitioned send that has been started and freed is never complete, as its partitions are not ready. */
static bool partitioned;

static bool drained_for_good(struct call *c) { return drained_object(c) && agree(!partitioned); }

/* MPI_Win_start waits for MPI_Win_post of the targets. */
static bool posted(struct call *c)
{
    int group = find_kind(c, K_group, 0), win = find_kind(c, K_win, 0);
    return agree(PMPI_Win_post((MPI_Group)c->v[group], 0, (MPI_Win)c->v[win]) == MPI_SUCCESS || c->fails);
}

/* MPI_Win_wait waits for MPI_Win_complete of the origins. */
static bool completed(struct call *c)
{
    int flag = 1;
    return agree(PMPI_Win_test((MPI_Win)c->v[0], &flag) != MPI_SUCCESS);
}

/* Two ranks that lock the same window exclusively wait for each other. */
static bool shares_lock(struct call *c)
{
    if (np > 1 && c->v[0] == MPI_LOCK_EXCLUSIVE)
        c->v[0] = MPI_LOCK_SHARED;
    return true;
}

/* A partner that is there is waited for. Here there is none. */
static bool no_partner(struct call *c) { return c->function->n > 0; }

static bool foreign_descriptor(struct call *c)
{
    static const int none[] = {-1, 0, 100000, INT32_MAX, INT32_MIN};
    c->v[0] = PICK(none);
    return true;
}

/* Space on disk is asked for in small pieces, or in ones that no disk has. */
static bool small_file(struct call *c)
{
    if (c->v[1] > 1 << 20 && c->v[1] < (int64_t)1 << 40)
        c->v[1] = 1 << 20;
    return true;
}

/* argv has seven words. */
static bool seven_words(struct call *c)
{
    if (c->v[1] != 0 && c->v[0] > 7)
        c->v[0] = 7;
    return true;
}

/* What an edge is at one end it is at the other: ranks do not compare, and neighbors wait for each other. */
static bool both_ends(struct call *c)
{
    int sources = find_param(c, "sources"), destinations = find_param(c, "destinations"), in = sources - 1,
        out = destinations - 1;
    if (c->v[in] == 0 || c->v[out] == 0)
        c->v[in] = c->v[out] = 0;
    if (c->v[sources] < 4096 || c->v[destinations] < 4096 || c->v[in] < 0 || c->v[out] < 0)
        return true;
    int n = (int)(c->v[in] < c->v[out] ? c->v[in] : c->v[out]) / np * np;
    c->v[in] = c->v[out] = n;
    for (int i = 0; i < n; i++)
        ((int *)c->v[sources])[i] = ((int *)c->v[destinations])[i] = c->bad[sources] ? -7 : i % np;
    return true;
}

/* Neighbors in a graph wait for each other: between two ranks there are as many edges in one direction as in
 * the other, and the rest leads from a rank to itself. */
static bool symmetric(struct call *c)
{
    int at_index = find_param(c, "indx"), at_edges = find_param(c, "edges");
    if (np != 2 || c->v[at_index - 1] != np || c->v[at_index] < 4096 || c->v[at_edges] < 4096)
        return true;
    const int *index = (const int *)c->v[at_index];
    int *edges = (int *)c->v[at_edges], n[2] = {index[0], index[1] - index[0]};
    bool right = n[0] >= 0 && n[1] >= 0 && index[1] <= MOST_ELEMENTS;
    for (int i = 0; right && i < index[1]; i++)
        right = edges[i] == 0 || edges[i] == 1;
    int both = n[0] < n[1] ? n[0] : n[1];
    for (int from = 0; right && from < 2; from++)
        for (int i = 0; i < n[from]; i++)
            edges[i + (from ? n[0] : 0)] = i < both ? 1 - from : from;
    return true;
}

/* A leader waits for the one that it names. */
static bool has_other_side(struct call *c)
{
    int size = 0, rank = 0;
    if (np == 1)
        return true;
    if (PMPI_Comm_size((MPI_Comm)c->v[2], &size) == MPI_SUCCESS && size == 2)
        PMPI_Comm_rank((MPI_Comm)c->v[2], &rank);
    if (!c->bad[0])
        c->v[0] = (int64_t)MPI_COMM_SELF;
    if (!c->bad[1])
        c->v[1] = 0;
    c->v[3] = c->bad[3] ? -7 : size == 2 ? 1 - rank : 0;
    return true;
}

static bool few_processes(struct call *c)
{
    int at = find_param(c, "maxprocs"), commands = find_param(c, "array_of_commands");
    if (commands >= 0 && c->v[commands] != 0 && c->v[0] > 7 && !addresses)
        c->v[0] = 7; /* there are no more of them */
    if (at >= 0 && c->v[at] > 2)
        c->v[at] = 2;
    int each = find_param(c, "array_of_maxprocs");
    for (int i = 0; each >= 0 && !addresses && c->v[each] != 0 && i < c->v[0] && i < 7; i++) {
        int *most = (int *)c->v[each] + i;
        *most = *most > 2 ? 2 : *most;
    }
    return chance(20); /* each takes a launcher's work */
}

/* A group that a call waits for the members of. */
static bool no_stranger(struct call *c) { return c->function->n > 0; }

/* A communicator that the program can do without. */
static bool made_here(struct call *c)
{
    return c->v[0] != (int64_t)MPI_COMM_WORLD && c->v[0] != (int64_t)MPI_COMM_SELF && agree(chance(20));
}

static const struct {
    const char *pattern;
    enum rule rule; /* with two ranks */
    bool (*may_call)(struct call *);
} rules[] = {
    {"MPI_Abort", ENDS, NULL},
    {"MPI_Finalize", ENDS, drained},
    {"MPIX_Comm_revoke", TOGETHER, made_here},
    {"MPIX_Comm_*agree", TOGETHER, NULL},
    {"MPIX_Comm_*shrink", TOGETHER, NULL},
    {"MPI_Send*_init*", ALONE, NULL},
    {"MPI_Sendrecv*", ALONE, meets_itself},
    {"MPI_Isendrecv*", ALONE, meets_itself},
    {"MPI_[SBR]end", ALONE, has_receive},
    {"MPI_[SBR]end_c", ALONE, has_receive},
    {"MPI_Send", ALONE, has_receive},
    {"MPI_Send_c", ALONE, has_receive},
    {"MPI_[SBR]send", ALONE, has_receive},
    {"MPI_[SBR]send_c", ALONE, has_receive},
    {"MPI_Recv", ALONE, has_message},
    {"MPI_Recv_c", ALONE, has_message},
    {"MPI_Probe", ALONE, has_message},
    {"MPI_Mprobe", ALONE, has_message},
    {"MPI_Wait*", ANYWHERE, only_done},
    {"MPI_Test_cancelled", ALONE, NULL},
    {"MPI_Test*", ANYWHERE, only_done},
    {"MPI_Start*", ALONE, NULL},
    {"MPI_Request_free", ANYWHERE, only_done},
    {"MPI_Buffer_*", ALONE, drained},
    {"MPI_*_flush_buffer", ALONE, drained},
    {"MPI_*_detach_buffer*", ALONE, drained},
    {"MPI_Comm_disconnect", TOGETHER, drained_for_good},
    {"MPI_Comm_free", TOGETHER, drained_object},
    {"MPI_Session_finalize", TOGETHER, drained_for_good},
    {"MPI_Win_start", TOGETHER, posted},
    {"MPI_Win_wait", TOGETHER, completed},
    {"MPI_Win_test", TOGETHER, completed},
    {"MPI_Win_lock", TOGETHER, shares_lock},
    {"MPI_Comm_accept", TOGETHER, no_partner},
    {"MPI_Comm_connect", TOGETHER, no_partner},
    {"MPI_Comm_join", TOGETHER, foreign_descriptor},
    {"MPI_Comm_spawn*", TOGETHER, few_processes},
    {"MPI_File_preallocate", TOGETHER, small_file},
    {"MPI_File_delete", TOGETHER, NULL},
    {"MPI_Info_create_env", ANYWHERE, seven_words},
    {"MPI_Session_init", TOGETHER, NULL},
    {"MPI_T_init_thread", TOGETHER, NULL},
    {"MPI_T_finalize", TOGETHER, NULL},
    {"MPI_Comm_create_from_group", TOGETHER, no_stranger},
    {"MPI_Intercomm_create", TOGETHER, has_other_side},
    {"MPI_Intercomm*", TOGETHER, no_stranger},
    {"MPI_Comm_c2f", ANYWHERE, NULL},
    {"MPI_Comm_dup*", TOGETHER, NULL},
    {"MPI_Comm_idup*", TOGETHER, NULL},
    {"MPI_Comm_create", TOGETHER, NULL},
    {"MPI_Comm_create_group", TOGETHER, NULL},
    {"MPI_Comm_split*", TOGETHER, NULL},
    {"MPI_Comm_set_info", TOGETHER, NULL},
    {"MPI_Op_*", ANYWHERE, NULL},
    {"MPI_Reduce_local*", ANYWHERE, NULL},
    {"MPI_Cart_c*r*", TOGETHER, NULL},
    {"MPI_Cart_sub", TOGETHER, NULL},
    {"MPI_Graph_create", TOGETHER, symmetric},
    {"MPI_Dist_graph_create_adjacent", TOGETHER, both_ends},
    {"MPI_Dist_graph_create*", TOGETHER, NULL},
    {"MPI_*eighbor_*", TOGETHER, NULL},
};

enum rule rule_of(const struct function *f)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (fnmatch(rules[i].pattern, f->name, 0) == 0)
            return rules[i].rule;
    if (strcmp(f->chapter, "p2p") == 0 || strcmp(f->chapter, "partitioned") == 0)
        return ALONE;
    if (strcmp(f->chapter, "coll") == 0 || strcmp(f->chapter, "rma") == 0 || strcmp(f->chapter, "io") == 0)
        return TOGETHER;
    return ANYWHERE;
}

bool may_call(struct call *c)
{
    for (int i = 0; i < c->function->n; i++)
        if (c->function->params[i].direction == OUT && is_full(c->function->params[i].kind)) {
            drain();
            return agree(false);
        }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (fnmatch(rules[i].pattern, c->function->name, 0) == 0)
            return rules[i].may_call == NULL || rules[i].may_call(c);
    return true;
}

void after_call(struct call *c, int rc)
{
    if (sink_request != MPI_REQUEST_NULL) {
        PMPI_Cancel(&sink_request);
        PMPI_Wait(&sink_request, MPI_STATUS_IGNORE);
    }
    /* The communicator is none before its request is complete. */
    int request = find_kind(c, K_request, 0);
    if (fnmatch("MPI*_Comm_i*", c->function->name, 0) == 0 && request >= 0 && agree(rc == MPI_SUCCESS))
        PMPI_Wait((MPI_Request *)c->v[request], MPI_STATUS_IGNORE);
    if (rc == MPI_SUCCESS && strcmp(c->function->chapter, "partitioned") == 0)
        partitioned = true;
    int memory = find_param(c, "baseptr");
    if (rc == MPI_SUCCESS && strcmp(c->function->name, "MPI_Alloc_mem") == 0 && good(c, memory))
        note_memory(*(int64_t *)c->v[memory], true);
    if (rc == MPI_SUCCESS && strcmp(c->function->name, "MPI_Free_mem") == 0)
        note_memory(c->v[0], false);
}

/* keeps_memory says of a call that succeeds whether the library may use its arguments later. */
bool keeps_memory(const struct function *f)
{
    for (int i = 0; i < f->n; i++)
        if (f->params[i].kind == K_request && f->params[i].direction == OUT)
            return true;
    return strcmp(f->chapter, "rma") == 0 || strstr(f->name, "_begin") || strstr(f->name, "ttach") ||
           strstr(f->name, "Buffer") || strstr(f->name, "Abi_");
}
