/* An endpoint with what belongs to it. Its calls come from one thread at a time; the watcher alone runs
 * beside them, and touches no object of libfabric. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "descriptor.h"
#include "library.h"
#include "sleeper.h"
#include "watcher.h"

/* An operation under way. The provider keeps what it likes in the context. */
struct operation {
	struct ofi_context2 context;
};

struct fabric_endpoint {
	struct ofi_fabric *fabric;
	struct ofi_domain *domain;
	struct ofi_cq *done;
	struct ofi_av *peers;
	struct ofi_ep *ep;
	struct watcher watcher; /* one of these two, if there is a descriptor */
	struct sleeper sleeper;
	int descriptor; /* readable when there is something to look at; -1 for none */
	int faults;     /* in a row, times that it was and there was nothing */
	int registration;
	int alone; /* as in fabric_options */
	char *memory;
	size_t chunk;
	uint32_t chunks;
	struct ofi_mr **registered; /* by chunk */
	struct operation *operations;
	struct fabric_done found[FABRIC_MOST_DONE];
};

/* How often a rank that is alone on its node looks in one call. Others are near, and their messages take no
 * longer than a look. */
enum { LOOKS_ALONE = 4 };

/* How often in a row the descriptor may be readable with nothing in the queue. A part of a long message makes
 * it so as well, and those of one that comes quickly are more than a few. */
enum { MOST_FAULTS = 64 };

static void close_object(void *object)
{
	struct ofi_fid *fid = object;

	if (fid)
		fid->ops->close(fid);
}

void fabric_close(struct fabric_endpoint *e)
{
	watcher_stop(&e->watcher);
	sleeper_stop(&e->sleeper);
	close_object(e->ep);
	for (uint32_t i = 0; e->registered && i < e->chunks; i++)
		close_object(e->registered[i]);
	close_object(e->peers);
	close_object(e->done);
	close_object(e->domain);
	close_object(e->fabric);
	if (e->memory)
		munmap(e->memory, e->chunk * e->chunks);
	free(e->registered);
	free(e->operations);
	free(e);
}

/* The queue has a descriptor where somebody sleeps and the provider has one. */
static int open_queue(struct fabric_endpoint *e, const struct fabric_options *o)
{
	struct ofi_cq_attr attr = {.size = o->numbers, .format = OFI_CQ_FORMAT_DATA, .wait_obj = OFI_WAIT_FD};

	if (o->bell && e->domain->ops->cq_open(e->domain, &attr, &e->done, NULL) == 0) {
		if (e->done->fid.ops->control(&e->done->fid, OFI_GETWAIT, &e->descriptor) != 0)
			e->descriptor = -1;
		else if (o->signals)
			descriptor_unsignal(e->descriptor);
		return 0;
	}
	attr.wait_obj = OFI_WAIT_NONE;
	return e->domain->ops->cq_open(e->domain, &attr, &e->done, NULL);
}

static int open_all(struct fabric_endpoint *e, struct ofi_info *offer, const struct fabric_options *o,
                    const char **step)
{
	struct ofi_av_attr peers = {.type = OFI_AV_TABLE, .count = o->peers};
	int result;

	if (o->automatic)
		offer->domain_attr->data_progress = offer->domain_attr->control_progress = OFI_PROGRESS_AUTO;
	*step = "fi_fabric";
	if ((result = fabric_library.fabric(offer->fabric_attr, &e->fabric, NULL)) != 0)
		return result;
	*step = "fi_domain";
	if ((result = e->fabric->ops->domain(e->fabric, offer, &e->domain, NULL)) != 0)
		return result;
	*step = "fi_cq_open";
	if ((result = open_queue(e, o)) != 0)
		return result;
	*step = "fi_av_open";
	if ((result = e->domain->ops->av_open(e->domain, &peers, &e->peers, NULL)) != 0)
		return result;
	*step = "fi_endpoint";
	if ((result = e->domain->ops->endpoint(e->domain, offer, &e->ep, NULL)) != 0)
		return result;
	*step = "fi_ep_bind";
	if ((result = e->ep->fid.ops->bind(&e->ep->fid, &e->done->fid, OFI_SEND | OFI_RECV)) != 0 ||
	    (result = e->ep->fid.ops->bind(&e->ep->fid, &e->peers->fid, 0)) != 0)
		return result;
	*step = "fi_setopt";
	if ((result = e->ep->ops->setopt(&e->ep->fid, OFI_OPT_ENDPOINT, OFI_OPT_MIN_MULTI_RECV, &o->least,
	                                 sizeof o->least)) != 0)
		return result;
	*step = "fi_enable";
	if ((result = e->ep->fid.ops->control(&e->ep->fid, OFI_ENABLE, NULL)) != 0)
		return result;
	*step = "a thread";
	if (e->descriptor < 0)
		return 0;
	return o->alone ? sleeper_start(&e->sleeper, e->descriptor, o->bell)
	                : watcher_start(&e->watcher, e->descriptor, o->bell);
}

int fabric_open(struct ofi_info *offer, const struct fabric_options *o, struct fabric_endpoint **to,
                const char **step)
{
	struct fabric_endpoint *e = calloc(1, sizeof *e);
	int result;

	*step = "memory";
	if (!e)
		return -ENOMEM;
	e->watcher = (struct watcher)NO_WATCHER;
	e->sleeper = (struct sleeper)NO_SLEEPER;
	e->descriptor = -1;
	e->registration = offer->domain_attr->mr_mode;
	e->alone = o->alone;
	e->chunk = o->chunk, e->chunks = o->chunks;
	e->registered = calloc(o->chunks, sizeof *e->registered);
	e->operations = calloc(o->numbers, sizeof *e->operations);
	e->memory = mmap(NULL, o->chunk * o->chunks, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (e->memory == MAP_FAILED)
		e->memory = NULL;
	if (!e->registered || !e->operations || !e->memory)
		result = -ENOMEM;
	else
		result = open_all(e, offer, o, step);
	if (result != 0) {
		fabric_close(e);
		return result;
	}
	*to = e;
	return 0;
}

int fabric_address(struct fabric_endpoint *e, void *address, size_t size)
{
	int result = e->ep->cm->getname(&e->ep->fid, address, &size);

	return result < 0 ? result : (int)size;
}

int fabric_insert(struct fabric_endpoint *e, const void *address, uint64_t *peer)
{
	int n = e->peers->ops->insert(e->peers, address, 1, peer, 0, NULL);

	return n == 1 ? 0 : n < 0 ? n : -EADDRNOTAVAIL;
}

uintptr_t fabric_memory(const struct fabric_endpoint *e)
{
	return (uintptr_t)e->memory;
}

int fabric_register(struct fabric_endpoint *e, uint32_t chunk)
{
	struct ofi_mr *mr;
	int result;

	if (!(e->registration & OFI_MR_LOCAL))
		return 0;
	result = e->domain->mr->reg(&e->domain->fid, e->memory + chunk * e->chunk, e->chunk, OFI_SEND | OFI_RECV,
	                            0, chunk, 0, &mr, NULL);
	if (result != 0)
		return result;
	e->registered[chunk] = mr;
	if (!(e->registration & OFI_MR_ENDPOINT))
		return 0;
	result = mr->fid.ops->bind(&mr->fid, &e->ep->fid, 0);
	return result != 0 ? result : mr->fid.ops->control(&mr->fid, OFI_ENABLE, NULL);
}

int fabric_sends_two(const struct fabric_endpoint *e)
{
	return !(e->registration & OFI_MR_LOCAL);
}

/* The provider's name for the registration of memory in a chunk. */
static void *descriptor_of(const struct fabric_endpoint *e, uintptr_t at)
{
	struct ofi_mr *mr = e->registered[(at - (uintptr_t)e->memory) / e->chunk];

	return mr ? mr->mem_desc : NULL;
}

int fabric_receive(void *operation)
{
	struct fabric_operation *o = operation;
	struct fabric_endpoint *e = o->endpoint;
	void *descriptor = descriptor_of(e, o->at);
	struct iovec v = {(void *)o->at, o->n};
	struct ofi_msg m = {&v, &descriptor, 1, UINT64_MAX, &e->operations[o->number], 0};

	return (int)e->ep->msg->recvmsg(e->ep, &m, OFI_MULTI_RECV | OFI_COMPLETION);
}

int fabric_send(void *operation)
{
	struct fabric_operation *o = operation;
	struct fabric_endpoint *e = o->endpoint;
	void *descriptors[2] = {descriptor_of(e, o->at), NULL};
	struct iovec v[2] = {{(void *)o->at, o->n}, {(void *)o->from, o->more}};
	struct ofi_msg m = {v, descriptors, 2, o->peer, &e->operations[o->number], 0};

	if (o->more > 0)
		return (int)e->ep->msg->sendmsg(e->ep, &m, OFI_COMPLETION);
	return (int)e->ep->msg->send(e->ep, (void *)o->at, o->n, descriptors[0], o->peer, m.context);
}

/* The number of the operation with a context. */
static uint32_t number_of(const struct fabric_endpoint *e, void *context)
{
	return (uint32_t)((struct operation *)context - e->operations);
}

/* The operation that has failed. */
static int look_failed(struct fabric_endpoint *e)
{
	union {
		struct ofi_cq_err_entry entry;
		char room[2 * sizeof(struct ofi_cq_err_entry)]; /* later versions have longer ones */
	} failed;

	memset(&failed, 0, sizeof failed);
	if (e->done->ops->readerr(e->done, &failed.entry, 0) <= 0 || !failed.entry.op_context)
		return 0;
	e->found[0] = (struct fabric_done){
		.number = number_of(e, failed.entry.op_context),
		.error = failed.entry.err ? -failed.entry.err : -EIO,
		.received = (failed.entry.flags & OFI_RECV) != 0,
		.ended = !(failed.entry.flags & OFI_RECV) || (failed.entry.flags & OFI_MULTI_RECV) != 0,
	};
	return 1;
}

struct fabric_done *fabric_found(struct fabric_endpoint *e)
{
	return e->found;
}

int fabric_look_done(void *endpoint)
{
	struct fabric_endpoint *e = endpoint;
	struct ofi_cq_data_entry entries[FABRIC_MOST_DONE];
	ssize_t n;
	int looks = e->alone ? LOOKS_ALONE : 1;

	do
		n = e->done->ops->read(e->done, entries, FABRIC_MOST_DONE);
	while (n == -EAGAIN && --looks > 0);
	if (n == -OFI_EAVAIL)
		return look_failed(e);
	if (n < 0)
		return n == -EAGAIN || n == -EINTR ? 0 : (int)n;
	for (ssize_t i = 0; i < n; i++) {
		struct ofi_cq_data_entry *c = &entries[i];
		/* that the buffer of several receives is given back may come alone */
		int received = (c->flags & (OFI_RECV | OFI_MULTI_RECV)) != 0;

		e->found[i] = (struct fabric_done){
			.number = number_of(e, c->op_context),
			.received = received,
			.ended = !received || (c->flags & OFI_MULTI_RECV) != 0,
		};
		if (c->flags & OFI_RECV)
			e->found[i].at = (uintptr_t)c->buf, e->found[i].size = c->len;
	}
	if (n > 0)
		e->faults = 0;
	return (int)n;
}

/* Some versions of some providers leave the descriptor readable for ever once it was. One that is so again
 * and again, with nothing in the queue, wakes nobody to any end. */
int fabric_arm(struct fabric_endpoint *e)
{
	struct ofi_fid *queue = &e->done->fid;
	struct pollfd readable = {.fd = e->descriptor, .events = POLLIN};

	if (e->descriptor < 0 || e->faults >= MOST_FAULTS)
		return -1;
	if (e->fabric->ops->trywait(e->fabric, &queue, 1) != 0)
		return 0;
	if (poll(&readable, 1, 0) > 0) {
		e->faults++;
		return 0;
	}
	e->faults = 0;
	if (e->watcher.runs)
		watcher_arm(&e->watcher);
	return 1;
}

int fabric_sleep(struct fabric_endpoint *e, uint32_t mark, uint64_t limit)
{
	return e->sleeper.runs && sleeper_sleep(&e->sleeper, mark, limit);
}
