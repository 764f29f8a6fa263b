/* fabric.c - latency of libfabric alone, without MPI: half the time that a message takes to and fro between
 * two endpoints, in microseconds. MPI starts the ranks and tells them each other's addresses.
 *
 *   mpiexec -n 2 ./fabric <milliseconds per batch> <seconds> <bytes>...
 *
 * The provider is the one that gompi takes for TCP.
 */
#include "bench.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include "../../fabric/libfabric/abi.h"

enum { ADDRESS = 256, MOST = 64 << 20 };

static struct ofi_ep *ep;
static struct ofi_cq *cq;
static uint64_t peer;
static char *in, *out;
static size_t bytes;
static struct ofi_context2 contexts[2];

#define FI(call)                            \
    do {                                    \
        if ((call) != 0)                    \
            fail(#call);                    \
    } while (0)

static void *function(void *library, const char *name, const char *version)
{
    void *f = dlvsym(library, name, version);

    if (!f)
        fail(name);
    return f;
}

/* The endpoint and what belongs to it. */
static void open_endpoint(void)
{
    void *library = dlopen("libfabric.so.1", RTLD_NOW);
    if (!library)
        fail(dlerror());
    int (*getinfo)(uint32_t, const char *, const char *, uint64_t, const struct ofi_info *,
                   struct ofi_info **);
    struct ofi_info *(*dupinfo)(const struct ofi_info *);
    int (*open_fabric)(struct ofi_fabric_attr *, struct ofi_fabric **, void *);
    uint32_t (*version)(void);
    *(void **)&getinfo = function(library, "fi_getinfo", "FABRIC_1.3");
    *(void **)&dupinfo = function(library, "fi_dupinfo", "FABRIC_1.3");
    *(void **)&open_fabric = function(library, "fi_fabric", "FABRIC_1.1");
    *(void **)&version = function(library, "fi_version", "FABRIC_1.0");

    char host[256];
    const char *source = getenv("GOMPI_ADDRESS");
    if (!source && gethostname(host, sizeof host) == 0)
        source = host;
    struct ofi_info *hints = dupinfo(NULL), *offer;
    hints->caps = OFI_MSG;
    hints->mode = OFI_CONTEXT | OFI_CONTEXT2;
    hints->ep_attr->type = OFI_EP_RDM;
    hints->domain_attr->threading = OFI_THREAD_DOMAIN;
    hints->domain_attr->data_progress = OFI_PROGRESS_MANUAL;
    hints->domain_attr->resource_mgmt = OFI_RM_ENABLED;
    static const char *const before[] = {"net", "tcp;ofi_rxm"}, *const since[] = {"tcp", "tcp;ofi_rxm"};
    const char *const *names = version() < OFI_VERSION(1, 19) ? before : since;
    hints->fabric_attr->prov_name = strdup(names[0]);
    if (getinfo(OFI_VERSION(1, 9), source, NULL, OFI_SOURCE, hints, &offer) != 0) {
        hints->fabric_attr->prov_name = strdup(names[1]);
        FI(getinfo(OFI_VERSION(1, 9), source, NULL, OFI_SOURCE, hints, &offer));
    }

    struct ofi_fabric *fabric;
    struct ofi_domain *domain;
    struct ofi_av *peers;
    struct ofi_cq_attr queue = {.size = 128, .format = OFI_CQ_FORMAT_DATA, .wait_obj = OFI_WAIT_NONE};
    struct ofi_av_attr table = {.type = OFI_AV_TABLE, .count = 2};
    FI(open_fabric(offer->fabric_attr, &fabric, NULL));
    FI(fabric->ops->domain(fabric, offer, &domain, NULL));
    FI(domain->ops->cq_open(domain, &queue, &cq, NULL));
    FI(domain->ops->av_open(domain, &table, &peers, NULL));
    FI(domain->ops->endpoint(domain, offer, &ep, NULL));
    FI(ep->fid.ops->bind(&ep->fid, &cq->fid, OFI_SEND | OFI_RECV));
    FI(ep->fid.ops->bind(&ep->fid, &peers->fid, 0));
    FI(ep->fid.ops->control(&ep->fid, OFI_ENABLE, NULL));

    char mine[ADDRESS] = {0}, its[ADDRESS];
    size_t length = sizeof mine;
    FI(ep->cm->getname(&ep->fid, mine, &length));
    MUST(MPI_Sendrecv(mine, ADDRESS, MPI_BYTE, 1 - rank, 0, its, ADDRESS, MPI_BYTE, 1 - rank, 0,
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (peers->ops->insert(peers, its, 1, &peer, 0, NULL) != 1)
        fail("fi_av_insert");
}

static void receive(void)
{
    struct iovec v = {in, bytes};
    struct ofi_msg m = {.msg_iov = &v, .iov_count = 1, .addr = UINT64_MAX, .context = &contexts[0]};

    FI(ep->msg->recvmsg(ep, &m, OFI_COMPLETION));
}

/* Waits until a message has come and, if sent, one has gone. */
static void await(int sent)
{
    struct ofi_cq_data_entry done[4];

    for (int left = 1 + sent; left > 0;) {
        ssize_t n = cq->ops->read(cq, done, 4);

        if (n > 0)
            left -= (int)n;
        else if (n != -EAGAIN)
            fail("fi_cq_read");
    }
}

static void send_one(void)
{
    ssize_t result;

    while ((result = ep->msg->send(ep, out, bytes, NULL, peer, &contexts[1])) == -EAGAIN) {
        struct ofi_cq_data_entry none;

        cq->ops->read(cq, &none, 0); /* makes progress with the connection */
    }
    FI(result);
}

static void pingpong(long n)
{
    for (long i = 0; i < n; i++) {
        if (rank == 0)
            send_one();
        await(rank == 0 || i > 0);
        receive();
        if (rank == 1)
            send_one();
    }
    if (rank == 1) { /* its last message has gone */
        struct ofi_cq_data_entry done;

        while (cq->ops->read(cq, &done, 1) != 1)
            ;
    }
}

/* One message to and fro, for the receive that is left over. */
static void last(void)
{
    if (rank == 0) {
        send_one();
        await(1);
    } else {
        await(0);
        send_one();
        await(0);
    }
}

int main(int argc, char **argv)
{
    bench_start(&argc, &argv);
    if (size != 2)
        fail("fabric needs 2 ranks");
    open_endpoint();
    in = buffer(MOST);
    out = buffer(MOST);
    /* Connected, with nothing left over. */
    bytes = 1;
    receive();
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    last();
    for (int i = 3; i < argc && time_left(); i++) {
        bytes = (size_t)argument(argc, argv, i, 1, MOST);
        receive();
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        result((long)bytes, seconds_each(pingpong) * 1e6 / 2);
        last();
    }
    MPI_Finalize();
    return 0;
}
