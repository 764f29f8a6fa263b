/* What the library may do at this moment of the process's life. */
#ifndef GOMPI_INIT_STATE_H
#define GOMPI_INIT_STATE_H

#include <stdint.h>

enum gompi_stage {
	GOMPI_FORKED = 0, /* a child of fork without exec: the Go runtime exists in its parent only */
	GOMPI_BEFORE,     /* neither MPI nor a session is initialized */
	GOMPI_ACTIVE,     /* MPI or a session is */
	GOMPI_FINISHED    /* MPI is finalized, and no session is there */
};

#pragma GCC visibility push(hidden)

/* The stage, in a page that the kernel empties in a child of fork. */
extern volatile int *gompi_init_state;

/* Called by Go when MPI or a session was initialized, and when the last one was finalized. */
void gompi_set_stage(int stage);

/* Called when name may not run at this stage; returns the error code for the caller. */
int gompi_refuse(const char *name);

/* Puts a line on stderr without touching any lock. */
void gompi_say(const char *line);

/* Writes a line to stderr and lets C's files out; ends the process with the code if that takes too long. */
void gompi_last_words(const char *line, int code);

/* Ends the process without more ado. */
void gompi_exit(int code);

/* The stage of MPI_COMM_WORLD, which comes and goes apart from sessions; set by MPI_Init and MPI_Finalize. */
void gompi_set_world(int stage);
extern int gompi_world_stage;

/* Makes the calling thread the main thread (MPI 5.0, 11.6.1). */
void gompi_set_main(void);

/* What the fast engine works on (endpoint.h); set by MPI_Init. */
void gompi_set_endpoint(uintptr_t endpoint);

#pragma GCC visibility pop

#endif
