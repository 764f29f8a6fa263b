/* Spawning processes: arrays of strings, of which the last one of each is blank, and blanks on both sides of
 * a string mean nothing (MPI 5.0, 11.8). What is significant at the root only is looked at there only. */
#include <stdlib.h>
#include <string.h>

#include "entry.h"

static int is_root(MPI_Comm comm, int root)
{
	int inter = 0, rank = MPI_PROC_NULL;

	if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
		return 0;
	if (inter)
		return root == MPI_ROOT;
	PMPI_Comm_rank(comm, &rank);
	return rank == root;
}

static int is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] != ' ')
			return 0;
	return 1;
}

/* The strings in one piece with the array of pointers to them; step is the distance from one to the next. */
static char **strings(const char *texts, size_t length, size_t step, int n)
{
	if (n < 0)
		for (n = 0; !is_blank(texts + (size_t)n * step, length); n++)
			;
	char **all = malloc((size_t)(n + 1) * sizeof *all + (size_t)n * (length + 1));
	if (all == NULL)
		return NULL;
	char *at = (char *)(all + n + 1);
	for (int i = 0; i < n; i++, at += length + 1)
		all[i] = trimmed_text_in(texts + (size_t)i * step, length, at);
	all[n] = NULL;
	return all;
}

static int *errcodes_address(int *codes)
{
	return in_use(codes) == &gompi_f_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : codes;
}

void pmpi_comm_spawn_(const char *command, const char *argv, int *maxprocs, int *info, int *root, int *comm,
                      int *intercomm, int *array_of_errcodes, int *ierror, size_t command_length,
                      size_t argv_length)
{
	const int here = is_root((MPI_Comm)(intptr_t)*comm, *root);
	MPI_Comm made = (MPI_Comm)(intptr_t)*intercomm;
	char **words = MPI_ARGV_NULL, *program = NULL;

	if (here) {
		program = trimmed_text_in(command, command_length, __builtin_alloca(command_length + 1));
		if (in_use(argv) != &gompi_f_argv_null_)
			words = strings(argv, argv_length, argv_length, -1);
	}
	int rc =
		MPI_Comm_spawn(program, words, here ? *maxprocs : 0, here ? (MPI_Info)(intptr_t)*info : MPI_INFO_NULL,
	                   *root, (MPI_Comm)(intptr_t)*comm, &made, errcodes_address(array_of_errcodes));
	free(words);
	*intercomm = (int)(intptr_t)made;
	LEAVE(ierror, rc);
}
WEAK(comm_spawn_)
SAME(comm_spawn_, comm_spawn_f08_)

/* array_of_argv(count, *): the words of one command are count strings apart. */
void pmpi_comm_spawn_multiple_(int *count, const char *array_of_commands, const char *array_of_argv,
                               int *array_of_maxprocs, int *array_of_info, int *root, int *comm,
                               int *intercomm, int *array_of_errcodes, int *ierror, size_t command_length,
                               size_t argv_length)
{
	const int here = is_root((MPI_Comm)(intptr_t)*comm, *root), n = here && *count > 0 ? *count : 0;
	MPI_Comm made = (MPI_Comm)(intptr_t)*intercomm;
	char **commands = NULL, ***words = MPI_ARGVS_NULL;
	MPI_Info *infos = NULL;

	if (here) {
		commands = strings(array_of_commands, command_length, command_length, n);
		infos = malloc((size_t)(n + 1) * sizeof *infos);
		for (int i = 0; infos != NULL && i < n; i++)
			infos[i] = (MPI_Info)(intptr_t)array_of_info[i];
		if (in_use(array_of_argv) != &gompi_f_argvs_null_)
			words = malloc((size_t)(n + 1) * sizeof *words);
		for (int i = 0; words != NULL && i < n; i++)
			words[i] =
				strings(array_of_argv + (size_t)i * argv_length, argv_length, (size_t)n * argv_length, -1);
	}
	int rc = MPI_Comm_spawn_multiple(here ? *count : 0, commands, words, array_of_maxprocs, infos, *root,
	                                 (MPI_Comm)(intptr_t)*comm, &made, errcodes_address(array_of_errcodes));
	for (int i = 0; words != NULL && i < n; i++)
		free(words[i]);
	free(words);
	free(commands);
	free(infos);
	*intercomm = (int)(intptr_t)made;
	LEAVE(ierror, rc);
}
WEAK(comm_spawn_multiple_)
SAME(comm_spawn_multiple_, comm_spawn_multiple_f08_)
