/* Where the library stands. */
#ifndef GOMPI_PLACE_H
#define GOMPI_PLACE_H

#pragma GCC visibility push(hidden)

/* The file that the library was loaded from; "" when the loader does not say. */
const char *gompi_library_file(void);

#pragma GCC visibility pop

#endif
