/* Which ranks of the world a communicator or window has. It is written down when the object is made or first
 * used, so that a message costs a comparison. Ranks agree on which object is which by its members and by how
 * many objects of the same members have been made before, which is the same on all of them. */
#include "record.h"

#include <pthread.h>
#include <stdlib.h>

enum { SLOTS = 1 << 13, MADE = 1 << 12 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t known[SLOTS]; /* handles; 0 for a free slot, 1 for one that was freed */

/* How many objects with these members have been made. */
static struct {
	uint64_t members;
	uint32_t count;
} made[MADE];

static uint32_t slot_of(uint32_t handle)
{
	return handle * 2654435761u >> 19;
}

static int is_known(uint32_t handle)
{
	for (uint32_t i = slot_of(handle), n = 0; n < SLOTS; n++, i = (i + 1) % SLOTS) {
		uint32_t here = known[i];

		if (here == handle)
			return 1;
		if (here == 0)
			return 0;
	}
	return 0;
}

/* Adds a handle, unless it is there. */
static int add(uint32_t handle)
{
	uint32_t i = slot_of(handle), n;

	if (is_known(handle))
		return 0;
	for (n = 0; n < SLOTS && known[i] > 1; n++)
		i = (i + 1) % SLOTS;
	if (n == SLOTS)
		return 0;
	known[i] = handle;
	return 1;
}

void trace_forget(uintptr_t object)
{
	uint32_t handle = (uint32_t)object;

	pthread_mutex_lock(&lock);
	for (uint32_t i = slot_of(handle), n = 0; n < SLOTS && known[i] != 0; n++, i = (i + 1) % SLOTS)
		if (known[i] == handle)
			known[i] = 1;
	pthread_mutex_unlock(&lock);
	trace_thread.object = 0;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
	return hash ^ hash >> 29;
}

static uint32_t ordinal(uint64_t members)
{
	for (uint32_t i = (uint32_t)(members % MADE), n = 0; n < MADE; n++, i = (i + 1) % MADE) {
		if (made[i].count == 0)
			made[i].members = members;
		if (made[i].members == members)
			return made[i].count++;
	}
	return UINT32_MAX;
}

/* The group of all ranks of the program; where it uses sessions alone, from a session of its own. */
static MPI_Group world_group(void)
{
	MPI_Group group = MPI_GROUP_NULL;
	MPI_Session session;
	int initialized = 0, finalized = 0;

	REAL(Initialized)(&initialized);
	REAL(Finalized)(&finalized);
	if (initialized && !finalized)
		REAL(Comm_group)(MPI_COMM_WORLD, &group);
	else if (REAL(Session_init)(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS) {
		if (REAL(Group_from_session_pset)(session, "mpi://WORLD", &group) != MPI_SUCCESS)
			group = MPI_GROUP_NULL;
		REAL(Session_finalize)(&session);
	}
	return group;
}

/* The ranks of a group in the world, of which the caller frees the array. */
static int *in_world(MPI_Group group, int *size)
{
	MPI_Group world = world_group();
	int *own, *all = NULL;

	*size = 0;
	if (world == MPI_GROUP_NULL)
		return NULL;
	if (REAL(Group_size)(group, size) == MPI_SUCCESS &&
	    (own = malloc((size_t)*size * sizeof *own + 1)) != NULL) {
		all = malloc((size_t)*size * sizeof *all + 1);
		for (int i = 0; i < *size; i++)
			own[i] = i;
		if (all != NULL && REAL(Group_translate_ranks)(group, *size, own, world, all) != MPI_SUCCESS) {
			free(all);
			all = NULL;
		}
		free(own);
	}
	REAL(Group_free)(&world);
	return all;
}

static uint64_t hash_of(const int *ranks, int size, uint64_t kind)
{
	uint64_t hash = mix(kind, (uint64_t)size);

	for (int i = 0; i < size; i++)
		hash = mix(hash, (uint64_t)(int64_t)ranks[i]);
	return hash;
}

static void write_down(const struct record *r, uint32_t handle, uint64_t members, const int *peers, int size)
{
	struct record *g = trace_keep(r, TRACE_GROUP);
	struct record *m;

	if (g == NULL)
		return;
	g->object = handle;
	g->end = members;
	g->tag = (int32_t)ordinal(members);
	g->peer = size;
	for (int i = 0; i < size; i += 8) {
		if ((m = trace_keep(r, TRACE_MEMBERS)) == NULL)
			return;
		for (m->flags = 0; m->flags < 8 && i + m->flags < size; m->flags++)
			m->words[m->flags] = (uint32_t)peers[i + m->flags];
	}
}

/* Describes an object by its group and, between two groups, the remote one, which alone its ranks mean. */
static void describe(const struct record *r, uint32_t handle, MPI_Group group, MPI_Group remote,
                     uint64_t kind)
{
	int size, far = 0;
	int *ranks = in_world(group, &size), *others = NULL;

	if (ranks != NULL && remote != MPI_GROUP_NULL)
		others = in_world(remote, &far);
	if (ranks != NULL && others != NULL)
		write_down(r, handle, hash_of(ranks, size, kind) + hash_of(others, far, kind), others, far);
	else if (ranks != NULL && remote == MPI_GROUP_NULL)
		write_down(r, handle, hash_of(ranks, size, kind), ranks, size);
	free(ranks);
	free(others);
}

/* The groups are those of like, where comm is not finished yet. */
static void learn_comm(const struct record *r, MPI_Comm comm, MPI_Comm like)
{
	MPI_Group group, remote = MPI_GROUP_NULL;
	int inter = 0;

	if (comm == MPI_COMM_NULL || !add(trace_short(comm)) || REAL(Comm_group)(like, &group) != MPI_SUCCESS)
		return;
	if (REAL(Comm_test_inter)(like, &inter) == MPI_SUCCESS && inter)
		REAL(Comm_remote_group)(like, &remote);
	describe(r, trace_short(comm), group, remote, 1);
	REAL(Group_free)(&group);
	if (remote != MPI_GROUP_NULL)
		REAL(Group_free)(&remote);
}

static void learn_win(const struct record *r, MPI_Win win)
{
	MPI_Group group;

	if (win == MPI_WIN_NULL || !add(trace_short(win)) || REAL(Win_get_group)(win, &group) != MPI_SUCCESS)
		return;
	describe(r, trace_short(win), group, MPI_GROUP_NULL, 2);
	REAL(Group_free)(&group);
}

void trace_learn(struct record *r, MPI_Comm comm, MPI_Win win)
{
	if (!is_known(r->object)) {
		pthread_mutex_lock(&lock);
		if (comm != MPI_COMM_NULL)
			learn_comm(r, comm, comm);
		else
			learn_win(r, win);
		pthread_mutex_unlock(&lock);
	}
	trace_thread.object = r->object;
}

/* A handle that is made again stands for another object. */
void trace_new_dup(struct record *r, MPI_Comm parent, MPI_Comm comm)
{
	if (r == NULL || comm == MPI_COMM_NULL)
		return;
	trace_forget((uintptr_t)comm);
	pthread_mutex_lock(&lock);
	learn_comm(r, comm, parent);
	pthread_mutex_unlock(&lock);
}

void trace_new_comm(struct record *r, MPI_Comm comm)
{
	trace_new_dup(r, comm, comm);
}

void trace_new_win(struct record *r, MPI_Win win)
{
	if (r == NULL)
		return;
	trace_forget((uintptr_t)win);
	pthread_mutex_lock(&lock);
	learn_win(r, win);
	pthread_mutex_unlock(&lock);
}

/* The communicators that nobody makes are the first ones everywhere. */
void trace_world(const struct record *r)
{
	pthread_mutex_lock(&lock);
	learn_comm(r, MPI_COMM_WORLD, MPI_COMM_WORLD);
	learn_comm(r, MPI_COMM_SELF, MPI_COMM_SELF);
	pthread_mutex_unlock(&lock);
}

_Atomic int16_t trace_sizes[TRACE_PREDEFINED];

uint64_t trace_type_size(MPI_Datatype type)
{
	uintptr_t handle = (uintptr_t)type;
	MPI_Count size = 0;

	if (type == MPI_DATATYPE_NULL || REAL(Type_size_c)(type, &size) != MPI_SUCCESS || size < 0)
		return 0;
	if (handle < TRACE_PREDEFINED)
		trace_sizes[handle] = (int16_t)(size + 1);
	return (uint64_t)size;
}
