/* Some versions of libfabric's TCP write a signal into the descriptor of a queue with each completion, and
 * never read it: the descriptor is readable for ever after the first. One thread at a time calls the library,
 * so nobody needs that signal, while the connections stand in the descriptor themselves. */
#define _GNU_SOURCE
#include "descriptor.h"

#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* The signal is a pair of sockets within the machine, which no connection to another one is. */
static int is_signal(int descriptor)
{
	int domain;
	socklen_t size = sizeof domain;

	return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

void descriptor_unsignal(int epoll)
{
	char text[256];
	FILE *members;
	int member;

	snprintf(text, sizeof text, "/proc/self/fdinfo/%d", epoll);
	members = fopen(text, "re");
	if (!members)
		return;
	while (fgets(text, sizeof text, members))
		if (sscanf(text, "tfd: %d", &member) == 1 && is_signal(member))
			epoll_ctl(epoll, EPOLL_CTL_DEL, member, NULL);
	fclose(members);
}
