#define _GNU_SOURCE
#include "client.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library hands it to the event handler by no argument that all versions have. */
static int lost_descriptor = -1;

int gompi_pmix_open(struct gompi_pmix *p, const char *file, char *reason, size_t n)
{
	const struct {
		void *function;
		const char *name;
	} all[] = {
		{&p->init, "PMIx_Init"},
		{&p->finalize, "PMIx_Finalize"},
		{&p->abort, "PMIx_Abort"},
		{&p->put, "PMIx_Put"},
		{&p->commit, "PMIx_Commit"},
		{&p->fence, "PMIx_Fence"},
		{&p->get, "PMIx_Get"},
		{&p->error_string, "PMIx_Error_string"},
		{&p->on_event, "PMIx_Register_event_handler"},
	};

	p->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (p->library == NULL) {
		snprintf(reason, n, "%s", dlerror());
		return -1;
	}
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		void *address = dlsym(p->library, all[i].name);
		if (address == NULL) {
			snprintf(reason, n, "%s: it has no function %s", file, all[i].name);
			dlclose(p->library);
			return -1;
		}
		memcpy(all[i].function, &address, sizeof address);
	}
	return 0;
}

/* Runs in a thread of the library's. */
static void server_lost(size_t id, int status, const struct gompi_pmix_proc *source,
                        struct gompi_pmix_info info[], size_t n, struct gompi_pmix_info results[],
                        size_t nresults, gompi_pmix_event_done *done, void *data)
{
	const uint64_t one = 1;

	(void)id, (void)status, (void)source, (void)info, (void)n, (void)results, (void)nresults;
	while (write(lost_descriptor, &one, sizeof one) < 0 && errno == EINTR)
		;
	if (done != NULL)
		done(GOMPI_PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, data);
}

static void registered(int status, size_t id, void *data)
{
	(void)status, (void)id, (void)data; /* without the handler, the loss of a server is not seen */
}

int gompi_pmix_begin(struct gompi_pmix *p, int lost)
{
	/* The library may read them after the call. */
	static int codes[] = {GOMPI_PMIX_LOST_CONNECTION, GOMPI_PMIX_LOST_SERVER};
	sigset_t all, before;

	lost_descriptor = lost;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int status = p->init(&p->self, NULL, 0);
	if (status == GOMPI_PMIX_SUCCESS)
		p->on_event(codes, sizeof codes / sizeof *codes, NULL, 0, server_lost, registered, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

int gompi_pmix_end(struct gompi_pmix *p)
{
	return p->finalize(NULL, 0);
}

int gompi_pmix_put(struct gompi_pmix *p, const char *key, char *value)
{
	struct gompi_pmix_value v = {.type = GOMPI_PMIX_STRING, .data.string = value};

	return p->put(GOMPI_PMIX_GLOBAL, key, &v);
}

static struct gompi_pmix_proc process(struct gompi_pmix *p, uint32_t rank)
{
	struct gompi_pmix_proc proc = p->self;

	proc.rank = rank;
	return proc;
}

static struct gompi_pmix_info option(const char *key, uint16_t type, int value)
{
	struct gompi_pmix_info info = {.value.type = type};

	strncpy(info.key, key, sizeof info.key - 1);
	if (type == GOMPI_PMIX_BOOL)
		info.value.data.flag = value != 0;
	else
		info.value.data.number = value;
	return info;
}

int gompi_pmix_fence(struct gompi_pmix *p)
{
	struct gompi_pmix_proc all = process(p, GOMPI_PMIX_RANK_WILDCARD);
	struct gompi_pmix_info collect = option("pmix.collect", GOMPI_PMIX_BOOL, 1);
	int status = p->commit();

	return status != GOMPI_PMIX_SUCCESS ? status : p->fence(&all, 1, &collect, 1);
}

int gompi_pmix_abort(struct gompi_pmix *p, int code, const char *why)
{
	return p->abort(code, why, NULL, 0);
}

static void release(struct gompi_pmix_value *v)
{
	if (v->type == GOMPI_PMIX_STRING)
		free(v->data.string);
	free(v);
}

/* The last status is that of the rank's own value. */
static int known(struct gompi_pmix *p, const char *key, struct gompi_pmix_value **v)
{
	struct gompi_pmix_proc job = process(p, GOMPI_PMIX_RANK_WILDCARD);
	struct gompi_pmix_info local = option("pmix.optional", GOMPI_PMIX_BOOL, 1);

	*v = NULL;
	if (p->get(&job, key, &local, 1, v) == GOMPI_PMIX_SUCCESS && *v != NULL)
		return GOMPI_PMIX_SUCCESS;
	*v = NULL;
	int status = p->get(&p->self, key, &local, 1, v);
	return status == GOMPI_PMIX_SUCCESS && *v == NULL ? -1 : status;
}

int gompi_pmix_number(struct gompi_pmix *p, const char *key, unsigned *number)
{
	struct gompi_pmix_value *v;
	int status = known(p, key, &v);

	if (status != GOMPI_PMIX_SUCCESS)
		return status;
	if (v->type == GOMPI_PMIX_UINT32)
		*number = v->data.uint32;
	else if (v->type == GOMPI_PMIX_UINT16)
		*number = v->data.uint16;
	else
		status = -1;
	release(v);
	return status;
}

/* Takes the text out of a value and releases that. */
static int text_of(struct gompi_pmix_value *v, char **text)
{
	if (v == NULL)
		return -1;
	if (v->type != GOMPI_PMIX_STRING || v->data.string == NULL) {
		release(v);
		return -1;
	}
	*text = v->data.string;
	free(v);
	return GOMPI_PMIX_SUCCESS;
}

int gompi_pmix_string(struct gompi_pmix *p, const char *key, char **text)
{
	struct gompi_pmix_value *v;
	int status = known(p, key, &v);

	return status != GOMPI_PMIX_SUCCESS ? status : text_of(v, text);
}

int gompi_pmix_get(struct gompi_pmix *p, uint32_t rank, const char *key, char **text)
{
	struct gompi_pmix_proc from = process(p, rank);
	struct gompi_pmix_info patience = option("pmix.timeout", GOMPI_PMIX_INT, 60);
	struct gompi_pmix_value *v = NULL;
	int status = p->get(&from, key, &patience, 1, &v);

	return status != GOMPI_PMIX_SUCCESS ? status : text_of(v, text);
}

const char *gompi_pmix_text(struct gompi_pmix *p, int status)
{
	const char *text = p->error_string(status);

	return text != NULL ? text : "unknown error";
}
