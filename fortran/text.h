/* Strings: Fortran's have a length and are padded with blanks, C's end with a zero. */
#ifndef GOMPI_FORTRAN_TEXT_H
#define GOMPI_FORTRAN_TEXT_H

#include <stddef.h>

/* Copies a string of Fortran to C without the blanks at its end; to has room for length + 1. Returns to. */
char *text_in(const char *text, size_t length, char *to);

/* The same without the blanks at its begin too, as for keys and values of info objects and for words of
 * commands. */
char *trimmed_text_in(const char *text, size_t length, char *to);

/* Copies a string of C to one of Fortran, cut or padded with blanks. */
void text_out(const char *text, char *to, size_t length);

#endif
