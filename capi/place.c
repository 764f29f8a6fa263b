#define _GNU_SOURCE
#include <dlfcn.h>

#include "place.h"

const char *gompi_library_file(void)
{
	Dl_info own;
	if (!dladdr((const void *)gompi_library_file, &own) || !own.dli_fname)
		return "";
	return own.dli_fname;
}
