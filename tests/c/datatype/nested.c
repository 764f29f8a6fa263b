/* Random types of several levels - vectors of vectors, subarrays, structs of vectors, indexed structs -
 * against their type maps, written down byte by byte: packed and unpacked behind other data, one byte short,
 * and sent to the next rank from the type into bytes and from bytes into the type. The same types come up in
 * every run and on every rank. */
#include "check.h"

enum { MOST_BYTES = 20000, HALF = 60000, TYPES = 1200 };

/* The displacement of every byte of data, in the order of the stream, and the bounds. */
struct map {
    int n;
    long off[MOST_BYTES], lb, ub;
};

static unsigned char memory_[2 * HALF], kept[2 * HALF], packed[MOST_BYTES + 64], expected[MOST_BYTES + 64];
static unsigned long long state = 0x9e3779b97f4a7c15;

static int from_to(int least, int most)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return least + (int)(state >> 33) % (most - least + 1);
}

static void fill(unsigned char *p, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)((i * 167 + seed * 29) >> (i % 3));
}

/* Adds n elements of a type at displacement at; 0 when that is too much. */
static int add(struct map *to, const struct map *of, int n, long at)
{
    long extent = of->ub - of->lb;
    for (int e = 0; e < n; e++, at += extent) {
        if (to->n + of->n > MOST_BYTES || labs(at) > HALF / 2)
            return 0;
        for (int i = 0; i < of->n; i++) {
            long off = at + of->off[i];
            if (labs(off) >= HALF - 8)
                return 0;
            to->off[to->n++] = off;
        }
    }
    return 1;
}

/* A type made of others; NULL stands for one that is too large. Its bounds are always asked of the library,
 * which datatype/bounds holds to the standard. */
static struct map *draw(int depth, MPI_Datatype *type)
{
    static const struct {
        MPI_Datatype type;
        int size;
    } basic[] = {{MPI_CHAR, 1}, {MPI_SHORT, 2}, {MPI_INT, 4}, {MPI_DOUBLE, 8}};
    struct map *m = calloc(1, sizeof *m), *inner;
    MPI_Datatype old;
    MPI_Aint extent, displs[8];
    int lengths[8], places[8], ok = 1;

    if (depth == 0) {
        int b = from_to(0, 3);
        for (m->n = 0; m->n < basic[b].size; m->n++)
            m->off[m->n] = m->n;
        m->ub = m->n;
        MPI_Type_dup(basic[b].type, type);
        return m;
    }
    inner = draw(depth - 1, &old);
    if (inner == NULL) {
        free(m);
        return NULL;
    }
    extent = inner->ub - inner->lb;
    int n = from_to(1, 8), length = from_to(1, 3), gap = from_to(0, 3);
    long at = 0;
    for (int i = 0; i < n; i++) {
        lengths[i] = from_to(0, 3);
        places[i] = (int)at;
        displs[i] = at * extent + from_to(0, 2) * 4;
        at += lengths[i] + 1 + gap;
    }
    switch (from_to(0, 6)) {
    case 0:
        ok = add(m, inner, n, 0);
        MPI_Type_contiguous(n, old, type);
        break;
    case 1:
        for (int i = 0; i < n && ok; i++)
            ok = add(m, inner, length, (long)i * (length + gap) * extent);
        MPI_Type_vector(n, length, length + gap, old, type);
        break;
    case 2:
        for (int i = 0; i < n && ok; i++)
            ok = add(m, inner, length, -(long)i * (length * extent + gap));
        MPI_Type_create_hvector(n, length, -(length * extent + gap), old, type);
        break;
    case 3:
        for (int i = 0; i < n && ok; i++)
            ok = add(m, inner, lengths[i], places[i] * extent);
        MPI_Type_indexed(n, lengths, places, old, type);
        break;
    case 4:
        for (int i = 0; i < n && ok; i++)
            ok = add(m, inner, length, displs[i] * 4);
        for (int i = 0; i < n; i++)
            displs[i] *= 4;
        MPI_Type_create_hindexed_block(n, length, displs, old, type);
        break;
    case 5: {
        int sizes[3], parts[3], starts[3];
        for (int d = 0; d < 3; d++) {
            sizes[d] = from_to(1, 6);
            parts[d] = from_to(1, sizes[d]);
            starts[d] = from_to(0, sizes[d] - parts[d]);
        }
        for (int i = 0; i < parts[0]; i++)
            for (int j = 0; j < parts[1] && ok; j++)
                ok = add(m, inner, parts[2],
                         extent * (((i + starts[0]) * sizes[1] + j + starts[1]) * sizes[2] + starts[2]));
        MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, old, type);
        break;
    }
    default: {
        MPI_Datatype types[3] = {old, MPI_INT, old};
        struct map *whole = calloc(1, sizeof *whole);
        whole->n = 4;
        whole->ub = 4;
        for (int i = 0; i < 4; i++)
            whole->off[i] = i;
        const struct map *maps[3] = {inner, whole, inner};
        for (int i = 0; i < 3; i++)
            displs[i] = i * (3 * extent + 8) + gap;
        for (int i = 0; i < 3 && i < n && ok; i++)
            ok = add(m, maps[i], lengths[i], displs[i]);
        MPI_Type_create_struct(n < 3 ? n : 3, lengths, displs, types, type);
        free(whole);
    }
    }
    MPI_Type_free(&old);
    free(inner);
    MPI_Aint lb;
    MPI_Type_get_extent(*type, &lb, &extent);
    m->lb = lb;
    m->ub = lb + extent;
    if (ok && labs(lb) < HALF / 2 && extent < HALF / 2)
        return m;
    MPI_Type_free(type);
    free(m);
    return NULL;
}

/* Whether a byte stands twice in the map: then nothing may be received. */
static int overlaps(const struct map *m)
{
    static unsigned char seen[2 * HALF];
    int twice = 0;
    for (int i = 0; i < m->n; i++)
        twice |= seen[HALF + m->off[i]]++;
    for (int i = 0; i < m->n; i++)
        seen[HALF + m->off[i]] = 0;
    return twice;
}

static void pack_and_unpack(const struct map *m, MPI_Datatype type, int count)
{
    unsigned char *data = memory_ + HALF;
    const int before = from_to(0, 40);
    int at = before, n = m->n;

    fill(memory_, sizeof memory_, 1);
    fill(packed, sizeof packed, 2);
    memcpy(expected, packed, sizeof packed);
    for (int i = 0; i < n; i++)
        expected[before + i] = data[m->off[i]];
    CHECK_MPI(MPI_Pack(data, count, type, packed, before + n, &at, MPI_COMM_WORLD));
    CHECK_EQ(at, before + n);
    CHECK(memcmp(packed, expected, sizeof packed) == 0);
    if (n > 0) {
        at = before;
        CHECK_CLASS(MPI_Pack(data, count, type, packed, before + n - 1, &at, MPI_COMM_WORLD),
                    MPI_ERR_TRUNCATE);
        CHECK_EQ(at, before);
        CHECK(memcmp(packed, expected, sizeof packed) == 0);
    }
    if (overlaps(m))
        return;
    fill(packed, sizeof packed, 3);
    memcpy(kept, memory_, sizeof memory_);
    for (int i = 0; i < n; i++)
        kept[HALF + m->off[i]] = packed[before + i];
    at = before;
    CHECK_MPI(MPI_Unpack(packed, before + n, &at, data, count, type, MPI_COMM_WORLD));
    CHECK_EQ(at, before + n);
    CHECK(memcmp(memory_, kept, sizeof memory_) == 0);
}

/* Every rank sends to the next one, blocking and nonblocking in turn. */
static void travel(const struct map *m, MPI_Datatype type, int count)
{
    unsigned char *data = memory_ + HALF;
    const int to = (me + 1) % np, from = (me + np - 1) % np, n = m->n;
    MPI_Status status;
    MPI_Request request;
    int got;

    fill(memory_, sizeof memory_, 5);
    for (int i = 0; i < n; i++)
        expected[i] = data[m->off[i]];
    memset(packed, 0, sizeof packed);
    CHECK_MPI(MPI_Sendrecv(data, count, type, to, 1, packed, MOST_BYTES, MPI_BYTE, from, 1, MPI_COMM_WORLD,
                           &status));
    CHECK_MPI(MPI_Get_count(&status, MPI_BYTE, &got));
    CHECK_EQ(got, n);
    CHECK(memcmp(packed, expected, n) == 0);
    if (overlaps(m))
        return;

    fill(packed, sizeof packed, 6);
    const int some = from_to(0, 3) == 0 ? from_to(0, n) : n; /* fewer bytes than there is room for */
    memcpy(kept, memory_, sizeof memory_);
    for (int i = 0; i < some; i++)
        kept[HALF + m->off[i]] = packed[i];
    if (some % 2 == 0) {
        CHECK_MPI(MPI_Isend(packed, some, MPI_BYTE, to, 2, MPI_COMM_WORLD, &request));
        CHECK_MPI(MPI_Recv(data, count, type, from, 2, MPI_COMM_WORLD, &status));
    } else {
        CHECK_MPI(MPI_Irecv(data, count, type, from, 2, MPI_COMM_WORLD, &request));
        CHECK_MPI(MPI_Send(packed, some, MPI_BYTE, to, 2, MPI_COMM_WORLD));
    }
    CHECK_MPI(MPI_Wait(&request, some % 2 == 0 ? MPI_STATUS_IGNORE : &status));
    CHECK_MPI(MPI_Get_count(&status, MPI_BYTE, &got));
    CHECK_EQ(got, some);
    CHECK(memcmp(memory_, kept, sizeof memory_) == 0);
}

int main(int argc, char **argv)
{
    int made = 0;

    check_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < TYPES; i++) {
        MPI_Datatype type;
        struct map *m = draw(from_to(1, 4), &type);
        if (m == NULL)
            continue;
        CHECK_MPI(MPI_Type_commit(&type));
        CHECK_MPI(MPI_Type_commit(&type));
        struct map *all = calloc(1, sizeof *all);
        int count = from_to(1, 5);
        if (!add(all, m, count, 0)) {
            memcpy(all, m, sizeof *all);
            count = 1;
        }
        pack_and_unpack(all, type, count);
        travel(all, type, count);
        made++;
        free(all);
        free(m);
        CHECK_MPI(MPI_Type_free(&type));
    }
    CHECK(made > TYPES / 2);
    return check_finish();
}
