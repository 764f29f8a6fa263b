/* What the stubs know of datatypes, so that they answer questions about them without a call into Go. Programs
 * ask for sizes and extents in their inner loops. Go writes an entry when a type gets its handle and takes it
 * back with the handle (typecache.go). */
#ifndef GOMPI_TYPECACHE_H
#define GOMPI_TYPECACHE_H

#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

#include "address.h"
#include "zz_typecache.h"

/* The shape of handles, as in mpi/handle.go, which is checked against these numbers. */
enum {
    GOMPI_TYPECACHE_KIND = 2,
    GOMPI_TYPECACHE_KIND_SHIFT = 25,
    GOMPI_TYPECACHE_INDEX_BITS = 18,
    GOMPI_TYPECACHE_CHUNK_BITS = 8
};
enum {
    GOMPI_TYPECACHE_ENTRIES = 1 << GOMPI_TYPECACHE_CHUNK_BITS,
    GOMPI_TYPECACHE_CHUNKS = 1 << (GOMPI_TYPECACHE_INDEX_BITS - GOMPI_TYPECACHE_CHUNK_BITS)
};

/* The most loops of a type that the stubs carry out. */
enum { GOMPI_TYPECACHE_LOOPS = 16 };

struct gompi_cached_type {
	uintptr_t handle; /* of the type that the entry tells of, 0 for none; written last */
	int64_t size, lb, extent, true_lb, true_extent;
	int64_t elements; /* basic ones in one of the type */
        /* Where the data of an element lies: the first of the loops that move it, all of them, of which there
         * may be one in this entry or memory of their own, and their number, which is 0 for types of
         * more than GOMPI_TYPECACHE_LOOPS and before MPI_Type_commit; written last of these. */
        struct gompi_loop first;
	const struct gompi_loop *all;
	int64_t loops;
};

/* Where Go writes them (typecache.go). The sizes stand in a row behind the handle. */
enum {
	GOMPI_TYPECACHE_SIZES = offsetof(struct gompi_cached_type, size),
	GOMPI_TYPECACHE_FIRST = offsetof(struct gompi_cached_type, first),
	GOMPI_TYPECACHE_ALL = offsetof(struct gompi_cached_type, all),
	GOMPI_TYPECACHE_COUNT = offsetof(struct gompi_cached_type, loops)
};
_Static_assert(GOMPI_TYPECACHE_FIRST - GOMPI_TYPECACHE_SIZES == 6 * sizeof(int64_t), "sizes of an entry");
_Static_assert(sizeof(((struct gompi_cached_type *)0)->handle) == sizeof(int64_t), "handle of an entry");

#pragma GCC visibility push(hidden)

/* Entries of predefined types, by the low byte of their handles. */
extern struct gompi_cached_type gompi_typecache_named[GOMPI_TYPECACHE_ENTRIES];

/* Entries of the program's types, by index; a chunk that was never needed is NULL. */
extern struct gompi_cached_type *gompi_typecache_chunks[GOMPI_TYPECACHE_CHUNKS];

/* The address of the chunk with the given number, made when it is not there yet; 0 when there is no memory.
 */
uintptr_t gompi_typecache_chunk(uint32_t number);

/* The address of the entry of the predefined type with that low byte of its handle. */
uintptr_t gompi_typecache_entry_named(uint32_t low);

/* Memory for that many loops, 0 when there is none; and what gives it back. */
uintptr_t gompi_typecache_loops(uint32_t loops);
void gompi_typecache_loops_free(uintptr_t all);

/* MPI_Pack and MPI_Unpack of little data (pack.c); 1 when that is done. */
int gompi_fast_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size);
int gompi_fast_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
                    int *position, MPI_Comm comm);
int gompi_fast_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                      MPI_Datatype datatype, MPI_Comm comm);

#pragma GCC visibility pop

/* The entry of a datatype, NULL when Go has to be asked. */
static inline const struct gompi_cached_type *gompi_cached_type(MPI_Datatype datatype)
{
	uintptr_t handle = (uintptr_t)datatype;
	const struct gompi_cached_type *entry;

	if (handle - 0x200 <= 0xff) {
		entry = &gompi_typecache_named[handle & 0xff];
	} else {
		if (handle >> GOMPI_TYPECACHE_KIND_SHIFT != GOMPI_TYPECACHE_KIND)
			return NULL;
		uintptr_t index = handle & ((1u << GOMPI_TYPECACHE_INDEX_BITS) - 1);
		entry = __atomic_load_n(&gompi_typecache_chunks[index >> GOMPI_TYPECACHE_CHUNK_BITS],
		                        __ATOMIC_ACQUIRE);
		if (entry == NULL)
			return NULL;
		entry += index & (GOMPI_TYPECACHE_ENTRIES - 1);
	}
	return __atomic_load_n(&entry->handle, __ATOMIC_ACQUIRE) == handle ? entry : NULL;
}

static inline int gompi_fast_Type_size(MPI_Datatype datatype, int *size)
{
	const struct gompi_cached_type *entry = gompi_cached_type(datatype);

	if (entry == NULL || gompi_nowhere(size) || entry->size > 0x7fffffff)
		return 0;
	*size = (int)entry->size;
	return 1;
}

static inline int gompi_fast_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
	const struct gompi_cached_type *entry = gompi_cached_type(datatype);

	if (entry == NULL || gompi_nowhere(lb) || gompi_nowhere(extent))
		return 0;
	*lb = entry->lb;
	*extent = entry->extent;
	return 1;
}

static inline int gompi_fast_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb,
                                                  MPI_Aint *true_extent)
{
	const struct gompi_cached_type *entry = gompi_cached_type(datatype);

	if (entry == NULL || gompi_nowhere(true_lb) || gompi_nowhere(true_extent))
		return 0;
	*true_lb = entry->true_lb;
	*true_extent = entry->true_extent;
	return 1;
}

/* The bytes of a message. */
static inline uint64_t gompi_bytes_of(const MPI_Status *status)
{
	return (uint64_t)(uint32_t)status->MPI_internal[0] | (uint64_t)(uint32_t)status->MPI_internal[1] << 32;
}

/* Of whole elements of the type; the others are left to Go. */
static inline int gompi_fast_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
	const struct gompi_cached_type *entry = gompi_cached_type(datatype);

	if (entry == NULL || entry->size == 0 || gompi_nowhere(status) || gompi_nowhere(count))
		return 0;
	uint64_t bytes = gompi_bytes_of(status), size = (uint64_t)entry->size;
	uint64_t whole = (size & (size - 1)) == 0 ? bytes >> __builtin_ctzll(size) : bytes / size;
	if (whole > 0x7fffffff || entry->elements > 0x7fffffff || whole * size != bytes ||
	    whole * (uint64_t)entry->elements > 0x7fffffff)
		return 0;
	*count = (int)(whole * (uint64_t)entry->elements);
	return 1;
}

/* Of types of one basic element. */
static inline int gompi_fast_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count)
{
	const struct gompi_cached_type *entry = gompi_cached_type(datatype);

	if (entry == NULL || entry->elements != 1 || entry->size > 0x7fffffff || count < 0 ||
	    gompi_nowhere(status))
		return 0;
	uint64_t bytes = (uint64_t)entry->size * (uint64_t)count;
	status->MPI_internal[0] = (int)(uint32_t)bytes;
	status->MPI_internal[1] = (int)(uint32_t)(bytes >> 32);
	return 1;
}

static inline int gompi_fast_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
	const struct gompi_cached_type *entry = gompi_cached_type(datatype);

	if (entry == NULL || entry->size == 0 || gompi_nowhere(status) || gompi_nowhere(count))
		return 0;
	uint64_t size = (uint64_t)entry->size;
	uint64_t bytes = gompi_bytes_of(status);
        uint64_t whole = (size & (size - 1)) == 0 ? bytes >> __builtin_ctzll(size) : bytes / size;
	if (whole > 0x7fffffff || whole * size != bytes)
		return 0;
	*count = (int)whole;
	return 1;
}

#endif
