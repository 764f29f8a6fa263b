/* What gompi uses of the PMIx standard's ABI (PMIx 2.0 and later), declared here so that building the library
 * takes no header of PMIx. abi_test.go compares it with the headers where these are installed. */
#ifndef GOMPI_PMIX_ABI_H
#define GOMPI_PMIX_ABI_H

#include <stddef.h>
#include <stdint.h>

struct gompi_pmix_proc {
	char nspace[256];
	uint32_t rank;
};

struct gompi_pmix_value {
	uint16_t type;
	union {
		unsigned char flag; /* a C bool */
		int number;
		uint16_t uint16;
		uint32_t uint32;
		char *string;
		struct {
			void *first, *second, *third;
		} largest;
	} data;
};

struct gompi_pmix_info {
	char key[512];
	uint32_t flags;
	struct gompi_pmix_value value;
};

enum gompi_pmix_constant {
	GOMPI_PMIX_SUCCESS = 0,
	GOMPI_PMIX_BOOL = 1,
	GOMPI_PMIX_STRING = 3,
	GOMPI_PMIX_INT = 6,
	GOMPI_PMIX_UINT16 = 13,
	GOMPI_PMIX_UINT32 = 14,
	GOMPI_PMIX_GLOBAL = 3, /* a scope: ranks of all nodes */
	GOMPI_PMIX_EVENT_ACTION_COMPLETE = -334,
	GOMPI_PMIX_LOST_CONNECTION = -61,
	GOMPI_PMIX_LOST_SERVER = -101, /* of older versions */
};

#define GOMPI_PMIX_RANK_UNDEF UINT32_MAX
#define GOMPI_PMIX_RANK_WILDCARD (UINT32_MAX - 1)

/* What an event handler calls when it is done, and what it is. */
typedef void gompi_pmix_event_done(int status, struct gompi_pmix_info *results, size_t n,
                                   void (*called)(int status, void *data), void *data, void *handler_data);
typedef void gompi_pmix_event_handler(size_t id, int status, const struct gompi_pmix_proc *source,
                                      struct gompi_pmix_info info[], size_t n,
                                      struct gompi_pmix_info results[], size_t nresults,
                                      gompi_pmix_event_done *done, void *data);

#endif
