/* Strings between Fortran and C. */
#include "text.h"

#include <string.h>

char *text_in(const char *text, size_t length, char *to)
{
	while (length > 0 && text[length - 1] == ' ')
		length--;
	memcpy(to, text, length);
	to[length] = '\0';
	return to;
}

char *trimmed_text_in(const char *text, size_t length, char *to)
{
	while (length > 0 && *text == ' ')
		text++, length--;
	return text_in(text, length, to);
}

void text_out(const char *text, char *to, size_t length)
{
	size_t n = strnlen(text, length);

	memcpy(to, text, n);
	memset(to + n, ' ', length - n);
}
