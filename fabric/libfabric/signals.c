/* Libraries that providers bring with them take signals when they are loaded: libpsm2 takes those of faults
 * and SIGTERM, and ends the program with words of its own. Signals are the program's and Go's, so what has
 * changed in the meantime is changed back. */
#include <signal.h>
#include <string.h>

#include "library.h"

static int same(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_sigaction == b->sa_sigaction && a->sa_flags == b->sa_flags &&
	       memcmp(&a->sa_mask, &b->sa_mask, sizeof a->sa_mask) == 0;
}

void fabric_keep_signals(struct fabric_signals *kept)
{
	int sig;

	for (sig = 1; sig < FABRIC_SIGNALS; sig++)
		kept->known[sig] = sigaction(sig, NULL, &kept->actions[sig]) == 0;
}

void fabric_restore_signals(const struct fabric_signals *kept)
{
	struct sigaction now;
	int sig;

	for (sig = 1; sig < FABRIC_SIGNALS; sig++)
		if (kept->known[sig] && sigaction(sig, NULL, &now) == 0 && !same(&now, &kept->actions[sig]))
			sigaction(sig, &kept->actions[sig], NULL);
}
