/* The library is opened when the first job needs it. Versioned look-up takes the functions of ABI 1.3, whose
 * structures abi.h declares, from every version that came later. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "library.h"

struct fabric_library fabric_library;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* Held while a thread opens what belongs to the library. Another one that ends the process waits for that, as
 * does one that forks it: the child would otherwise have what the library holds meanwhile, and hang at its
 * end. The thread that opens may fork itself. */
static pthread_mutex_t opening = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void hold(void)
{
	pthread_mutex_lock(&opening);
}

static void release(void)
{
	pthread_mutex_unlock(&opening);
}

static void renew(void)
{
	static const pthread_mutex_t initial = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

	opening = initial;
}

static void await_opening(void)
{
	hold();
	release();
}

static void watch(void)
{
	atexit(await_opening);
	pthread_atfork(hold, release, renew);
}

int fabric_begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch);
	return pthread_mutex_lock(&opening);
}

int fabric_end(void)
{
	return pthread_mutex_unlock(&opening);
}

/* A monitor that the kernel does not allow would be replaced by one that changes libc's functions. */
void fabric_default(const char *name, const char *value)
{
	if (strcmp(name, "FI_MR_CACHE_MONITOR") == 0) {
		int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

		if (fd < 0)
			value = "disabled";
		else
			close(fd);
	}
	setenv(name, value, 0);
}

static void *function(void *handle, const char *name, const char *version)
{
	void *f = dlvsym(handle, name, version);

	return f ? f : dlsym(handle, name);
}

static int load(const char *path, char *why, size_t size)
{
	struct fabric_library l = {0};
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		snprintf(why, size, "%s", dlerror());
		return -1;
	}
	*(void **)&l.getinfo = function(handle, "fi_getinfo", "FABRIC_1.3");
	*(void **)&l.freeinfo = function(handle, "fi_freeinfo", "FABRIC_1.3");
	*(void **)&l.dupinfo = function(handle, "fi_dupinfo", "FABRIC_1.3");
	*(void **)&l.fabric = function(handle, "fi_fabric", "FABRIC_1.1");
	*(void **)&l.strerror = function(handle, "fi_strerror", "FABRIC_1.0");
	*(void **)&l.version = function(handle, "fi_version", "FABRIC_1.0");
	if (!l.getinfo || !l.freeinfo || !l.dupinfo || !l.fabric || !l.strerror || !l.version) {
		snprintf(why, size, "%s is no libfabric", path);
	} else if (l.version() < FABRIC_API) {
		snprintf(why, size, "%s is libfabric %u.%u, which is too old: 1.9 or later is needed", path,
		         l.version() >> 16, l.version() & 0xffff);
	} else {
		fabric_library = l;
		return 0;
	}
	dlclose(handle);
	return -1;
}

int fabric_load(const char *path, char *why, size_t size)
{
	struct fabric_signals signals;
	int result = 0;

	pthread_mutex_lock(&loading);
	if (!fabric_library.getinfo) {
		fabric_keep_signals(&signals);
		result = load(path ? path : "libfabric.so.1", why, size);
		fabric_restore_signals(&signals);
	}
	pthread_mutex_unlock(&loading);
	return result;
}

uint32_t fabric_version(void)
{
	return fabric_library.version();
}

const char *fabric_error(int number)
{
	return fabric_library.strerror(number < 0 ? -number : number);
}

int fabric_offers(const char *source, struct ofi_info **offers)
{
	struct ofi_info *hints = fabric_library.dupinfo(NULL);
	struct fabric_signals signals;
	int result;

	*offers = NULL;
	if (!hints)
		return -12; /* ENOMEM */
	hints->caps = OFI_MSG | OFI_MULTI_RECV;
	hints->mode = OFI_CONTEXT | OFI_CONTEXT2;
	hints->ep_attr->type = OFI_EP_RDM;
	hints->tx_attr->msg_order = OFI_ORDER_SAS;
	hints->rx_attr->msg_order = OFI_ORDER_SAS;
	hints->domain_attr->threading = OFI_THREAD_DOMAIN;
	hints->domain_attr->control_progress = hints->domain_attr->data_progress = OFI_PROGRESS_MANUAL;
	hints->domain_attr->resource_mgmt = OFI_RM_ENABLED;
	hints->domain_attr->mr_mode =
		OFI_MR_LOCAL | OFI_MR_VIRT_ADDR | OFI_MR_ALLOCATED | OFI_MR_PROV_KEY | OFI_MR_ENDPOINT;
	/* Providers that lie in files of their own are loaded by the first call. */
	fabric_keep_signals(&signals);
	result = fabric_library.getinfo(FABRIC_API, source, NULL, source ? OFI_SOURCE : 0, hints, offers);
	fabric_restore_signals(&signals);
	fabric_library.freeinfo(hints);
	return result;
}

void fabric_free_offers(struct ofi_info *offers)
{
	fabric_library.freeinfo(offers);
}

struct ofi_info *fabric_look(struct ofi_info *offer, struct fabric_offer *to)
{
	*to = (struct fabric_offer){
		.provider = offer->fabric_attr->prov_name,
		.domain = offer->domain_attr->name,
		.fabric = offer->fabric_attr->name,
		.address = offer->src_addr,
		.address_size = offer->src_addr ? offer->src_addrlen : 0,
		.inject = offer->tx_attr->inject_size,
		.most = offer->ep_attr->max_msg_size,
		.parts = offer->tx_attr->iov_limit,
		.version = offer->fabric_attr->prov_version,
		.protocol = offer->ep_attr->protocol,
		.registration = offer->domain_attr->mr_mode,
		.progress = offer->domain_attr->data_progress,
	};
	return offer->next;
}
