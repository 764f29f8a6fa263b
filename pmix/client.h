/* A client of a PMIx server, by a library that is loaded at run time. Each function returns 0 or the
 * library's negative status, which gompi_pmix_text puts into words. */
#ifndef GOMPI_PMIX_CLIENT_H
#define GOMPI_PMIX_CLIENT_H

#include <stddef.h>

#include "abi.h"

struct gompi_pmix {
	void *library;
	int (*init)(struct gompi_pmix_proc *, struct gompi_pmix_info *, size_t);
	int (*finalize)(const struct gompi_pmix_info *, size_t);
	int (*abort)(int, const char *, struct gompi_pmix_proc *, size_t);
	int (*put)(uint8_t, const char *, struct gompi_pmix_value *);
	int (*commit)(void);
	int (*fence)(const struct gompi_pmix_proc *, size_t, const struct gompi_pmix_info *, size_t);
	int (*get)(const struct gompi_pmix_proc *, const char *, const struct gompi_pmix_info *, size_t,
	           struct gompi_pmix_value **);
	const char *(*error_string)(int);
	void (*on_event)(int *, size_t, struct gompi_pmix_info *, size_t, gompi_pmix_event_handler *,
	                 void (*)(int, size_t, void *), void *);
	struct gompi_pmix_proc self;
};

/* Loads the library and returns 0, or writes why that is not possible into the n bytes at reason. */
int gompi_pmix_open(struct gompi_pmix *p, const char *file, char *reason, size_t n);

/* Connects to the server. From then on the descriptor lost, an eventfd, can be read once the server has gone.
 * Threads of the library block all signals: those of the program are for its own. */
int gompi_pmix_begin(struct gompi_pmix *p, int lost);

int gompi_pmix_end(struct gompi_pmix *p);
int gompi_pmix_put(struct gompi_pmix *p, const char *key, char *value);
int gompi_pmix_fence(struct gompi_pmix *p);
int gompi_pmix_abort(struct gompi_pmix *p, int code, const char *why);

/* What the server has said from the start, of the job or, where it says nothing of that, of this rank. The
 * caller frees the text. */
int gompi_pmix_number(struct gompi_pmix *p, const char *key, unsigned *number);
int gompi_pmix_string(struct gompi_pmix *p, const char *key, char **text);

/* What a rank has put before the last fence; the caller frees it. It waits for a minute at most. */
int gompi_pmix_get(struct gompi_pmix *p, uint32_t rank, const char *key, char **text);

const char *gompi_pmix_text(struct gompi_pmix *p, int status);

#endif
