/* What ranks of several machines cannot do yet is refused on all of them, with the class for it, and those of
 * one machine can do it. Argument: a folder that all machines have. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void refused(const char *what, int code)
{
	char text[MPI_MAX_ERROR_STRING];
	int class, n, rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Error_class(code, &class);
	MPI_Error_string(code, text, &n);
	if (class != MPI_ERR_UNSUPPORTED_OPERATION || strstr(text, "several machines") == NULL) {
		printf("rank %d: %s: %s\n", rank, what, text);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

int main(int argc, char **argv)
{
	char path[4096];
	int rank, here, word = 0;
	MPI_Comm node, inter;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &here);

	snprintf(path, sizeof path, "%s/refused-%d", argc > 1 ? argv[1] : ".", rank - here);
	refused("MPI_File_open", MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR,
					       MPI_INFO_NULL, &f));
	refused("MPI_Comm_spawn", MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
						 &inter, MPI_ERRCODES_IGNORE));
	refused("MPI_Comm_accept", MPI_Comm_accept("nowhere", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
	refused("MPI_Comm_connect", MPI_Comm_connect("nowhere", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));

	MPI_File_open(node, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
	MPI_File_write_ordered(f, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_read_ordered(f, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&f);
	printf("rank %d has read %d\n", rank, word);
	MPI_Comm_free(&node);
	MPI_Finalize();
	return 0;
}
