/* Calls of libfabric for the Go of this package. All loops are here, so that Go calls once per look and once
 * per message. Errors are negative numbers of the system's, as libfabric returns them. */
#ifndef GOMPI_FABRIC_H
#define GOMPI_FABRIC_H

#include <stddef.h>
#include <stdint.h>

struct ofi_info;
struct fabric_endpoint;

/* Sets a variable of the environment that is not set. */
void fabric_default(const char *name, const char *value);

/* Between these two calls of a thread the process does not end by exit: what the library does at its end it
 * must not do while it begins. */
int fabric_begin(void);
int fabric_end(void);

/* Opens the library once per process; path is NULL for the system's. 0, or -1 with the reason in why. */
int fabric_load(const char *path, char *why, size_t size);
/* The version of the library, as libfabric encodes it. */
uint32_t fabric_version(void);
const char *fabric_error(int number);

/* What can be had for endpoints of messages: a list to be freed by fabric_free_offers. source is the address
 * of the interface or NULL. */
int fabric_offers(const char *source, struct ofi_info **offers);
void fabric_free_offers(struct ofi_info *offers);

/* What gompi looks at in an offer. Strings and the address live as long as the list. */
struct fabric_offer {
	const char *provider, *domain, *fabric;
	const void *address;
	size_t address_size, inject, most, parts;
	uint32_t version, protocol;
	int registration, progress;
};
struct ofi_info *fabric_look(struct ofi_info *offer, struct fabric_offer *to);

/* What an endpoint is made with. */
struct fabric_options {
	size_t peers;     /* ranks of the job */
	size_t least;     /* free bytes of a buffer for receives below which it is given back */
	size_t chunk;     /* bytes of memory that are registered together */
	uint32_t chunks;  /* of them there are at most */
	uint32_t numbers; /* operations under way are named by numbers below */
	uint32_t *bell;   /* word to wake sleepers by: not 0 while some sleep; NULL for no descriptor */
	int alone;        /* no other rank is on the node: most of what ends a sleep comes by the network */
	int automatic;    /* the provider makes progress by itself */
	int signals;      /* it leaves its descriptor readable by a signal of its own */
};

/* Opens an endpoint. Where it returns less than 0, step names the call that failed. */
int fabric_open(struct ofi_info *offer, const struct fabric_options *, struct fabric_endpoint **,
                const char **step);
void fabric_close(struct fabric_endpoint *);

/* The address of the endpoint: its size, at most size. */
int fabric_address(struct fabric_endpoint *, void *address, size_t size);
int fabric_insert(struct fabric_endpoint *, const void *address, uint64_t *peer);

/* The memory of all chunks, of which only those can be used that were registered. */
uintptr_t fabric_memory(const struct fabric_endpoint *);
int fabric_register(struct fabric_endpoint *, uint32_t chunk);
/* Whether memory of the program may be sent from. */
int fabric_sends_two(const struct fabric_endpoint *);

/* An operation on memory of registered chunks. */
struct fabric_operation {
	struct fabric_endpoint *endpoint;
	uint64_t peer; /* sends */
	uintptr_t at;
	size_t n;
	uintptr_t from;  /* sends: memory of the program, whose bytes follow */
	size_t more;     /* bytes there */
	uint32_t number; /* names the operation when it is done */
};

/* They are given a struct fabric_operation, and return 0, or less than 0: -EAGAIN for later. */
int fabric_receive(void *);
int fabric_send(void *);

/* An operation that is done, or of a receive a part. */
struct fabric_done {
	uint64_t at, size; /* receives: the message; size is 0 if there is none */
	uint32_t number;
	int32_t error;
	uint32_t received; /* it is a receive */
	uint32_t ended;    /* the operation is over */
};

enum { FABRIC_MOST_DONE = 64 };

/* Looks what is done at a struct fabric_endpoint: the number of entries, which stand at fabric_found until
 * the next look. */
int fabric_look_done(void *);
struct fabric_done *fabric_found(struct fabric_endpoint *);

/* Has sleepers be woken as soon as there is something to look at, once. 1 if they will, 0 if there is
 * something already, and -1 where that cannot be relied on. */
int fabric_arm(struct fabric_endpoint *);
/* Where a rank that is alone sleeps then: until there is something to look at or the bell is rung, at most
 * for limit ns. Not at all if the word of the bell is no longer mark. 0 for sleep on the bell instead: the
 * rank is not alone, or another of its threads sleeps here. */
int fabric_sleep(struct fabric_endpoint *, uint32_t mark, uint64_t limit);

#endif
