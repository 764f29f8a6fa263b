/* Signals as any C program has them.
 *
 * The Go runtime installs handlers for faults and for SIGPIPE. When a fault happens outside of Go it asks
 * the handler that was there before; with none there, it would print the state of its goroutines and exit.
 * So, ahead of Go's constructor, a handler is put where the default action stood; it restores that action
 * and lets the signal happen again. A signal that was sent and is no fault never reaches Go: a handler in
 * front of Go's does what was to be done before the library was there. It also deals with the faults of
 * copies in C that may meet addresses without memory. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "start.h"
#include "copy.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGPIPE};

#define SIGNALS (sizeof signals / sizeof *signals)

/* What was there before Go, as_by_default for the default action; what Go has installed. */
static struct sigaction before[NSIG], go_actions[NSIG], urgent;

static void as_by_default(int sig, siginfo_t *info, void *context)
{
	struct sigaction action = {0};

	(void)context;
	action.sa_handler = SIG_DFL;
	sigaction(sig, &action, NULL);
	/* A faulting instruction faults again after the return; a signal that was sent must be sent again. */
	if (info->si_code <= 0)
		raise(sig);
}

/* Reports whether a signal is no consequence of what this process does. A write to a broken pipe looks like
 * a signal that the process has sent to itself. */
static int was_sent(int sig, const siginfo_t *info)
{
	return info->si_code <= 0 && (sig != SIGPIPE || info->si_pid != getpid());
}

static void ahead_of_go(int sig, siginfo_t *info, void *context)
{
	const struct sigaction *action = was_sent(sig, info) ? &before[sig] : &go_actions[sig];

	if (action == &go_actions[sig] && gompi_try_faulted(context))
		return;
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(sig, info, context);
	else if (action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL)
		action->sa_handler(sig);
}

static struct sigaction handler(void (*function)(int, siginfo_t *, void *))
{
	struct sigaction action = {0};

	action.sa_sigaction = function;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigfillset(&action.sa_mask);
	return action;
}

/* Reports whether a signal has the default action; *now is the one that it has. */
static int has_default(int sig, struct sigaction *now)
{
	return sigaction(sig, NULL, now) == 0 && !(now->sa_flags & SA_SIGINFO) && now->sa_handler == SIG_DFL;
}

static void keep_default(int sig)
{
	struct sigaction action = handler(as_by_default);

	if (has_default(sig, &before[sig])) {
		sigaction(sig, &action, NULL);
		before[sig] = action;
	}
}

/* Go unblocks some signals in its own threads and in threads that call it. Of these, faults alone are for
 * Go. */
static void leave_blocked(struct gompi_go_signal *table, int sig, const char *name)
{
	const int32_t unblock = 1 << 7; /* runtime._SigUnblock */

	if (table[sig].length == (int64_t)strlen(name) && memcmp(table[sig].name, name, strlen(name)) == 0)
		table[sig].flags &= ~unblock;
}

static void nothing(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info, (void)context;
}

/* A handler, and not SIG_IGN, which programs that are started from here would have as well. */
void gompi_outlive_deaths(void)
{
	struct sigaction action = handler(nothing), now;

	if (has_default(SIGUSR1, &now))
		sigaction(SIGUSR1, &action, NULL);
}

void gompi_signals_before_go(struct gompi_go_signal *table)
{
	leave_blocked(table, SIGCHLD, "SIGCHLD: child status has changed");
	leave_blocked(table, SIGPROF, "SIGPROF: profiling alarm clock");
	for (size_t i = 0; i < SIGNALS; i++)
		keep_default(signals[i]);
	sigaction(SIGURG, NULL, &urgent);
}

void gompi_signals_behind_go(void)
{
	struct sigaction action = handler(ahead_of_go);

	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &go_actions[signals[i]]);
	/* Go preempts its threads by SIGURG, if at all: the library is linked with asyncpreemptoff=1. */
	sigaction(SIGURG, &urgent, NULL);
}
