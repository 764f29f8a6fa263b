/* Message buffers and other memory. A buffer has room for what count and datatype say; where it cannot, the
 * count is made smaller, unless the call is bound to fail before it looks at the buffer. */
#include "fuzz.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 16 }; /* of a collective operation with equal blocks: no fewer than ranks */

struct span {
    __int128 low, high;
};

static void widen(struct span *s, MPI_Datatype type, int64_t count, __int128 from)
{
    MPI_Count lb, extent, true_lb, true_extent, size;
    if (count <= 0 || PMPI_Type_get_extent_c(type, &lb, &extent) != MPI_SUCCESS ||
        PMPI_Type_size_c(type, &size) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent_c(type, &true_lb, &true_extent) != MPI_SUCCESS || size == 0)
        return;
    __int128 last = (__int128)(count - 1) * extent;
    __int128 low = from + true_lb + (last < 0 ? last : 0),
             high = from + true_lb + true_extent + (last > 0 ? last : 0);
    if (s->low == s->high) {
        s->low = low;
        s->high = high;
        return;
    }
    s->low = low < s->low ? low : s->low;
    s->high = high > s->high ? high : s->high;
}

static int64_t element(const struct call *c, int i, int k)
{
    int64_t value = 0;
    size_t size = c->function->params[i].size;
    memcpy(&value, (const char *)c->v[i] + (size_t)k * size, size < 8 ? size : 8);
    return size == 4 ? (int)value : value;
}

/* of_buffer finds the count, the displacements and the datatype of the buffer at i. */
static void of_buffer(const struct call *c, int i, int *count, int *displ, int *type)
{
    *count = *displ = *type = -1;
    for (int j = i + 1; j < c->function->n && *type < 0; j++) {
        const struct param *p = &c->function->params[j];
        bool place = p->kind == K_displ || (p->kind == K_aint && p->array);
        if (p->kind == K_type)
            *type = j;
        else if (place && *count >= 0)
            *displ = j;
        else if ((p->kind == K_count || p->kind == K_num) && *count < 0 && p->direction == IN)
            *count = j;
    }
}

/* blocks_of is how many blocks a buffer of the call has room for: at least one for each neighbor or rank. */
static int blocks_of(const struct call *c)
{
    int comm = find_kind(c, K_comm, 0), topology = MPI_UNDEFINED, rank = 0, in = 0, out = 0, weighted;
    if (strcmp(c->function->chapter, "coll") == 0)
        return MOST_BLOCKS;
    if (strstr(c->function->name, "eighbor_") == NULL)
        return 1;
    MPI_Comm on = (MPI_Comm)c->v[comm];
    PMPI_Topo_test(on, &topology);
    if (topology == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors_count(on, &in, &out, &weighted);
    else if (topology == MPI_GRAPH && PMPI_Comm_rank(on, &rank) == MPI_SUCCESS)
        PMPI_Graph_neighbors_count(on, rank, &out);
    else if (topology == MPI_CART && PMPI_Cartdim_get(on, &out) == MPI_SUCCESS)
        out *= 2;
    int most = in > out ? in : out;
    return most > MOST_BLOCKS ? most : MOST_BLOCKS;
}

static struct span span_of(const struct call *c, int count, int displ, int type)
{
    struct span s = {0, 0};
    const struct param *p = c->function->params;
    if (type < 0)
        return s;
    bool many = count >= 0 && p[count].array;
    if (many && (c->v[count] == 0 || (displ >= 0 && c->v[displ] == 0) || (p[type].array && c->v[type] == 0)))
        return s;
    int64_t before = 0, equal = blocks_of(c);
    for (int k = 0; k < (many ? MOST_ELEMENTS : 1); k++) {
        MPI_Datatype t = (MPI_Datatype)(p[type].array ? element(c, type, k) : c->v[type]);
        int64_t n = count < 0 ? 1 : many ? element(c, count, k) : c->v[count];
        MPI_Count lb, extent = 1;
        if (!p[type].array)
            PMPI_Type_get_extent_c(t, &lb, &extent);
        __int128 from = 0;
        if (displ >= 0)
            from = (__int128)element(c, displ, k) * (p[type].array ? 1 : extent);
        else if (many)
            from = (__int128)before * extent; /* as MPI_Reduce_scatter */
        if (!many && n > 0)
            n = n > INT64_MAX / equal ? INT64_MAX : n * equal;
        if (n > 0 && before < INT64_MAX / 2 - n)
            before += n;
        widen(&s, t, n, from);
    }
    int partitions = find_param(c, "partitions");
    if (partitions >= 0 && c->v[partitions] > 1 && s.high > s.low) {
        MPI_Count lb, extent = 0;
        PMPI_Type_get_extent_c((MPI_Datatype)c->v[type], &lb, &extent);
        __int128 last = (__int128)(c->v[partitions] - 1) * c->v[count] * extent;
        if (last > 0)
            s.high += last;
        else
            s.low += last;
    }
    return s;
}

/* shrink makes the counts of a buffer small enough; a buffer of something does not fit when one element is
 * too large. */
static void shrink(struct call *c, int count, int to)
{
    const struct param *p = &c->function->params[count];
    if (!p->array) {
        c->v[count] = to;
        return;
    }
    int64_t n = p->length >= 0 ? c->v[p->length] : MOST_ELEMENTS;
    if (c->v[count] != 0 && n > 0)
        memset((char *)c->v[count], 0, (size_t)n * p->size);
}

/* fits reports whether memory can be there for all of a span. */
static bool fits(struct span s)
{
    return s.high - s.low <= ROOM && s.high <= INT64_MAX / 2 && s.low >= INT64_MIN / 2;
}

static void draw_message(struct call *c, int i)
{
    const struct param *p = &c->function->params[i];
    int count, displ, type;
    of_buffer(c, i, &count, &displ, &type);
    struct span s = span_of(c, count, displ, type);
    if (!fits(s) && !addresses && !c->fails) {
        for (int n = 1; n >= 0 && !fits(s) && count >= 0; n--) {
            shrink(c, count, n);
            s = span_of(c, count, displ, type);
        }
        if (!fits(s) && type >= 0 && !c->function->params[type].array) { /* one element of no count */
            c->v[type] = (int64_t)MPI_INT;
            s = span_of(c, count, displ, type);
        }
    }
    if (c->bad[i]) {
        switch (below(addresses ? 4 : 2)) {
        case 0:
            if (type < 0 || !c->function->params[type].array) {
                MPI_Count lb = 0, extent;
                if (type >= 0)
                    PMPI_Type_get_true_extent_c((MPI_Datatype)c->v[type], &lb, &extent);
                if (lb == 0 && displ < 0) {
                    c->v[i] = 0;
                    return;
                }
            }
            break;
        case 1: c->v[i] = (int64_t)MPI_IN_PLACE; return;
        default: c->v[i] = bad_address(); return;
        }
    }
    if (p->kind == K_cbuf && chance(15) && !rooted) {
        c->v[i] = (int64_t)MPI_IN_PLACE;
        return;
    }
    bool part = !fits(s);
    if (part) { /* as no room is enough */
        s.low = s.low < -ROOM / 2 ? -ROOM / 2 : s.low > 0 ? 0 : s.low;
        s.high = s.low + ROOM;
    }
    if (type < 0)
        s = (struct span){0, 256}; /* the end of a split operation: nothing says how much */
    bool target = p->direction != IN;
    c->v[i] = (int64_t)take_buffer((int64_t)s.low, (int64_t)s.high, target);
    if (part && target && !c->fails)
        expect_strays();
}

/* draw_sized is memory whose size in bytes is another parameter. */
static int64_t draw_sized(struct call *c, int size, bool written)
{
    enum { MOST = 8192 };
    if (size >= 0 && c->v[size] > MOST && !addresses)
        c->v[size] = below(MOST);
    int64_t n = size < 0 ? 4096 : c->v[size];
    if (n < 0 || n > MOST)
        n = n < 0 ? 0 : MOST;
    return (int64_t)take_buffer(0, n, written);
}

/* Memory that MPI_Alloc_mem has made. */
static int64_t allocated[16];
static int allocated_count;

static int64_t draw_memory(struct call *c, int i)
{
    const struct param *p = &c->function->params[i];
    const char *name = c->function->name;
    int size = find_kind(c, K_bytes, i);
    if (size < 0)
        size = find_param(c, "size");
    if (size < 0 && (size = find_param(c, strcmp(p->name, "inbuf") == 0 ? "insize" : "outsize")) < 0)
        size = -1;
    if (p->direction != IN) {
        if (p->kind == K_ptr)
            return c->bad[i] ? (addresses ? bad_address() : 0)
                             : (int64_t)take(sizeof(void *), 0, sizeof(void *));
        return draw_sized(c, size, true);
    }
    if (strcmp(name, "MPI_Free_mem") == 0) {
        if (allocated_count == 0 || c->bad[i])
            return addresses ? bad_address() : 0;
        return allocated[below(allocated_count)];
    }
    if (strcmp(p->name, "obj_handle") == 0) {
        static const int64_t world = (int64_t)MPI_COMM_WORLD;
        bool found;
        int64_t handle = c->bad[i]    ? bad_handle(K_comm, &found)
                         : chance(50) ? live_handle(K_win, false, &found)
                                      : world;
        return c->bad[i] && chance(30) ? 0 : (int64_t)memcpy(take(8, 0, 0), &handle, 8);
    }
    if (strcmp(p->name, "buffer") == 0 || strcmp(p->name, "base") == 0) {
        if (c->bad[i] && addresses)
            return bad_address();
        return c->bad[i] && chance(50) ? (size >= 0 ? c->v[size] = 0 : 0, 0) : draw_sized(c, size, true);
    }
    if (p->kind == K_mem || strstr(p->name, "logical"))
        return c->bad[i] ? (addresses ? bad_address() : 0)
                         : draw_sized(c, size, strstr(name, "Abi_get") != NULL);
    return chance(50) ? bad_address() : (int64_t)roll(); /* an address that is only kept */
}

void draw_buffers(struct call *c)
{
    for (int i = 0; i < c->function->n; i++)
        switch (c->function->params[i].kind) {
        case K_buf:
        case K_cbuf: draw_message(c, i); break;
        case K_mem:
        case K_ptr: c->v[i] = draw_memory(c, i); break;
        default: break;
        }
    /* Shrinking a count for one buffer may have changed what another one, drawn before, has to hold; it only
     * got smaller. */
}

void note_memory(int64_t base, bool made)
{
    if (made && allocated_count < 16)
        allocated[allocated_count++] = base;
    for (int i = 0; !made && i < allocated_count; i++)
        if (allocated[i] == base)
            allocated[i] = allocated[--allocated_count];
}
