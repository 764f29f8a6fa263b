/* Packing of little data without a call into Go, which would take longer: of types whose record holds their
 * loops, which are carried out here as package datatype does it. Everything else, and every error, is left to
 * Go. */
#include "address.h"
#include "endpoint.h"
#include "init_state.h"
#include "native.h"
#include "pack.h"

#include <string.h>

/* Whether the communicator is known to be one. */
static int known(MPI_Comm comm)
{
	return fast_objects_known(&gompi_endpoint->objects, (uintptr_t)comm) != NULL;
}

/* The record of a datatype, NULL where Go has to be asked. */
static const struct fast_type *type_of(MPI_Datatype datatype)
{
	return fast_datatypes_datatype(&gompi_endpoint->objects.datatypes, (uintptr_t)datatype);
}

/* The bytes of the data when it can be moved here, 0 when not. */
static size_t fits(const struct fast_type *type, const void *data, int count, const void *packed,
                   int64_t room, int64_t position)
{
	if (type == NULL || count <= 0 || gompi_nowhere(data) || gompi_nowhere(packed))
		return 0;
	if (__atomic_load_n(&type->loops, __ATOMIC_ACQUIRE) == 0 || type->size > FAST_MOST_PACKED ||
	    count > FAST_MOST_PACKED)
		return 0;
	int64_t bytes = type->size * count;
	const int64_t most = type->loops > FAST_FEW_LOOPS ? FAST_MOST_LISTED : FAST_MOST_PACKED;
	if (bytes > most || position < 0 || position > room || bytes > room - position)
		return 0;
	return (size_t)bytes;
}

enum direction { PACK, UNPACK };

/* Moves n runs between memory, where they are stride bytes apart, and the stream, where they are step bytes
 * apart. */
static inline void runs(char *memory, int64_t stride, char *stream, int64_t step, size_t run, int64_t n,
                        enum direction d)
{
	if (n == 1)
		gompi_move_run(d == PACK ? stream : memory, d == PACK ? memory : stream, run);
	else if (d == PACK)
		gompi_move_runs(stream, step, memory, stride, run, n);
	else
		gompi_move_runs(memory, stride, stream, step, run, n);
}

/* Whether each of the loops is one run. */
static int flat(const struct fast_loop *body, int64_t loops)
{
	for (int64_t i = 0; i < loops; i++)
		if (body[i].inner != 0 || body[i].count != 1)
			return 0;
	return 1;
}

/* Carries out count turns of a body of that many loops, each of size bytes, and returns where the stream goes
 * on. As in package datatype, turns of single runs, such as an array of structs, are moved run by run, each
 * for all turns. */
static char *turns(const struct fast_loop *body, int64_t loops, char *base, int64_t count, int64_t stride,
                   int64_t size, char *stream, enum direction d)
{
	const struct fast_loop *const end = body + loops;

	if (count > 1 && flat(body, loops)) {
		char *column = stream;
		for (const struct fast_loop *l = body; l < end; column += l++->size)
			runs(base + l->off, stride, column, size, (size_t)l->size, count, d);
		return stream + count * size;
	}
	for (; count > 0; count--, base += stride) {
		for (const struct fast_loop *l = body; l < end; l += 1 + l->inner) {
			if (l->inner != 0) {
				stream = turns(l + 1, l->inner, base + l->off, l->count, l->stride, l->size, stream, d);
				continue;
			}
			runs(base + l->off, l->stride, stream, l->size, (size_t)l->size, l->count, d);
			stream += l->count * l->size;
		}
	}
	return stream;
}

/* Moves count elements, of n bytes in all. */
static void elements(const struct fast_type *type, char *memory, int count, char *stream, size_t n,
                     enum direction d)
{
	const struct fast_loop *l = &type->first;

	if (type->loops != 1)
		turns(type->all, type->loops, memory, count, type->extent, type->size, stream, d);
	else if (count == 1)
		runs(memory + l->off, l->stride, stream, l->size, (size_t)l->size, l->count, d);
	else if (l->count == 1 && type->extent == l->size)
		runs(memory + l->off, 0, stream, 0, n, 1, d);
	else
		turns(l, 1, memory, count, type->extent, type->size, stream, d);
}

/* What the fast engine calls; see runtime/fast/gaps.go. */
void fast_pack_elements(struct fast_type *type, uintptr_t memory, uint32_t size, uintptr_t stream)
{
	elements(type, (char *)memory, (int)(size / (uint32_t)type->size), (char *)stream, size, PACK);
}

void fast_unpack_elements(struct fast_type *type, uintptr_t memory, uint32_t size, uintptr_t stream)
{
	elements(type, (char *)memory, (int)(size / (uint32_t)type->size), (char *)stream, size, UNPACK);
}

/* The arguments of fast_try_elements. */
struct move {
	uintptr_t to;
	struct fast_type *unpacked;
	uintptr_t from;
	struct fast_type *packed;
	uint32_t size;
	uintptr_t scratch;
};

static void move_elements(void *move)
{
	const struct move *m = move;
	uintptr_t packed = m->from;

	if (m->packed != NULL) {
		packed = m->unpacked != NULL ? m->scratch : m->to;
		fast_pack_elements(m->packed, m->from, m->size, packed);
	}
	if (m->unpacked != NULL)
		fast_unpack_elements(m->unpacked, m->to, m->size, packed);
}

bool fast_try_elements(uintptr_t to, struct fast_type *unpacked, uintptr_t from, struct fast_type *packed,
                       uint32_t size, uintptr_t scratch)
{
	struct move m = {to, unpacked, from, packed, size, scratch};

	return gompi_try(move_elements, &m) != 0;
}

int gompi_fast_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
                    int *position, MPI_Comm comm)
{
	const struct fast_type *type = type_of(datatype);

	if (gompi_nowhere(position) || !known(comm))
		return 0;
	size_t n = fits(type, inbuf, incount, outbuf, outsize, *position);
	if (n == 0)
		return 0;
	elements(type, (char *)inbuf, incount, (char *)outbuf + *position, n, PACK);
	*position += (int)n;
	return 1;
}

int gompi_fast_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                      MPI_Datatype datatype, MPI_Comm comm)
{
	const struct fast_type *type = type_of(datatype);

	if (gompi_nowhere(position) || !known(comm))
		return 0;
	size_t n = fits(type, outbuf, outcount, inbuf, insize, *position);
	if (n == 0)
		return 0;
	elements(type, outbuf, outcount, (char *)inbuf + *position, n, UNPACK);
	*position += (int)n;
	return 1;
}

/* Copies n bytes with the bytes of each number reversed, as external32 has them. The two may be the same. */
static int reverse(char *to, const char *from, size_t n, uint32_t unit)
{
	switch (unit) {
	case 1:
		memmove(to, from, n);
		return 1;
#define REVERSE(type, swap) \
	for (size_t i = 0; i < n; i += sizeof(type)) { \
		type v; \
		memcpy(&v, from + i, sizeof v); \
		v = swap(v); \
		memcpy(to + i, &v, sizeof v); \
	} \
	return 1
	case 2:
		REVERSE(uint16_t, __builtin_bswap16);
	case 4:
		REVERSE(uint32_t, __builtin_bswap32);
	case 8:
		REVERSE(uint64_t, __builtin_bswap64);
	}
	return 0;
}

/* Whether the data of a type is reversed here, number by number. */
static int reversible(const char *datarep, const struct fast_type *type)
{
	return !gompi_nowhere(datarep) && strcmp(datarep, "external32") == 0 && type != NULL &&
	       (type->unit == 1 || type->unit == 2 || type->unit == 4 || type->unit == 8);
}

int gompi_fast_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype,
                             void *outbuf, MPI_Aint outsize, MPI_Aint *position)
{
	const struct fast_type *type = type_of(datatype);

	if (gompi_nowhere(position) || !reversible(datarep, type))
		return 0;
	size_t n = fits(type, inbuf, incount, outbuf, outsize, *position);
	if (n == 0)
		return 0;
	char *to = (char *)outbuf + *position;
	elements(type, (char *)inbuf, incount, to, n, PACK);
	reverse(to, to, n, type->unit);
	*position += (MPI_Aint)n;
	return 1;
}

/* Of types without gaps. */
int gompi_fast_Unpack_external(const char *datarep, const void *inbuf, MPI_Aint insize, MPI_Aint *position,
                               void *outbuf, int outcount, MPI_Datatype datatype)
{
	const struct fast_type *type = type_of(datatype);

	if (gompi_nowhere(position) || !reversible(datarep, type) || type->bytes == 0)
		return 0;
	size_t n = fits(type, outbuf, outcount, inbuf, insize, *position);
	if (n == 0 || !reverse(outbuf, (const char *)inbuf + *position, n, type->unit))
		return 0;
	*position += (MPI_Aint)n;
	return 1;
}
