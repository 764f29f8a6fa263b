/* Where the constants of Fortran that are addresses lie. */
#include "sentinel.h"

/* As gfortran aligns a common block where vectors have 64 bytes. A linker warns when a program's own copy is
 * aligned more strictly than the library's. */
enum { COMMON_ALIGNMENT = 64 };

/* A variable, and a name for the library's copy alone. */
#define OWN(type, name) \
	type name __attribute__((section("gompi_own"), aligned(COMMON_ALIGNMENT))); \
	extern type own_##name __attribute__((alias(#name), visibility("hidden")));

OWN(int, gompi_f_bottom_)
OWN(int, gompi_f_in_place_)
OWN(int, gompi_f_buffer_automatic_)
OWN(int, gompi_f_unweighted_)
OWN(int, gompi_f_weights_empty_)
OWN(int, gompi_f_errcodes_ignore_)
OWN(MPI_Status, gompi_f_status_ignore_)
OWN(MPI_Status, gompi_f_statuses_ignore_)
OWN(MPI_Status, gompi_f08_status_ignore_)
OWN(MPI_Status, gompi_f08_statuses_ignore_)
OWN(char, gompi_f_argv_null_)
OWN(char, gompi_f_argvs_null_)

#define BOTH(name) \
	{ \
		&own_##name, &name \
	}

void *preempted(const void *own)
{
	static const struct {
		void *own, *name;
	} all[] = {
		BOTH(gompi_f_bottom_),           BOTH(gompi_f_in_place_),
		BOTH(gompi_f_buffer_automatic_), BOTH(gompi_f_unweighted_),
		BOTH(gompi_f_weights_empty_),    BOTH(gompi_f_errcodes_ignore_),
		BOTH(gompi_f_status_ignore_),    BOTH(gompi_f_statuses_ignore_),
		BOTH(gompi_f08_status_ignore_),  BOTH(gompi_f08_statuses_ignore_),
		BOTH(gompi_f_argv_null_),        BOTH(gompi_f_argvs_null_),
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].own == own)
			return all[i].name;
	return (void *)own;
}
