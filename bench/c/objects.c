/* objects.c - nanoseconds of calls about MPI objects.
 *
 *   mpiexec -n 2 ./objects <milliseconds per batch> <seconds> questions|making
 *
 * questions: calls that read or set what an object has, on a communicator that the program made.
 * making: objects are made and freed.
 */
#include "bench.h"

enum { KEYS = 12, RANKS = 8 };

static MPI_Comm pair, grid, neighbours;
static MPI_Group group, made_group;
static MPI_Datatype vector, structure, type, types_of[8];
static MPI_Info info, made_info;
static MPI_Win window;
static MPI_Op own, made_op;
static MPI_Errhandler handler;
static MPI_Request request;
static MPI_Status status;
static int keys[KEYS], n, flag, a[RANKS], b[RANKS], c[RANKS], numbers[64];
static const int lengths_of[3] = {1, 2, 3}, whole[2] = {8, 8}, part[2] = {4, 4}, first[2] = {2, 2};
static const MPI_Aint fields_at[3] = {0, 8, 24};
static MPI_Datatype fields[3];
static MPI_Aint lower, upper, place, places_of[8];
static char text[MPI_MAX_ERROR_STRING + MPI_MAX_INFO_VAL], packed[512];
static void *value;
static int *memory;

static void nothing(void *in, void *inout, int *length, MPI_Datatype *t)
{
    (void)in;
    (void)inout;
    (void)length;
    (void)t;
}

static void ignore(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

#define CALL(name, ...)                    \
    static void name(long times)           \
    {                                      \
        for (long i = 0; i < times; i++) { \
            __VA_ARGS__;                   \
        }                                  \
    }

CALL(comm_rank, MUST(MPI_Comm_rank(pair, &n)))
CALL(comm_get_name, MUST(MPI_Comm_get_name(pair, text, &n)))
CALL(comm_set_name, MUST(MPI_Comm_set_name(pair, "a name")))
CALL(comm_get_attr, MUST(MPI_Comm_get_attr(pair, keys[0], &value, &flag)))
CALL(comm_get_attrs, MUST(MPI_Comm_get_attr(pair, keys[i % KEYS], &value, &flag)))
CALL(comm_set_attr, MUST(MPI_Comm_set_attr(pair, keys[i % KEYS], text)))
CALL(comm_get_errhandler, MUST(MPI_Comm_get_errhandler(pair, &handler)); MUST(MPI_Errhandler_free(&handler)))
CALL(comm_set_errhandler, MUST(MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN)))
CALL(comm_group, MUST(MPI_Comm_group(pair, &made_group)); MUST(MPI_Group_free(&made_group)))
CALL(cart_coords, MUST(MPI_Cart_coords(grid, 1, 2, a)))
CALL(cart_shift, MUST(MPI_Cart_shift(grid, 0, 1, &a[0], &a[1])))
CALL(dist_neighbors, MUST(MPI_Dist_graph_neighbors(neighbours, 1, a, MPI_UNWEIGHTED, 1, b, MPI_UNWEIGHTED)))
CALL(translate, MUST(MPI_Group_translate_ranks(group, 2, c, group, b)))
CALL(type_size, MUST(MPI_Type_size(vector, &n)))
CALL(type_extent, MUST(MPI_Type_get_extent(structure, &lower, &upper)))
CALL(type_envelope, MUST(MPI_Type_get_envelope(vector, &a[0], &a[1], &a[2], &a[3])))
CALL(type_contents, MUST(MPI_Type_get_contents(structure, 8, 8, 8, numbers, places_of, types_of)))
CALL(type_name, MUST(MPI_Type_get_name(MPI_DOUBLE, text, &n)))
CALL(get_count, MUST(MPI_Get_count(&status, MPI_INT, &n)))
CALL(get_elements, MUST(MPI_Get_elements(&status, vector, &n)))
CALL(pack, n = 0; MUST(MPI_Pack(numbers, 1, vector, packed, sizeof packed, &n, pair)))
CALL(pack_external, place = 0; MUST(MPI_Pack_external("external32", numbers, 4, MPI_INT, packed, 256, &place)))
CALL(reduce_local, MUST(MPI_Reduce_local(a, b, 1, MPI_INT, own)))
CALL(info_nkeys, MUST(MPI_Info_get_nkeys(info, &n)))
#if MPI_VERSION >= 4
CALL(info_get, n = 64; MUST(MPI_Info_get_string(info, "key 5", &n, text, &flag)))
#endif
CALL(info_nthkey, MUST(MPI_Info_get_nthkey(info, 3, text)))
CALL(win_attr, MUST(MPI_Win_get_attr(window, MPI_WIN_SIZE, &value, &flag)))
CALL(win_group, MUST(MPI_Win_get_group(window, &made_group)); MUST(MPI_Group_free(&made_group)))
CALL(win_name, MUST(MPI_Win_get_name(window, text, &n)))
CALL(error_string, MUST(MPI_Error_string(MPI_ERR_COUNT, text, &n)))
CALL(test_null, request = MPI_REQUEST_NULL; MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE)))
CALL(iprobe, MUST(MPI_Iprobe(MPI_ANY_SOURCE, 7, pair, &flag, &status)))
CALL(dims_create, a[0] = a[1] = 0; MUST(MPI_Dims_create(12, 2, a)))
CALL(cancel, MUST(MPI_Irecv(numbers, 1, MPI_INT, 1 - rank, 7, pair, &request)); MUST(MPI_Cancel(&request));
     MUST(MPI_Wait(&request, &status)))
CALL(barrier_self, MUST(MPI_Barrier(MPI_COMM_SELF)))

CALL(contiguous, MUST(MPI_Type_contiguous(3, MPI_DOUBLE, &type)); MUST(MPI_Type_free(&type)))
CALL(committed, MUST(MPI_Type_vector(4, 1, 3, MPI_DOUBLE, &type)); MUST(MPI_Type_commit(&type));
     MUST(MPI_Type_free(&type)))
CALL(indexed, MUST(MPI_Type_indexed(RANKS, a, b, MPI_INT, &type)); MUST(MPI_Type_commit(&type));
     MUST(MPI_Type_free(&type)))
CALL(structured, MUST(MPI_Type_create_struct(3, lengths_of, fields_at, fields, &type));
     MUST(MPI_Type_commit(&type)); MUST(MPI_Type_free(&type)))
CALL(subarray, MUST(MPI_Type_create_subarray(2, whole, part, first, MPI_ORDER_C, MPI_INT, &type));
     MUST(MPI_Type_free(&type)))
CALL(dup_type, MUST(MPI_Type_dup(vector, &type)); MUST(MPI_Type_free(&type)))
CALL(resized, MUST(MPI_Type_create_resized(vector, 0, 96, &type)); MUST(MPI_Type_free(&type)))
CALL(incl, MUST(MPI_Group_incl(group, 1, c, &made_group)); MUST(MPI_Group_free(&made_group)))
CALL(dup_comm, MPI_Comm d; MUST(MPI_Comm_dup(pair, &d)); MUST(MPI_Comm_free(&d)))
CALL(split, MPI_Comm d; MUST(MPI_Comm_split(pair, 0, rank, &d)); MUST(MPI_Comm_free(&d)))
CALL(make_info, MUST(MPI_Info_create(&made_info)); MUST(MPI_Info_set(made_info, "key", "value"));
     MUST(MPI_Info_free(&made_info)))
CALL(make_op, MUST(MPI_Op_create(nothing, 1, &made_op)); MUST(MPI_Op_free(&made_op)))
CALL(make_handler, MUST(MPI_Comm_create_errhandler(ignore, &handler)); MUST(MPI_Errhandler_free(&handler)))
CALL(make_key, MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &n, NULL));
     MUST(MPI_Comm_free_keyval(&n)))
CALL(make_request, MUST(MPI_Send_init(a, 1, MPI_INT, 1 - rank, 0, pair, &request));
     MUST(MPI_Request_free(&request)))
CALL(allocate, MPI_Win w; MUST(MPI_Win_allocate(4096, 1, MPI_INFO_NULL, pair, &value, &w));
     MUST(MPI_Win_free(&w)))
CALL(create_window, MPI_Win w; MUST(MPI_Win_create(numbers, sizeof numbers, 1, MPI_INFO_NULL, pair, &w));
     MUST(MPI_Win_free(&w)))

static const struct subject {
    const char *name;
    void (*repeat)(long);
} questions[] = {
    {"MPI_Comm_rank", comm_rank},
    {"MPI_Comm_get_name", comm_get_name},
    {"MPI_Comm_set_name", comm_set_name},
    {"MPI_Comm_get_attr", comm_get_attr},
    {"MPI_Comm_get_attr of 12 keys", comm_get_attrs},
    {"MPI_Comm_set_attr of 12 keys", comm_set_attr},
    {"MPI_Comm_get_errhandler, free", comm_get_errhandler},
    {"MPI_Comm_set_errhandler", comm_set_errhandler},
    {"MPI_Comm_group, free", comm_group},
    {"MPI_Cart_coords", cart_coords},
    {"MPI_Cart_shift", cart_shift},
    {"MPI_Dist_graph_neighbors", dist_neighbors},
    {"MPI_Group_translate_ranks", translate},
    {"MPI_Type_size", type_size},
    {"MPI_Type_get_extent", type_extent},
    {"MPI_Type_get_envelope", type_envelope},
    {"MPI_Type_get_contents", type_contents},
    {"MPI_Type_get_name", type_name},
    {"MPI_Get_count", get_count},
    {"MPI_Get_elements", get_elements},
    {"MPI_Pack of a vector", pack},
    {"MPI_Pack_external", pack_external},
    {"MPI_Reduce_local, own operation", reduce_local},
    {"MPI_Info_get_nkeys", info_nkeys},
#if MPI_VERSION >= 4
    {"MPI_Info_get_string", info_get},
#endif
    {"MPI_Info_get_nthkey", info_nthkey},
    {"MPI_Win_get_attr", win_attr},
    {"MPI_Win_get_group, free", win_group},
    {"MPI_Win_get_name", win_name},
    {"MPI_Error_string", error_string},
    {"MPI_Test of MPI_REQUEST_NULL", test_null},
    {"MPI_Iprobe in vain", iprobe},
    {"MPI_Dims_create", dims_create},
    {"MPI_Irecv, MPI_Cancel, MPI_Wait", cancel},
    {"MPI_Barrier on MPI_COMM_SELF", barrier_self},
}, makings[] = {
    {"MPI_Type_contiguous", contiguous},
    {"MPI_Type_vector, committed", committed},
    {"MPI_Type_indexed of 8 blocks, committed", indexed},
    {"MPI_Type_create_struct of 3 fields, committed", structured},
    {"MPI_Type_create_subarray", subarray},
    {"MPI_Type_dup", dup_type},
    {"MPI_Type_create_resized", resized},
    {"MPI_Group_incl", incl},
    {"MPI_Comm_dup", dup_comm},
    {"MPI_Comm_split", split},
    {"MPI_Info_create with a key", make_info},
    {"MPI_Op_create", make_op},
    {"MPI_Comm_create_errhandler", make_handler},
    {"MPI_Comm_create_keyval", make_key},
    {"MPI_Send_init", make_request},
    {"MPI_Win_allocate", allocate},
    {"MPI_Win_create", create_window},
};

static void prepare(void)
{
    const int dims[2] = {size, 1}, periods[2] = {1, 0}, lengths[2] = {1, 2};
    const MPI_Aint places[2] = {0, 8};
    const MPI_Datatype two[2] = {MPI_INT, MPI_DOUBLE};
    int peer = (rank + 1) % size, from = (rank + size - 1) % size;
    char key[16];

    fields[0] = MPI_INT;
    fields[1] = MPI_DOUBLE;
    fields[2] = MPI_CHAR;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &pair));
    MUST(MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_name(pair, "pair"));
    MUST(MPI_Cart_create(pair, 2, dims, periods, 0, &grid));
    MUST(MPI_Dist_graph_create_adjacent(pair, 1, &from, MPI_UNWEIGHTED, 1, &peer, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &neighbours));
    MUST(MPI_Comm_group(pair, &group));
    MUST(MPI_Type_vector(4, 2, 5, MPI_INT, &vector));
    MUST(MPI_Type_commit(&vector));
    MUST(MPI_Type_create_struct(2, lengths, places, two, &structure));
    MUST(MPI_Type_commit(&structure));
    for (int i = 0; i < KEYS; i++) {
        MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keys[i], NULL));
        MUST(MPI_Comm_set_attr(pair, keys[i], text));
    }
    MUST(MPI_Info_create(&info));
    for (int i = 0; i < RANKS; i++) {
        snprintf(key, sizeof key, "key %d", i);
        MUST(MPI_Info_set(info, key, "value"));
        a[i] = 1 + i % 2;
        b[i] = 3 * i;
        c[i] = i % size;
    }
    MUST(MPI_Win_allocate(4096, 4, MPI_INFO_NULL, pair, &memory, &window));
    MUST(MPI_Op_create(nothing, 0, &own));
    MUST(MPI_Sendrecv(numbers, 4, MPI_INT, peer, 1, numbers + 8, 4, MPI_INT, from, 1, pair, &status));
}

static void finish(void)
{
    MUST(MPI_Win_free(&window));
    MUST(MPI_Op_free(&own));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Type_free(&structure));
    MUST(MPI_Type_free(&vector));
    MUST(MPI_Group_free(&group));
    MUST(MPI_Comm_free(&neighbours));
    MUST(MPI_Comm_free(&grid));
    MUST(MPI_Comm_free(&pair));
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    prepare();
    const int making = argc > 3 && strcmp(argv[3], "making") == 0;
    const struct subject *all = making ? makings : questions;
    const size_t subjects = (making ? sizeof makings : sizeof questions) / sizeof all[0];
    for (size_t i = 0; i < subjects && time_left(); i++) {
        ATTEMPT(all[i].name)
            result(0, seconds_each(all[i].repeat) * 1e9);
    }
    finish();
    MPI_Finalize();
    return 0;
}
