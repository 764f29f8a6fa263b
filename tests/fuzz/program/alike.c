/* What has to be alike on the ranks of a collective call, since one waits for the other. */
#include "fuzz.h"
#include <string.h>

/* same_for_all leaves out of a call with a root, and out of one of neighbors, what is wrong at one rank
 * alone: the others may wait for a rank that has returned an error. A rank without neighbors looks at
 * nothing but the communicator. */
void same_for_all(struct call *c)
{
    bool all = np > 1 && together;
    rooted = all && find_kind(c, K_root, 0) >= 0;
    among_neighbors = all && strstr(c->function->name, "eighbor_") != NULL;
    for (int i = 0; i < c->function->n && (rooted || among_neighbors); i++) {
        const struct param *p = &c->function->params[i];
        if (among_neighbors && p->kind != K_comm)
            c->bad[i] = false;
        if (p->root || p->kind == K_type || p->kind == K_buf || p->kind == K_cbuf || p->kind == K_count ||
            p->kind == K_displ || p->direction != IN)
            c->bad[i] = false;
    }
}

/* Where some is expected and none is sent, the receiver may wait for it. What is to be sent is drawn, and
 * what is expected made equal to it; when one of the two has not fitted into a buffer, there is nothing of
 * both. */
static const char *const amounts[][2] = {{"sendcount", "recvcount"},
                                         {"sendtype", "recvtype"},
                                         {"sendcounts", "recvcounts"},
                                         {"sendtypes", "recvtypes"},
                                         {"sendcount", "recvcounts"}};

void equal_amounts(struct call *c, bool drawn)
{
    const struct param *p = c->function->params;
    bool neighbors = strstr(c->function->name, "eighbor") != NULL;
    if (np == 1 && !neighbors)
        return;
    for (int i = 0; i < (neighbors ? 5 : 2); i++) {
        int a = find_param(c, amounts[i][0]), b = find_param(c, amounts[i][1]);
        if (a < 0 || b < 0 || (p[a].array && c->v[a] < 4096) || (p[b].array && c->v[b] < 4096) ||
            (addresses && (c->bad[a] || c->bad[b])))
            continue;
        size_t n = p[b].array ? MOST_ELEMENTS : 1;
        size_t size = p[b].size;
        bool differ = false;
        char *from = p[a].array ? (char *)c->v[a] : (char *)&c->v[a],
             *to = p[b].array ? (char *)c->v[b] : (char *)&c->v[b];
        for (size_t k = 0; k < n; k++) {
            char *one = p[a].array ? from + k * size : from, *other = to + k * size;
            if (!drawn || p[a].kind == K_type)
                memcpy(other, one, size);
            else if (memcmp(one, other, size) != 0)
                differ = true;
        }
        if (!p[b].array && size == sizeof(int))
            c->v[b] = (int)c->v[b];
        if (differ) {
            memset(from, 0, p[a].array ? n * size : size);
            memset(to, 0, n * size);
        }
    }
}

/* What goes in place to another rank has to be as long as what comes from it. */
void equal_in_place(struct call *c)
{
    int from = find_param(c, "sendbuf"), counts = find_param(c, "recvcounts");
    if (np == 1 || !together || strstr(c->function->name, "lltoall") == NULL || from < 0 || counts < 0 ||
        c->v[from] != (int64_t)MPI_IN_PLACE || c->v[counts] < 4096)
        return;
    size_t size = c->function->params[counts].size;
    char *all = (char *)c->v[counts];
    if (memcmp(all, all + size, size) != 0)
        memset(all, 0, (size_t)np * size);
}

/* Where there is nowhere to put what a rank gets of a reduction, that is wrong at the ranks alone that get
 * any. */
void equal_shares(struct call *c)
{
    int to = find_param(c, "recvbuf"), counts = find_param(c, "recvcounts");
    if (np == 1 || !together || strstr(c->function->name, "educe_scatter") == NULL || to < 0 || counts < 0 ||
        c->v[counts] < 4096 || (c->v[to] >= 4096 && !c->bad[to]))
        return;
    size_t size = c->function->params[counts].size;
    for (int i = 1; i < np; i++)
        memcpy((char *)c->v[counts] + (size_t)i * size, (char *)c->v[counts], size);
}
