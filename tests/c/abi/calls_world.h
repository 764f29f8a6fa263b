/* What the calls of calls.c are made with: buffers, objects of every kind, partners of messages, and the
 * record of what was called. */
#ifndef CALLS_WORLD_H
#define CALLS_WORLD_H

#include "callbacks.h"
#include "check.h"
#include "zz_call_names.h"

/* How often each function was called, in the order of the names. */
enum { MOST_NAMES = 1000, NAMES = sizeof call_names / sizeof *call_names };
_Static_assert(NAMES <= MOST_NAMES, "more names than places");
static int called[MOST_NAMES];

static void call_noted(const char *call)
{
    const char *end = strchr(call, '(');
    size_t n = end ? (size_t)(end - call) : strlen(call);
    for (int i = 0; i < NAMES; i++)
        if (strlen(call_names[i]) == n && memcmp(call_names[i], call, n) == 0) {
            called[i]++;
            return;
        }
    check_fail(__FILE__, __LINE__, "no function is called %.*s", (int)n, call);
}

static void call_made(const char *file, int line, const char *call, int rc)
{
    call_noted(call);
    check_success(file, line, call, rc);
}

/* CALL is the call of a function for its own sake, VALUE of one that gives no error code, DO of one that
 * others need. */
#define CALL(call) call_made(__FILE__, __LINE__, #call, (call))
#define VALUE(call) (call_noted(#call), (call))
#define DO(call) CHECK_MPI(call)

enum { TAG = 5, MOST = 8, FILE_SIZE = 4096 };
static const char FILE_NAME[] = "calls.data";

/* Buffers: 4 ints for and from each rank, in each neighbor's place too. */
static int in[4 * MOST], out[4 * MOST];
static char room[1 << 16], text[MPI_MAX_LIBRARY_VERSION_STRING + MPI_MAX_PORT_NAME];
static int counts[MOST], displs[MOST], byte_displs[MOST];
static MPI_Count counts_c[MOST];
static MPI_Aint displs_c[MOST], byte_displs_c[MOST], byte_displs_aint[MOST];
static MPI_Datatype types[MOST];

static int left, right, comm_keyval, type_keyval, win_keyval;
static MPI_Comm the_comm, the_cart, the_graph, the_dist;
static MPI_Group the_group, session_group, neighbor_left, neighbor_right;
static MPI_Datatype the_type;
static MPI_Win the_win, shared_win, dynamic_win;
static MPI_File the_file;
static MPI_Info the_info;
static MPI_Session the_session;
static MPI_Status done; /* of a message of 4 ints */
static void *window_memory, *shared_memory;

/* Messages around the ring of the ranks: who sends has its receiver, who receives has its sender. */
static void receive_left(MPI_Request *r)
{
    DO(MPI_Irecv(in, 4, MPI_INT, left, TAG, the_comm, r));
    DO(MPI_Barrier(the_comm)); /* sends in ready mode may come */
}
static void send_right(MPI_Request *r) { DO(MPI_Isend(out, 4, MPI_INT, right, TAG, the_comm, r)); }

/* Both have ended, so that what a test of them says goes to its arguments. */
static void two_requests(MPI_Request r[2])
{
    receive_left(&r[0]);
    send_right(&r[1]);
    for (int i = 0, ended = 0; i < 2; i += ended)
        DO(MPI_Request_get_status(r[i], &ended, MPI_STATUS_IGNORE));
}
static void run_persistent(MPI_Request *r)
{
    DO(MPI_Start(r));
    DO(MPI_Wait(r, &done));
    DO(MPI_Request_free(r));
}

/* What calls have made is freed, unless it is predefined. */
static void free_comm(MPI_Comm *c)
{
    if (*c != MPI_COMM_NULL && *c != MPI_COMM_WORLD && *c != MPI_COMM_SELF)
        DO(MPI_Comm_free(c));
}
static void free_group(MPI_Group *g)
{
    if (*g != MPI_GROUP_NULL && *g != MPI_GROUP_EMPTY)
        DO(MPI_Group_free(g));
}
static void free_info(MPI_Info *i)
{
    if (*i != MPI_INFO_NULL)
        DO(MPI_Info_free(i));
}
static void free_type(MPI_Datatype *t)
{
    int combiner;
    MPI_Count integers, addresses, large_counts, datatypes;
    DO(MPI_Type_get_envelope_c(*t, &integers, &addresses, &large_counts, &datatypes, &combiner));
    if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
        combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER &&
        combiner != MPI_COMBINER_VALUE_INDEX)
        DO(MPI_Type_free(t));
}

static void make_world(void)
{
    right = (me + 1) % np;
    left = (me + np - 1) % np;
    DO(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    DO(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    DO(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    DO(MPI_Comm_dup(MPI_COMM_WORLD, &the_comm));
    for (int i = 0; i < MOST; i++) {
        counts[i] = counts_c[i] = 4;
        displs[i] = displs_c[i] = 4 * i;
        byte_displs[i] = byte_displs_c[i] = byte_displs_aint[i] = 16 * i;
        types[i] = MPI_INT;
    }
    DO(MPI_Comm_group(the_comm, &the_group));
    DO(MPI_Group_incl(the_group, 1, &left, &neighbor_left));
    DO(MPI_Group_incl(the_group, 1, &right, &neighbor_right));
    DO(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_keyval, NULL));
    DO(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, NULL));
    DO(MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &win_keyval, NULL));
    DO(MPI_Type_dup(MPI_INT, &the_type));
    DO(MPI_Info_create(&the_info));
    DO(MPI_Info_set(the_info, "key", "a value"));
    DO(MPI_Cart_create(the_comm, 1, &np, (int[]){1}, 0, &the_cart));
    int index[MOST], edges[MOST];
    for (int i = 0; i < np; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % np;
    }
    DO(MPI_Graph_create(the_comm, np, index, edges, 0, &the_graph));
    DO(MPI_Dist_graph_create_adjacent(the_comm, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &the_dist));
    DO(MPI_Win_allocate(1024, 4, MPI_INFO_NULL, the_comm, &window_memory, &the_win));
    DO(MPI_Win_allocate_shared(1024, 4, MPI_INFO_NULL, the_comm, &shared_memory, &shared_win));
    DO(MPI_Win_create_dynamic(MPI_INFO_NULL, the_comm, &dynamic_win));
    DO(MPI_Win_set_errhandler(the_win, MPI_ERRORS_RETURN));
    DO(MPI_Win_set_errhandler(shared_win, MPI_ERRORS_RETURN));
    DO(MPI_Win_set_errhandler(dynamic_win, MPI_ERRORS_RETURN));
    DO(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &the_session));
    DO(MPI_Group_from_session_pset(the_session, "mpi://WORLD", &session_group));
    CALL(MPI_File_open(the_comm, FILE_NAME, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &the_file));
    DO(MPI_File_set_size(the_file, FILE_SIZE));
    DO(MPI_Sendrecv(out, 4, MPI_INT, right, TAG, in, 4, MPI_INT, left, TAG, the_comm, &done));
}

static void free_world(void)
{
    DO(MPI_File_close(&the_file));
    if (me == 0)
        CALL(MPI_File_delete(FILE_NAME, MPI_INFO_NULL));
    DO(MPI_Win_free(&the_win));
    DO(MPI_Win_free(&shared_win));
    DO(MPI_Win_free(&dynamic_win));
    free_comm(&the_cart);
    free_comm(&the_graph);
    free_comm(&the_dist);
    free_group(&the_group);
    free_group(&session_group);
    free_group(&neighbor_left);
    free_group(&neighbor_right);
    free_info(&the_info);
    free_type(&the_type);
    DO(MPI_Comm_free_keyval(&comm_keyval));
    DO(MPI_Type_free_keyval(&type_keyval));
    DO(MPI_Win_free_keyval(&win_keyval));
    DO(MPI_Session_finalize(&the_session));
    free_comm(&the_comm);
}

#endif
