/* Arrays of handles, and how long they are. */
#include <stdlib.h>

#include "entry.h"

int handles_in(void **room, void ***handles, const int *array, int64_t n, int read)
{
	void **all = room;

	if (n > FEW && (all = malloc((size_t)n * sizeof *all)) == NULL) {
		*handles = room;
		return MPI_ERR_NO_MEM;
	}
	for (int64_t i = 0; i < n; i++)
		all[i] = read ? (void *)(intptr_t)array[i] : NULL;
	*handles = all;
	return MPI_SUCCESS;
}

void handles_out(void **room, void **handles, int *array, int64_t n, int write)
{
	for (int64_t i = 0; write && i < n && (n <= FEW || handles != room); i++)
		if (handles[i] != NULL) /* results may be fewer than there is room for */
			array[i] = (int)(intptr_t)handles[i];
	if (handles != room)
		free(handles);
}

/* Where the communicator is wrong the function itself says so: nothing is asked for then. */
struct blocks blocks_of(MPI_Comm comm, int neighbors)
{
	struct blocks b = {0, 0};
	int inter = 0, topology = MPI_UNDEFINED, n = 0, weighted;

	if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
		return b;
	if (!neighbors) {
		if ((inter ? PMPI_Comm_remote_size(comm, &n) : PMPI_Comm_size(comm, &n)) == MPI_SUCCESS)
			b.sends = b.receives = n;
		return b;
	}
	if (inter || PMPI_Topo_test(comm, &topology) != MPI_SUCCESS)
		return b;
	if (topology == MPI_CART) {
		PMPI_Cartdim_get(comm, &n);
		b.sends = b.receives = 2 * n;
	} else if (topology == MPI_GRAPH) {
		int rank;
		PMPI_Comm_rank(comm, &rank);
		PMPI_Graph_neighbors_count(comm, rank, &n);
		b.sends = b.receives = n;
	} else if (topology == MPI_DIST_GRAPH) {
		PMPI_Dist_graph_neighbors_count(comm, &b.receives, &b.sends, &weighted);
	}
	return b;
}
