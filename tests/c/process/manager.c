/* A manager starts as many workers as the universe has room for besides itself (MPI 5.0, 11.10.1), and hands
 * each of them work. argv: what MPI_UNIVERSE_SIZE must be, 0 for any number above 0, -1 for none. */
#include <stdlib.h>

#include "check.h"

int main(int argc, char **argv)
{
	MPI_Comm parent, workers;
	int *universe = NULL, found = -1, word = 0, sum;

	check_init(&argc, &argv);
	CHECK_MPI(MPI_Comm_get_parent(&parent));
	CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &found));
	int wanted = atoi(argv[1]), size = found ? *universe : -1;
	CHECK_EQ(found, wanted >= 0);
	CHECK_MSG(wanted == size || (wanted == 0 && size >= np), "the universe has %d", size);
	if (parent != MPI_COMM_NULL) {
		CHECK_MPI(MPI_Recv(&word, 1, MPI_INT, 0, 7, parent, MPI_STATUS_IGNORE));
		CHECK_EQ(word, 100 + me);
		CHECK_MPI(MPI_Reduce(&word, NULL, 1, MPI_INT, MPI_SUM, 0, parent));
		CHECK_MPI(MPI_Comm_disconnect(&parent));
		return check_finish();
	}
	int n = size - np;
	if (n < 1 || n > 8)
		n = 2; /* as one has to without a universe, or on a machine of one processor */
        CHECK_MPI(MPI_Comm_spawn(argv[0], argv + 1, n, MPI_INFO_NULL, 0, MPI_COMM_SELF, &workers,
                                 MPI_ERRCODES_IGNORE));
        for (int i = 0; i < n; i++) {
		word = 100 + i;
		CHECK_MPI(MPI_Send(&word, 1, MPI_INT, i, 7, workers));
	}
	CHECK_MPI(MPI_Reduce(NULL, &sum, 1, MPI_INT, MPI_SUM, MPI_ROOT, workers));
	CHECK_EQ(sum, 100 * n + n * (n - 1) / 2);
	CHECK_MPI(MPI_Comm_disconnect(&workers));
	return check_finish();
}
