/* Random traffic of one rank by the fast engine in C. */
#ifndef SANITIZE_TRAFFIC_H
#define SANITIZE_TRAFFIC_H

#include <stdint.h>

/* Does that many steps as rank me of n over an endpoint that knows MPI_COMM_WORLD and whose rings are open.
 * All ranks pass the same seed. Returns NULL, or what went wrong, which goes to sanitize_free. */
char *sanitize_traffic(uintptr_t endpoint, int me, int n, uint64_t seed, int steps);

void sanitize_free(char *text);

#endif
