/* Signals as any C program has them.
 *
 * The Go runtime installs handlers for faults and for SIGPIPE. When a fault happens outside of Go it asks the handler
 * that was there before; with none there, it would print the state of its goroutines and exit. So, ahead of Go's
 * constructor, a handler is put where the default action stood; it restores that action and lets the signal happen again. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

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

__attribute__((constructor(101))) static void keep_default_signals(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGPIPE};
	struct sigaction old, action = {0};

	action.sa_sigaction = as_by_default;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
}
