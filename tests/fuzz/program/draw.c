/* An argument for each parameter, by its kind. */
#include "fuzz.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

int find_kind(const struct call *c, enum kind kind, int from)
{
    for (int i = from; i < c->function->n; i++)
        if (c->function->params[i].kind == kind)
            return i;
    return -1;
}

int find_param(const struct call *c, const char *name)
{
    for (int i = 0; i < c->function->n; i++)
        if (strcmp(c->function->params[i].name, name) == 0)
            return i;
    return -1;
}

/* draw_rank is a rank in the communicator, window or group of the call. */
static int64_t draw_rank(struct call *c, int i)
{
    static const int odd[] = {
        -1, -2, -3, -4, -5, -100, 1, 2, 3, 7, 1000, INT_MAX, INT_MIN, MPI_ROOT, MPI_UNDEFINED, MPI_PROC_NULL};
    enum kind kind = c->function->params[i].kind;
    int size = 1, rank = 0, at = find_kind(c, K_comm, 0), inter = 0;
    bool known = at >= 0 && !c->bad[at] && c->function->params[at].direction == IN;
    if (known)
        PMPI_Comm_test_inter((MPI_Comm)c->v[at], &inter);
    if (c->bad[i]) {
        int value = PICK(odd);
        if (kind == K_root && inter && value == MPI_ROOT)
            return INT_MAX; /* two roots would wait for each other */
        bool other = np > 1 && !together && value >= 0 && value < np; /* who does not answer */
        return other && (kind == K_dest || kind == K_source) ? INT_MAX : value;
    }
    if (known) {
        MPI_Comm comm = (MPI_Comm)c->v[at];
        PMPI_Comm_rank(comm, &rank);
        PMPI_Comm_size(comm, &size);
    } else if (find_kind(c, K_win, 0) >= 0) {
        size = np;
    }
    if (kind == K_dest || kind == K_source) {
        if (chance(12))
            return MPI_PROC_NULL;
        if (kind == K_source && chance(30))
            return MPI_ANY_SOURCE;
        if (np == 1 || (!together && !inter))
            return rank;
        return together && size + inter == 2 ? (inter ? 0 : 1 - rank) : MPI_PROC_NULL;
    }
    if (kind == K_root && inter)
        return rank == 0 && me == 0 ? MPI_ROOT : 0; /* between two groups of one rank */
    return size > 0 ? below(size) : 0;
}

static int64_t draw_status(const struct param *p)
{
    static MPI_Status seen;
    int flag;
    char *s = take(sizeof(MPI_Status), 0, p->direction == IN ? 0 : sizeof(MPI_Status));
    switch (below(3)) {
    case 0:
        PMPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_SELF, &flag, &seen);
        memcpy(s, &seen, sizeof seen);
        break;
    case 1: memset(s, 0, sizeof seen); break;
    default:
        for (size_t i = 0; i < sizeof seen; i++)
            s[i] = (char)roll();
    }
    return (int64_t)s;
}

bool rooted;
bool among_neighbors;

/* is_committed says of a type that it may be used in communication. */
static bool is_committed(int64_t type)
{
    int position = 0;
    char room[1];
    return PMPI_Pack(room, 0, (MPI_Datatype)type, room, 0, &position, MPI_COMM_SELF) == MPI_SUCCESS;
}

static int64_t draw_handle(struct call *c, int i, bool own)
{
    const struct param *p = &c->function->params[i];
    bool found = true, certain = false;
    if (rooted && p->kind == K_type)
        return (int64_t)(chance(50) ? MPI_INT : MPI_BYTE);
    if (!c->bad[i]) {
        int64_t handle = live_handle(p->kind, own, &found);
        if (found && among_neighbors && p->kind == K_type && !is_committed(handle))
            return (int64_t)MPI_INT;
        if (found)
            return handle;
    }
    int64_t handle = bad_handle(p->kind, &certain);
    if (p->kind == K_errh && (handle == (int64_t)MPI_ERRORS_ARE_FATAL || handle == (int64_t)MPI_ERRORS_ABORT))
        handle = 0; /* an error would end the batch, as it should */
    c->bad[i] = true;
    c->fails = c->fails || (certain && p->kind != K_keyval);
    return handle;
}

/* draw_scalar is the value of one element. */
static int64_t draw_scalar(struct call *c, int i, bool bad)
{
    static const int64_t tags[] = {0, 1, 5, 32767, 0, 0, 1},
                         bad_tags[] = {-1, -2, -100, INT_MAX, INT_MIN, MPI_ANY_TAG};
    static const int64_t places[] = {0, 0, 1, 4, 8, 16, 64, 100, 1000, 4096};
    static const int64_t far_places[] = {-1,
                                         -8,
                                         -4096,
                                         (int64_t)1 << 31,
                                         (int64_t)1 << 40,
                                         INT64_MAX,
                                         INT64_MIN,
                                         (int64_t)1 << 62,
                                         INT_MAX,
                                         INT_MIN,
                                         123456789,
                                         -((int64_t)1 << 33)};
    const struct param *p = &c->function->params[i];
    int64_t value;
    switch (p->kind) {
    case K_count:
    case K_num:
    case K_bytes:
    case K_mcount:
        value = strncmp(p->name, "array_of_", 9) == 0 && p->kind == K_num && !bad
                    ? draw_int(p, false)
                    : draw_size(p->size == 8, bad);
        break;
    case K_len: value = bad ? draw_size(false, true) : below(6); break;
    case K_displ:
    case K_adispl:
    case K_aint:
    case K_offset:
    case K_fint: value = bad ? PICK(far_places) : PICK(places); break;
    case K_rank:
    case K_dest:
    case K_source:
    case K_root:
    case K_target: return draw_rank(c, i);
    case K_tag: value = bad ? PICK(bad_tags) : PICK(tags); break;
    case K_anytag: value = bad ? PICK(bad_tags) : chance(30) ? MPI_ANY_TAG : PICK(tags); break;
    case K_flag: value = bad ? (int64_t)(int)roll() : below(2); break;
    case K_errcode: value = bad ? draw_int(p, true) : below(70); break;
    default:
        value = draw_int(p, bad);
        if (!addresses && (strcmp(p->name, "indx") == 0 ||
                           strstr(p->name, "degree"))) /* of a graph: MOST_BLOCKS neighbors at most */
            value = value > 3 ? 3 : value;
    }
    return p->size == 4 ? (int)value : value;
}

static void store(char *to, size_t size, int64_t value) { memcpy(to, &value, size < 8 ? size : 8); }

/* draw_array is an array of handles or numbers. */
static int64_t draw_array(struct call *c, int i)
{
    const struct param *p = &c->function->params[i];
    int64_t n = p->length >= 0 ? c->v[p->length] : p->room ? (int64_t)p->room : MOST_ELEMENTS;
    bool bad = c->bad[i], handles = is_handle(p->kind);
    if (strncmp(c->function->name, "MPI_Type_get_contents", 21) == 0 && p->length >= 0 &&
        p->direction == OUT && n > 1000)
        n = 1000;
    if (p->length >= 0 && c->function->params[p->length].direction != IN) { /* by address */
        int *length = (int *)c->v[p->length];
        n = c->bad[p->length] || !length ? 0 : *length;
    }
    if (p->kind == K_str && p->length >= 0 && c->function->params[p->length].direction == IN)
        n++; /* MPI_Info_get writes a zero behind it */
    if (n < 0)
        n = 0;
    if (bad && chance(30)) {
        c->fails = c->fails || (p->length >= 0 && n > 0 && p->direction != OUT);
        return 0;
    }
    if (bad && addresses && chance(30))
        return bad_address();
    if (bad && strstr(p->name, "weights"))
        return (int64_t)(chance(50) ? MPI_UNWEIGHTED : MPI_WEIGHTS_EMPTY);
    if (n > 1 << 16) {
        if (!addresses) /* it would be read */
            return 0;
        n = MOST_ELEMENTS;
    }
    if (p->kind == K_status && chance(20))
        return (int64_t)MPI_STATUSES_IGNORE;
    if (strstr(c->function->name, "Get_hw") == NULL && p->kind == K_str && p->length < 0 && p->room == 0)
        n = MPI_MAX_PSET_NAME_LEN;
    if (strcmp(p->name, "edges") == 0 || strcmp(p->name, "array_of_errcodes") == 0 ||
        strcmp(p->name, "destinations") == 0 || strstr(p->name, "weights"))
        n = 1024; /* the sum of the degrees, or of the processes */
    size_t bytes = (size_t)n * p->size;
    char *array = take(bytes, 0, p->direction == IN ? 0 : bytes);
    for (int64_t k = 0; k < n && p->direction != OUT; k++) {
        bool odd = bad && chance(30);
        char *element = array + (size_t)k * p->size;
        if (handles) {
            bool was = c->bad[i], failed = c->fails;
            c->bad[i] = odd;
            int64_t handle = draw_handle(c, i, p->direction == INOUT);
            c->bad[i] = c->bad[i] || was;
            c->fails = p->length < 0 ? failed : c->fails; /* this element may not be looked at */
            store(element, p->size, handle);
        } else if (p->kind == K_range) {
            int triplet[3] = {below(np), below(np), chance(50) ? 1 : -1};
            if (odd)
                triplet[below(3)] = draw_int(p, true);
            memcpy(element, triplet, sizeof triplet);
        } else {
            bool was = c->bad[i];
            c->bad[i] = odd;
            store(element, p->size, draw_scalar(c, i, odd));
            c->bad[i] = was;
        }
    }
    if (handles && p->direction == INOUT) {
        c->handles[i] = n < MOST_ELEMENTS ? (int)n : MOST_ELEMENTS;
        memcpy(c->before[i], array, (size_t)c->handles[i] * 8);
    }
    return (int64_t)array;
}

static int64_t draw_strings(const struct param *p, bool bad)
{
    if (bad || (p->kind != K_argv) || chance(30))
        return 0; /* MPI_ARGV_NULL, MPI_ARGVS_NULL */
    enum { WORDS = 7 };
    char **list = (char **)take((WORDS + 1) * sizeof(char *), 0, 0);
    for (int i = 0; i < WORDS; i++)
        list[i] = (char *)draw_text(&(struct param){.name = "command"}, false);
    list[WORDS] = NULL;
    return (int64_t)list;
}

/* draw_out is where a call leaves a result, or finds a value that it changes. */
static int64_t draw_out(struct call *c, int i)
{
    const struct param *p = &c->function->params[i];
    if (c->bad[i] && chance(40))
        return 0;
    if (c->bad[i] && addresses && chance(40))
        return bad_address();
    char *place = take(p->size, 0, p->size);
    if (is_handle(p->kind)) {
        int64_t handle = p->direction == INOUT ? draw_handle(c, i, true) : 0;
        memcpy(place, &handle, p->size);
        c->handles[i] = 1;
        c->before[i][0] = handle;
    } else if (p->direction == INOUT) {
        int64_t value = p->kind == K_int ? below(200) : 0;
        if (c->bad[i])
            value = p->kind == K_int ? draw_int(p, true) : draw_size(p->size == 8, true);
        if (value > ROOM)
            value = ROOM; /* of the string behind it */
        if (find_kind(c, K_buf, 0) >= 0 && !c->bad[i])
            value = below(32); /* a position */
        if (c->bad[i] && value > 64 && value < ROOM)
            value = -1;
        store(place, p->size, value);
        c->bad[i] = false;
    }
    return (int64_t)place;
}

static void draw_one(struct call *c, int i)
{
    const struct param *p = &c->function->params[i];
    switch (p->kind) {
    case K_fn: c->v[i] = c->bad[i] ? 0 : p->fn; return;
    case K_status:
        if (p->direction != OUT && !p->array) {
            c->v[i] = c->bad[i] ? 0 : draw_status(p);
            return;
        }
        if (!p->array && chance(30)) {
            c->v[i] = (int64_t)MPI_STATUS_IGNORE;
            return;
        }
        break;
    case K_argv:
    case K_argvs: c->v[i] = draw_strings(p, c->bad[i]); return;
    case K_argvp: c->v[i] = 0; return;
    case K_str:
        if (p->direction == IN) {
            c->v[i] = draw_text(p, c->bad[i]);
            return;
        }
        c->v[i] = draw_array(c, i);
        return;
    case K_buf:
    case K_cbuf:
    case K_mem:
    case K_ptr: return; /* draw_buffers */
    default: break;
    }
    if (p->array)
        c->v[i] = draw_array(c, i);
    else if (p->direction != IN)
        c->v[i] = p->optional && c->bad[i] ? 0 : draw_out(c, i);
    else if (is_handle(p->kind))
        c->v[i] = draw_handle(c, i, false);
    else
        c->v[i] = draw_scalar(c, i, c->bad[i]);
}

void draw(struct call *c)
{
    int n = c->function->n, how = below(100);
    for (int i = 0; i < n; i++)
        c->bad[i] = how >= 80 && chance(30);
    if (how >= 45 && how < 80 && n > 0)
        c->bad[below(n)] = true;
    same_for_all(c);
    /* Handles first, since ranks depend on them; lengths before arrays. */
    for (int pass = 0; pass < 4; pass++)
        for (int i = 0; i < n; i++) {
            const struct param *p = &c->function->params[i];
            bool address = p->array || p->kind == K_str;
            int turn = address ? 3 : is_handle(p->kind) ? 0 : p->direction == IN ? 1 : 2;
            if (turn == pass)
                draw_one(c, i);
        }
    equal_amounts(c, false);
    draw_buffers(c);
    equal_amounts(c, true);
    equal_in_place(c);
    equal_shares(c);
}
