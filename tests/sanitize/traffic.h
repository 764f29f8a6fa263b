/* Random traffic of one rank by the fast engine in C. */
#ifndef SANITIZE_TRAFFIC_H
#define SANITIZE_TRAFFIC_H

#include <stdint.h>

/* A rank: its endpoint knows MPI_COMM_WORLD and two windows, one for fences and one for all else, and its
 * rings are open. */
struct sanitize_rank {
	uintptr_t endpoint;
	uintptr_t windows[2]; /* handles */
	uintptr_t memory[2];  /* this rank's in the windows, SANITIZE_WORDS words of 64 bits, all 0 */
	uintptr_t others;     /* the handle of the group of all ranks but this one, which the windows know */
	int me, n;
};

enum { SANITIZE_WORDS = 256 };

/* Does that many steps. All ranks pass the same seed. Returns NULL, or what went wrong, which goes to
 * sanitize_free. */
char *sanitize_traffic(const struct sanitize_rank *who, uint64_t seed, int steps);

void sanitize_free(char *text);

#endif
