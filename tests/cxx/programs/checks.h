// What the programs check with: a program prints nothing unless something is wrong.
#include <mpi.h>

#include <cstdio>

static int failures = 0;

#define CHECK(condition)                                                                                     \
	do {                                                                                                 \
		if (!(condition) && failures++ < 10)                                                         \
			std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                          \
	} while (0)

static inline int finish()
{
	MPI::Finalize();
	return failures != 0;
}
