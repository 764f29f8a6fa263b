/* A file grows while its ranks write to disjoint places of it, each as fast as it can: whoever is behind
 * writes into the part that another rank's write has just added, and nothing is lost. */
#include "io.h"

enum { WORDS = 30000, RUN = 25 };

static long value(long at, long shift) { return 3 * at + shift; }

/* All words of the file are what their writers have written. */
static void complete(const char *what, long words, long shift)
{
	CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
	if (me == 0) {
		long bytes, lost = 0;
		unsigned char *p = io_slurp("growing", &bytes);
		CHECK_EQ(bytes, 8 * words);
		for (long i = 0; i < words && 8 * i < bytes; i++) {
			long v;
			memcpy(&v, p + 8 * i, sizeof v);
			lost += v != value(i, shift);
		}
		CHECK_MSG(lost == 0, "%s: %ld of %ld words are lost", what, lost, words);
		free(p);
	}
	CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

static void empty(MPI_File f)
{
	CHECK_MPI(MPI_File_set_view(f, 0, MPI_LONG, MPI_LONG, "native", MPI_INFO_NULL));
	CHECK_MPI(MPI_File_set_size(f, 0));
}

/* Word by word, the ranks' words one behind the other. */
static void words(MPI_File f)
{
	empty(f);
	for (long i = 0; i < WORDS / np; i++) {
		const long at = i * np + me, v = value(at, 1);
		CHECK_MPI(MPI_File_write_at(f, at, &v, 1, MPI_LONG, MPI_STATUS_IGNORE));
	}
	complete("words", WORDS / np * np, 1);
}

/* The same by a view, many words a call. */
static void views(MPI_File f)
{
	MPI_Datatype mine;
	long v[RUN];

	empty(f);
	CHECK_MPI(MPI_Type_create_resized(MPI_LONG, 0, 8L * np, &mine));
	CHECK_MPI(MPI_Type_commit(&mine));
	CHECK_MPI(MPI_File_set_view(f, 8L * me, MPI_LONG, mine, "native", MPI_INFO_NULL));
	for (long i = 0; i < WORDS / np / RUN; i++) {
		for (long k = 0; k < RUN; k++)
			v[k] = value((i * RUN + k) * np + me, 2);
		CHECK_MPI(MPI_File_write(f, v, RUN, MPI_LONG, MPI_STATUS_IGNORE));
	}
	CHECK_MPI(MPI_Type_free(&mine));
	complete("views", WORDS / np / RUN * RUN * np, 2);
}

/* By the shared pointer: who comes when is open, so each word tells the place that it was given. */
static void shared(MPI_File f)
{
	long bytes, n = WORDS / np, wrong = 0;

	empty(f);
	CHECK_MPI(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
	for (long i = 0; i < n; i++) {
		const long v = i * np + me + 1;
		CHECK_MPI(MPI_File_write_shared(f, &v, 1, MPI_LONG, MPI_STATUS_IGNORE));
	}
	CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
	if (me == 0) {
		long *p = (long *)io_slurp("growing", &bytes);
		char *seen = calloc(n * np + 1, 1);
		CHECK_EQ(bytes, 8 * n * np);
		for (long i = 0; i < bytes / 8; i++)
			wrong += p[i] < 1 || p[i] > n * np || seen[p[i]]++ != 0;
		CHECK_MSG(wrong == 0, "shared: %ld of %ld words are lost", wrong, n * np);
		free(p);
		free(seen);
	}
	CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
	check_init(&argc, &argv);
	MPI_File f = io_open("growing", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE);
	words(f);
	views(f);
	shared(f);
	CHECK_MPI(MPI_File_close(&f));
	return check_finish();
}
