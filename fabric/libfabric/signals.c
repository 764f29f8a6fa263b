/* Libraries that providers bring with them take signals when they are loaded: libpsm2 takes those of faults
 * and SIGTERM, and ends the program with words of its own. Signals are the program's and Go's, so what they
 * have changed is changed back; what the program has changed meanwhile, in another thread, stays. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <string.h>

#include "library.h"

static int same(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_sigaction == b->sa_sigaction && a->sa_flags == b->sa_flags &&
	       memcmp(&a->sa_mask, &b->sa_mask, sizeof a->sa_mask) == 0;
}

/* Files that are loaded later come behind those that are there. */
static int count(struct dl_phdr_info *info, size_t size, void *number)
{
	(void)info, (void)size;
	++*(int *)number;
	return 0;
}

struct search {
	uintptr_t handler;
	int left;  /* files that were there before and were not looked at yet */
	int found; /* the handler lies in one of them */
};

static int find(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct search *s = argument;

	(void)size;
	if (s->left-- == 0)
		return 1;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD && s->handler - from < info->dlpi_phdr[i].p_memsz)
			s->found = 1;
	}
	return s->found;
}

/* Whether an action is none of a library that has come since. */
static int is_programs(const struct fabric_signals *kept, const struct sigaction *now)
{
	struct search s = {(uintptr_t)now->sa_sigaction, kept->loaded, 0};

	if (now->sa_handler == SIG_DFL || now->sa_handler == SIG_IGN)
		return 1;
	dl_iterate_phdr(find, &s);
	return s.found;
}

void fabric_keep_signals(struct fabric_signals *kept)
{
	int sig;

	kept->loaded = 0;
	dl_iterate_phdr(count, &kept->loaded);
	for (sig = 1; sig < FABRIC_SIGNALS; sig++)
		kept->known[sig] = sigaction(sig, NULL, &kept->actions[sig]) == 0;
}

void fabric_restore_signals(const struct fabric_signals *kept)
{
	struct sigaction now;
	int sig;

	for (sig = 1; sig < FABRIC_SIGNALS; sig++)
		if (kept->known[sig] && sigaction(sig, NULL, &now) == 0 && !same(&now, &kept->actions[sig]) &&
		    !is_programs(kept, &now))
			sigaction(sig, &kept->actions[sig], NULL);
}
