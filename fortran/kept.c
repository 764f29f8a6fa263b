/* Datatypes of sections' shapes, kept for the next call with a section of the same shape. */
#include "kept.h"

#include <pthread.h>
#include <stdlib.h>

/* So many shapes are looked through. More are kept: one that a call has found may not be freed for the sake
 * of the call's other sections, which are three at most. */
enum { KEPT = 8, SLOTS = 12 };

/* Those of a thread; all threads' are in a list, so that they are freed when MPI ends. */
struct shapes {
	struct shapes *next;
	unsigned newest, used, asked_next;
	struct known known[SLOTS];
	uint64_t asked[KEPT]; /* marks of the last shapes that have no datatype yet */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shapes *all;
static int keeping; /* between the first use and the end of MPI */
static pthread_key_t thread_end;
static __thread struct shapes *mine;

static void forget(struct shapes *of)
{
	for (unsigned i = 0; i < of->used; i++)
		PMPI_Type_free(&of->known[(of->newest + i) % SLOTS].made);
	of->used = 0;
}

static int forget_all(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm, (void)keyval, (void)value, (void)extra;
	pthread_mutex_lock(&lock);
	for (struct shapes *of = all; of != NULL; of = of->next)
		forget(of);
	__atomic_store_n(&keeping, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	return MPI_SUCCESS;
}

static void forget_thread(void *of)
{
	pthread_mutex_lock(&lock);
	forget(of);
	for (struct shapes **at = &all; *at != NULL; at = &(*at)->next)
		if (*at == of) {
			*at = (*at)->next;
			break;
		}
	pthread_mutex_unlock(&lock);
	free(of);
}

/* Types can be kept where MPI_Finalize calls what frees them: not in programs that have sessions alone. */
static void begin_keeping(void)
{
	int initialized = 0, finalized = 1, key;

	if (PMPI_Initialized(&initialized) != MPI_SUCCESS || !initialized ||
	    PMPI_Finalized(&finalized) != MPI_SUCCESS || finalized ||
	    pthread_key_create(&thread_end, forget_thread) != 0 ||
	    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_all, &key, NULL) != MPI_SUCCESS)
		return;
	if (PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL) == MPI_SUCCESS)
		__atomic_store_n(&keeping, 1, __ATOMIC_RELEASE);
	PMPI_Comm_free_keyval(&key);
}

static struct shapes *own(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (mine != NULL)
		return mine;
	pthread_once(&once, begin_keeping);
	if (!__atomic_load_n(&keeping, __ATOMIC_ACQUIRE) || (mine = calloc(1, sizeof *mine)) == NULL)
		return NULL;
	pthread_setspecific(thread_end, mine);
	pthread_mutex_lock(&lock);
	mine->next = all;
	all = mine;
	pthread_mutex_unlock(&lock);
	return mine;
}

/* Handles of types that are not predefined may be freed, and name another type then. */
struct shapes *kept_for(const struct gompi_section *s, MPI_Datatype type)
{
	return is_predefined(type) && s->rank <= KEPT_DIMS ? own() : NULL;
}

static int is_like(const struct known *k, const struct gompi_section *s, MPI_Count partitions,
                   MPI_Count count, MPI_Datatype type)
{
	if (k->count != count || k->partitions != partitions || k->type != type || k->elem_len != s->elem_len ||
	    k->rank != s->rank)
		return 0;
	for (int i = 0; i < s->rank; i++)
		if (k->extent[i] != s->dim[i].extent || k->sm[i] != s->dim[i].sm)
			return 0;
	return 1;
}

const struct known *kept_find(const struct shapes *of, const struct gompi_section *s, MPI_Count partitions,
                              MPI_Count count, MPI_Datatype type)
{
	for (unsigned i = 0; of != NULL && i < of->used && i < KEPT; i++) {
		const struct known *k = &of->known[(of->newest + i) % SLOTS];
		if (is_like(k, s, partitions, count, type))
			return k;
	}
	return NULL;
}

int kept_keep(struct shapes *of, const struct gompi_section *s, MPI_Count partitions, MPI_Count count,
              MPI_Datatype type, MPI_Datatype made, MPI_Count times)
{
	if (of == NULL || !__atomic_load_n(&keeping, __ATOMIC_ACQUIRE))
		return 0;
	of->newest = (of->newest + SLOTS - 1) % SLOTS;
	struct known *k = &of->known[of->newest];
	if (of->used == SLOTS)
		PMPI_Type_free(&k->made); /* operations that use it go on */
	else
		of->used++;
	*k = (struct known){.made = made,
	                    .type = type,
	                    .partitions = partitions,
	                    .count = count,
	                    .times = times,
	                    .elem_len = s->elem_len,
	                    .rank = s->rank};
	for (int i = 0; i < s->rank; i++) {
		k->extent[i] = s->dim[i].extent;
		k->sm[i] = s->dim[i].sm;
	}
	return 1;
}

/* A number that few shapes share. Where two do, a datatype is made that has not been asked for twice. */
static uint64_t mark_of(const struct gompi_section *s, MPI_Count count, MPI_Datatype type)
{
	const uint64_t odd = 0x9e3779b97f4a7c15;
	uint64_t mark = ((uint64_t)count * odd + (uintptr_t)type) * odd + s->elem_len;

	for (int i = 0; i < s->rank; i++)
		mark = (mark * odd + (uint64_t)s->dim[i].extent) * odd + (uint64_t)s->dim[i].sm;
	return mark;
}

int kept_recurs(const struct gompi_section *s, MPI_Count count, MPI_Datatype type)
{
	struct shapes *of = kept_for(s, type);

	if (of == NULL)
		return 0;
	const uint64_t mark = mark_of(s, count, type);
	for (unsigned i = 0; i < KEPT; i++)
		if (of->asked[i] == mark)
			return 1;
	of->asked[of->asked_next++ % KEPT] = mark;
	return 0;
}
