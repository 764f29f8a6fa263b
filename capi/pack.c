/* Packing of little data without a call into Go, which would take longer: elements without gaps, or one element of runs at
 * equal distances. Everything else, and every error, is left to Go. */
#include "card.h"
#include "lane.h"
#include "life.h"

#include <string.h>

/* The most data, in bytes, that is packed here. The loops of Go are as quick, and quicker for more. */
enum { PACK_MOST = 8192 };

/* Whether the communicator is known to be one. */
static int known(MPI_Comm comm)
{
	return ((comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) && gompi_world_size != 0) ||
	       (comm != NULL && gompi_lane_route(gompi_lane, comm) != NULL);
}

/* The bytes of the data when it can be moved here, 0 when not: one run, whose length is stored in *run, or several. */
static size_t fits(const struct gompi_card *card, const void *data, int count, const void *packed, int room, const int *position, size_t *run)
{
	if (card == NULL || count <= 0 || room < 0 || position == NULL || (uintptr_t)data <= 2 || packed == NULL)
		return 0;
	int64_t runs = __atomic_load_n(&card->runs, __ATOMIC_ACQUIRE);
	int64_t bytes = card->size;
	if (runs == 0 || bytes > PACK_MOST || count > PACK_MOST)
		return 0;
	*run = (size_t)card->run;
	if (runs == 1 && (count == 1 || card->extent == bytes))
		*run = (size_t)(bytes *= count);
	else if (count > 1)
		return 0;
	if (bytes > PACK_MOST || *position < 0 || *position > room || bytes > room - *position)
		return 0;
	return (size_t)bytes;
}

/* Moves runs of a size that the compiler knows, some at a time. */
#define MOVE(size) \
	case size: \
		_Pragma("GCC unroll 4") \
		for (; n > 0; n -= size, to += to_stride, from += from_stride) \
			memcpy(to, from, size); \
		break

/* Moves runs that are that far apart; n bytes in all. */
static void move(char *to, int64_t to_stride, const char *from, int64_t from_stride, size_t run, size_t n)
{
	switch (run) {
	MOVE(4);
	MOVE(8);
	MOVE(16);
	MOVE(24);
	MOVE(32);
	MOVE(64);
	default:
		for (; n > 0; n -= run, to += to_stride, from += from_stride)
			memcpy(to, from, run);
	}
}

int gompi_fast_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position, MPI_Comm comm)
{
	const struct gompi_card *card = gompi_card(datatype);
	size_t run, n = fits(card, inbuf, incount, outbuf, outsize, position, &run);

	if (n == 0 || !known(comm))
		return 0;
	move((char *)outbuf + *position, (int64_t)run, (const char *)inbuf + card->true_lb, card->stride, run, n);
	*position += (int)n;
	return 1;
}

int gompi_fast_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype, MPI_Comm comm)
{
	const struct gompi_card *card = gompi_card(datatype);
	size_t run, n = fits(card, outbuf, outcount, inbuf, insize, position, &run);

	if (n == 0 || !known(comm))
		return 0;
	move((char *)outbuf + card->true_lb, card->stride, (const char *)inbuf + *position, (int64_t)run, run, n);
	*position += (int)n;
	return 1;
}
