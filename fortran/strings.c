/* Routines whose string results have a length of the program's choice. */
#include <stdlib.h>
#include <string.h>

#include "entry.h"

void pmpi_info_get_(int *info, const char *key, int *valuelen, char *value, int *flag, int *ierror,
                    size_t key_length, size_t value_length)
{
	char found[MPI_MAX_INFO_VAL + 1] = "";
	char *c_key = trimmed_text_in(key, key_length, __builtin_alloca(key_length + 1));
	int room = *valuelen < MPI_MAX_INFO_VAL ? *valuelen : MPI_MAX_INFO_VAL;

	if ((size_t)room > value_length)
		room = (int)value_length;
	int rc = MPI_Info_get((MPI_Info)(intptr_t)*info, c_key, room, found, flag);
	if (rc == MPI_SUCCESS && *flag)
		text_out(found, value, value_length);
	LEAVE(ierror, rc);
}
WEAK(info_get_)
SAME(info_get_, info_get_f08_)

/* The length that C counts has a place for the final zero, that of Fortran has not. */

void pmpi_info_get_string_(int *info, const char *key, int *buflen, char *value, int *flag, int *ierror,
                           size_t key_length, size_t value_length)
{
	char found[MPI_MAX_INFO_VAL + 1] = "";
	char *c_key = trimmed_text_in(key, key_length, __builtin_alloca(key_length + 1));
	int wanted = *buflen, room = 0;

	if (wanted > 0) {
		room = wanted < MPI_MAX_INFO_VAL ? wanted : MPI_MAX_INFO_VAL;
		if ((size_t)room > value_length)
			room = (int)value_length;
		room++;
	}
	int rc = MPI_Info_get_string((MPI_Info)(intptr_t)*info, c_key, &room, found, flag);
	if (rc == MPI_SUCCESS && *flag) {
		if (wanted > 0)
			text_out(found, value, value_length);
		*buflen = room - 1;
	}
	LEAVE(ierror, rc);
}
WEAK(info_get_string_)
SAME(info_get_string_, info_get_string_f08_)

void pmpi_session_get_nth_pset_(int *session, int *info, int *n, int *pset_len, char *pset_name, int *ierror,
                                size_t name_length)
{
	char found[MPI_MAX_PSET_NAME_LEN + 1] = "";
	int wanted = *pset_len, room = 0;

	if (wanted > 0) {
		room = wanted < MPI_MAX_PSET_NAME_LEN ? wanted : MPI_MAX_PSET_NAME_LEN;
		if ((size_t)room > name_length)
			room = (int)name_length;
		room++;
	}
	int rc = MPI_Session_get_nth_pset((MPI_Session)(intptr_t)*session, (MPI_Info)(intptr_t)*info, *n, &room,
	                                  found);
	if (rc == MPI_SUCCESS) {
		if (wanted > 0)
			text_out(found, pset_name, name_length);
		*pset_len = room - 1;
	}
	LEAVE(ierror, rc);
}
WEAK(session_get_nth_pset_)
SAME(session_get_nth_pset_, session_get_nth_pset_f08_)
