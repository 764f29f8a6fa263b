/* Guards of memory. A page that may not be used is one that faults. The handler gives the memory back to
 * whoever used it, and notes the first use by the program. What the library itself does is no use. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "guard.h"
#include "copy.h"

enum { GUARDS = 64, STRAYS = 100 };

struct guard {
	atomic_uintptr_t lo, hi, at;
	atomic_int how, taken;
	atomic_int strays; /* faults that came to the handler when the guard had ended */
};

static struct guard guards[GUARDS];
static atomic_uint hits;

/* The handlers behind the one here: the first that was found, and the one that the program has set since. */
static struct sigaction first, next;
static __thread const siginfo_t *passed __attribute__((tls_model("initial-exec")));

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static int by_library(uintptr_t at)
{
	return at - (uintptr_t)__ehdr_start < (uintptr_t)etext - (uintptr_t)__ehdr_start;
}

static int open_again(struct guard *g)
{
	uintptr_t lo = atomic_load(&g->lo);

	return mprotect((void *)lo, atomic_load(&g->hi) - lo, PROT_READ | PROT_WRITE);
}

static int how_used(ucontext_t *context)
{
#if defined(__x86_64__)
	return context->uc_mcontext.gregs[REG_ERR] & 2 ? GOMPI_WRITTEN : GOMPI_READ;
#else
	(void)context;
	return GOMPI_USED;
#endif
}

/* Reports whether a fault was one of guarded memory, which can be used now. */
static int was_guarded(const siginfo_t *info, void *context)
{
	uintptr_t address = (uintptr_t)info->si_addr, at = *gompi_counter(context);

	for (struct guard *g = guards; g < guards + GUARDS; g++) {
		int unused = GOMPI_UNUSED;

		if (address < atomic_load(&g->lo) || address >= atomic_load(&g->hi))
			continue;
		if (!atomic_load(&g->taken)) {
			if (atomic_fetch_add(&g->strays, 1) < STRAYS)
				return 1; /* another thread has ended the guard meanwhile */
			continue;
		}
		if (open_again(g) != 0)
			return 0;
		if (!by_library(at) && atomic_compare_exchange_strong(&g->how, &unused, how_used(context))) {
			atomic_store(&g->at, at);
			atomic_fetch_add(&hits, 1);
		}
		return 1;
	}
	return 0;
}

static void in_front(int sig, siginfo_t *info, void *context)
{
	/* A handler of the program's may have found this one when it was set, and call it. */
	const struct sigaction *action = passed == info ? &first : &next;

	if (info->si_code > 0 && was_guarded(info, context))
		return;
	passed = info;
	if (action->sa_flags & SA_SIGINFO) {
		action->sa_sigaction(sig, info, context);
	} else if (action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL) {
		action->sa_handler(sig);
	} else {
		struct sigaction by_default = {0};

		by_default.sa_handler = SIG_DFL;
		sigaction(sig, &by_default, NULL);
		if (info->si_code <= 0)
			raise(sig);
	}
	passed = NULL;
}

/* The program may have set a handler since. */
static void come_to_front(void)
{
	struct sigaction now;

	if (sigaction(SIGSEGV, NULL, &now) != 0 || now.sa_sigaction == in_front)
		return;
	if (first.sa_sigaction == NULL)
		first = now;
	next = now;
	now.sa_sigaction = in_front;
	now.sa_flags |= SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGSEGV, &now, NULL);
}

int gompi_guard(uintptr_t lo, uintptr_t hi)
{
	come_to_front();
	for (int i = 0; i < GUARDS; i++) {
		struct guard *g = &guards[i];

		if (atomic_exchange(&g->taken, 1))
			continue;
		atomic_store(&g->lo, 0);
		atomic_store(&g->hi, hi);
		atomic_store(&g->at, 0);
		atomic_store(&g->how, GOMPI_UNUSED);
		atomic_store(&g->strays, 0);
		atomic_store(&g->lo, lo);
		if (mprotect((void *)lo, hi - lo, PROT_NONE) == 0)
			return i;
		atomic_store(&g->lo, 0);
		atomic_store(&g->hi, 0);
		atomic_store(&g->taken, 0);
		return -1;
	}
	return -1;
}

int gompi_unguard(int guard, uintptr_t *at)
{
	struct guard *g = &guards[guard];
	int how;

	open_again(g);
	how = atomic_load(&g->how);
	*at = how == GOMPI_UNUSED ? 0 : atomic_load(&g->at);
	atomic_store(&g->taken, 0);
	return how;
}

uint32_t gompi_guards_hit(void)
{
	return atomic_load(&hits);
}
