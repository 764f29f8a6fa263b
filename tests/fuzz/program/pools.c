/* The objects that calls have made, by kind: those that all ranks have made together, and this rank's own. */
#include "fuzz.h"
#include <string.h>

enum { MOST_LIVE = 24, MOST_FREED = 16 };

struct pool {
    int64_t live[2][MOST_LIVE]; /* shared, own */
    int n[2];
    int64_t freed[2][MOST_FREED];
    int freed_count[2];
};
static struct pool pools[KINDS];

bool is_handle(enum kind kind)
{
    switch (kind) {
    case K_comm:
    case K_group:
    case K_type:
    case K_op:
    case K_errh:
    case K_info:
    case K_request:
    case K_message:
    case K_win:
    case K_file:
    case K_anyfile:
    case K_session:
    case K_keyval:
    case K_tenum:
    case K_cvar:
    case K_pvar:
    case K_pvsession:
    case K_evreg:
    case K_evinst: return true;
    default: return false;
    }
}

enum kind pool_of(enum kind kind) { return kind == K_anyfile ? K_file : kind; }

static const int64_t comms[] = {(int64_t)MPI_COMM_WORLD, (int64_t)MPI_COMM_SELF};
static const int64_t groups[] = {(int64_t)MPI_GROUP_EMPTY};
static const int64_t types[] = {(int64_t)MPI_INT,
                                (int64_t)MPI_CHAR,
                                (int64_t)MPI_BYTE,
                                (int64_t)MPI_DOUBLE,
                                (int64_t)MPI_SHORT,
                                (int64_t)MPI_LONG,
                                (int64_t)MPI_INT8_T,
                                (int64_t)MPI_UINT64_T,
                                (int64_t)MPI_C_BOOL,
                                (int64_t)MPI_PACKED,
                                (int64_t)MPI_FLOAT,
                                (int64_t)MPI_DOUBLE_INT,
                                (int64_t)MPI_LONG_DOUBLE,
                                (int64_t)MPI_2INT,
                                (int64_t)MPI_SHORT_INT,
                                (int64_t)MPI_AINT,
                                (int64_t)MPI_COUNT,
                                (int64_t)MPI_WCHAR,
                                (int64_t)MPI_C_DOUBLE_COMPLEX,
                                (int64_t)MPI_UNSIGNED,
                                (int64_t)MPI_INT,
                                (int64_t)MPI_INT,
                                (int64_t)MPI_BYTE};
static const int64_t ops[] = {
    (int64_t)MPI_SUM,  (int64_t)MPI_MAX,    (int64_t)MPI_MIN,     (int64_t)MPI_PROD,  (int64_t)MPI_BAND,
    (int64_t)MPI_LXOR, (int64_t)MPI_MAXLOC, (int64_t)MPI_REPLACE, (int64_t)MPI_NO_OP, (int64_t)MPI_SUM};
static const int64_t errhs[] = {(int64_t)MPI_ERRORS_RETURN};
static const int64_t infos[] = {(int64_t)MPI_INFO_NULL, (int64_t)MPI_INFO_ENV, (int64_t)MPI_INFO_NULL};
static const int64_t requests[] = {(int64_t)MPI_REQUEST_NULL};
static const int64_t messages[] = {(int64_t)MPI_MESSAGE_NO_PROC};
static const int64_t files[] = {(int64_t)MPI_FILE_NULL};
static const int64_t keyvals[] = {MPI_TAG_UB, MPI_WIN_BASE, MPI_UNIVERSE_SIZE, MPI_LASTUSEDCODE,
                                  MPI_WIN_MODEL};

/* predefined are the handles of a kind that are always there. */
static const int64_t *predefined(enum kind kind, int *n)
{
#define LIST(list) (*n = (int)(sizeof(list) / sizeof *(list)), (list))
    switch (kind) {
    case K_comm: return LIST(comms);
    case K_group: return LIST(groups);
    case K_type: return LIST(types);
    case K_op: return LIST(ops);
    case K_errh: return LIST(errhs);
    case K_info: return LIST(infos);
    case K_request: return LIST(requests);
    case K_message: return LIST(messages);
    case K_anyfile: return LIST(files);
    case K_keyval: return LIST(keyvals);
    default: *n = 0; return NULL;
    }
}

static const int64_t nulls[] = {(int64_t)MPI_COMM_NULL,
                                (int64_t)MPI_GROUP_NULL,
                                (int64_t)MPI_DATATYPE_NULL,
                                (int64_t)MPI_OP_NULL,
                                (int64_t)MPI_ERRHANDLER_NULL,
                                (int64_t)MPI_INFO_NULL,
                                (int64_t)MPI_REQUEST_NULL,
                                (int64_t)MPI_MESSAGE_NULL,
                                (int64_t)MPI_WIN_NULL,
                                (int64_t)MPI_FILE_NULL,
                                (int64_t)MPI_SESSION_NULL,
                                MPI_KEYVAL_INVALID,
                                0};

/* is_null says of a handle that it is the null handle of some kind. */
static bool is_null(int64_t handle)
{
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        if (nulls[i] == handle)
            return true;
    return false;
}

/* own_side is 1 in a call that this rank makes alone. */
static int own_side(void) { return np > 1 && !together; }

static bool is_live(enum kind kind, int side, int64_t handle)
{
    struct pool *p = &pools[pool_of(kind)];
    for (int i = 0; i < p->n[side]; i++)
        if (p->live[side][i] == handle)
            return true;
    return false;
}

/* is_new reports whether handle is none of those that are always there, nor one that is remembered. */
bool is_new(enum kind kind, int64_t handle)
{
    int n;
    const int64_t *known = predefined(kind, &n);
    for (int i = 0; i < n; i++)
        if (known[i] == handle)
            return false;
    return !is_null(handle) && handle != (int64_t)MPI_MESSAGE_NO_PROC &&
           handle != (int64_t)MPI_ERRORS_ARE_FATAL && handle != (int64_t)MPI_ERRORS_ABORT &&
           !is_live(kind, own_side(), handle);
}

void remember(enum kind kind, int64_t handle)
{
    int side = own_side();
    struct pool *p = &pools[pool_of(kind)];
    if (is_new(kind, handle) && p->n[side] < MOST_LIVE)
        p->live[side][p->n[side]++] = handle;
}

/* is_full says that an object more would be lost: what waits for it could not be ended any more. */
bool is_full(enum kind kind)
{
    struct pool *p = &pools[pool_of(kind)];
    return is_handle(kind) && p->n[own_side()] >= MOST_LIVE - 4;
}

void forget(enum kind kind, int64_t handle)
{
    struct pool *p = &pools[pool_of(kind)];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->n[side]; i++)
            if (p->live[side][i] == handle)
                p->live[side][i] = p->live[side][--p->n[side]];
    if (!is_null(handle))
        p->freed[own_side()][p->freed_count[own_side()]++ % MOST_FREED] = handle;
}

/* live_handle is a handle of a kind. own: one that this call may end. */
int64_t live_handle(enum kind kind, bool own, bool *found)
{
    int n;
    const int64_t *known = predefined(kind, &n);
    struct pool *p = &pools[pool_of(kind)];
    bool local = own_side() == 1;
    int shared = own && local ? 0 : p->n[0], mine = local ? p->n[1] : 0, all = shared + mine;
    *found = all + n > 0;
    if (!*found)
        return 0;
    if (all == 0 || (n > 0 && chance(kind == K_request || kind == K_anyfile || kind == K_message ? 10 : 50)))
        return known[below(n)];
    int i = below(all);
    return i < shared ? p->live[0][i] : p->live[1][i - shared];
}

int each_live(enum kind kind, int64_t *handles, int most)
{
    struct pool *p = &pools[kind];
    int n = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->n[side] && n < most; i++)
            handles[n++] = p->live[side][i];
    return n;
}

static int64_t odd_handle(enum kind kind, bool *certain)
{
    static const enum kind others[] = {K_comm, K_group,   K_type, K_op,   K_errh,
                                       K_info, K_request, K_win,  K_file, K_session};
    static const int64_t garbage[] = {0,
                                      1,
                                      2,
                                      -1,
                                      4095,
                                      4096,
                                      4097,
                                      INT32_MAX,
                                      INT32_MIN,
                                      INT64_MAX,
                                      INT64_MIN,
                                      0x12345678,
                                      0x7fffffff00000101};
    struct pool *p = &pools[pool_of(kind)];
    int side = own_side(), freed = p->freed_count[side];
    bool found;
    *certain = false;
    switch (below(6)) {
    case 0: return nulls[below(sizeof nulls / sizeof *nulls)];
    case 1:
        if (freed > 0)
            return p->freed[side][below(freed < MOST_FREED ? freed : MOST_FREED)];
        return below(0x400);
    case 2: {
        enum kind other = PICK(others);
        return other == kind ? 0 : live_handle(other, true, &found);
    }
    case 3: {
        int64_t near = live_handle(kind, true, &found);
        return near + ((int64_t)1 << below(34));
    }
    case 4: return below(0x400);
    default: *certain = true; return PICK(garbage);
    }
}

/* bad_handle is none of this kind, as far as one can know: certain says that it is known. One that names an
 * object of the ranks together is not for a call of one rank, which may end it, nor is one that names an
 * object of one rank for a call of all. */
int64_t bad_handle(enum kind kind, bool *certain)
{
    int64_t handle = odd_handle(kind, certain);
    int keys;
    bool others = np > 1 && is_live(kind, 1 - own_side(), handle);
    if (np > 1 && together && kind == K_info) /* one rank may have made an object of it that is not known */
        others = others || PMPI_Info_get_nkeys((MPI_Info)handle, &keys) == MPI_SUCCESS;
    return agree(!others) ? handle : 0;
}

/* takes_long says of a datatype that it has many bytes in little memory: to copy them takes minutes. */
static bool takes_long(MPI_Datatype type)
{
    MPI_Count bytes = 0, lb = 0, span = 0;
    PMPI_Type_size_c(type, &bytes);
    PMPI_Type_get_true_extent_c(type, &lb, &span);
    return bytes > 1 << 28 && bytes / 2 > span;
}

/* adopt lets errors of a new object return. */
void adopt(enum kind kind, int64_t handle)
{
    if (kind == K_type && takes_long((MPI_Datatype)handle)) {
        PMPI_Type_free(&(MPI_Datatype){(MPI_Datatype)handle});
        return;
    }
    switch (kind) {
    case K_comm: PMPI_Comm_set_errhandler((MPI_Comm)handle, MPI_ERRORS_RETURN); break;
    case K_win: PMPI_Win_set_errhandler((MPI_Win)handle, MPI_ERRORS_RETURN); break;
    case K_file: PMPI_File_set_errhandler((MPI_File)handle, MPI_ERRORS_RETURN); break;
    case K_session: PMPI_Session_set_errhandler((MPI_Session)handle, MPI_ERRORS_RETURN); break;
    default: break;
    }
    remember(kind, handle);
}

void drop_request(MPI_Request request)
{
    int flag = 0;
    forget(K_request, (int64_t)request);
    if (PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return;
    if (!flag)
        PMPI_Cancel(&request);
    PMPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL)
        PMPI_Request_free(&request);
}

/* drain_comm receives what this rank has sent to itself, so that nothing on comm waits. */
void drain_comm(MPI_Comm comm)
{
    static char sink[1 << 17];
    for (int i = 0; i < 1000; i++) {
        int flag = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        if (PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS ||
            !flag)
            return;
        PMPI_Mrecv(sink, sizeof sink, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
}

/* end_sessions is for the end of a batch: a process whose session is open has not left MPI. */
void end_sessions(void)
{
    int64_t handles[2 * MOST_LIVE];
    int n = each_live(K_session, handles, 2 * MOST_LIVE);
    for (int i = 0; i < n; i++) {
        MPI_Session session = (MPI_Session)handles[i];
        PMPI_Session_finalize(&session);
    }
}

/* drain ends what is on its way within this rank. */
void drain(void)
{
    int64_t handles[2 * MOST_LIVE];
    int n = each_live(K_request, handles, 2 * MOST_LIVE);
    if (np == 1)
        for (int i = 0; i < n; i++)
            drop_request((MPI_Request)handles[i]);
    else /* those that ranks have begun together end together */
        for (int i = 0; i < pools[K_request].n[1];)
            drop_request((MPI_Request)pools[K_request].live[1][i]);
    n = each_live(K_message, handles, 2 * MOST_LIVE);
    for (int i = 0; i < n; i++) {
        static char sink[1 << 17];
        MPI_Message message = (MPI_Message)handles[i];
        forget(K_message, handles[i]);
        PMPI_Mrecv(sink, sizeof sink, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    n = each_live(K_comm, handles, 2 * MOST_LIVE);
    for (int i = 0; i < n; i++)
        drain_comm((MPI_Comm)handles[i]);
    drain_comm(MPI_COMM_WORLD);
    drain_comm(MPI_COMM_SELF);
}
