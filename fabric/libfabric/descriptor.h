/* The descriptor of a completion queue. */
#ifndef GOMPI_FABRIC_DESCRIPTOR_H
#define GOMPI_FABRIC_DESCRIPTOR_H

/* Takes out of an epoll descriptor the signal by which threads of the same process wake each other. */
void descriptor_unsignal(int epoll);

#endif
