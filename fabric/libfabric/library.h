/* The functions that libfabric exports by name; all others are called through its objects. */
#ifndef GOMPI_FABRIC_LIBRARY_H
#define GOMPI_FABRIC_LIBRARY_H

#include <signal.h>

#include "abi.h"
#include "fabric.h"

/* The version of the interface that is asked for: the oldest that has what gompi uses. */
#define FABRIC_API OFI_VERSION(1, 9)

struct fabric_library {
	int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
	               const struct ofi_info *hints, struct ofi_info **);
	void (*freeinfo)(struct ofi_info *);
	struct ofi_info *(*dupinfo)(const struct ofi_info *);
	int (*fabric)(struct ofi_fabric_attr *, struct ofi_fabric **, void *context);
	const char *(*strerror)(int);
	uint32_t (*version)(void);
};

extern struct fabric_library fabric_library __attribute__((visibility("hidden")));

/* What the process does at each of the standard signals. */
#define FABRIC_SIGNALS 32

struct fabric_signals {
	struct sigaction actions[FABRIC_SIGNALS];
	int known[FABRIC_SIGNALS];
	int loaded; /* files in the process */
};

void fabric_keep_signals(struct fabric_signals *kept);
/* Has the process do again what it did, where libraries that were loaded since have changed that. */
void fabric_restore_signals(const struct fabric_signals *kept);

#endif
