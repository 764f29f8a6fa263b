/* Memory is shared within a job, and where several nodes are pretended within a node of it: by this does
 * MPI_COMM_TYPE_SHARED split what has processes of several jobs. Spawned jobs lie on nodes as the first one
 * does. Where nodes are pretended, packets alone go between jobs. argv: how many children; the nodes that the
 * parents and the children must have. */
#include <stdlib.h>

#include "check.h"

/* Splits c by what can share memory, and shares some. Returns how many such groups there are. */
static int shared(MPI_Comm c, int most)
{
	MPI_Comm node;
	MPI_Win w;
	int size, rank, first, groups, *own, *left, disp;
	MPI_Aint bytes;

	CHECK_MPI(MPI_Comm_split_type(c, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
	CHECK_MPI(MPI_Comm_size(node, &size));
	CHECK_MPI(MPI_Comm_rank(node, &rank));
	CHECK_MSG(size <= most, "%d ranks share memory", size);
	CHECK_MPI(MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &own, &w));
	CHECK_MPI(MPI_Win_fence(0, w));
	*own = 1000 + rank;
	CHECK_MPI(MPI_Win_fence(0, w));
	CHECK_MPI(MPI_Win_shared_query(w, (rank + size - 1) % size, &bytes, &disp, &left));
	CHECK_EQ(*left, 1000 + (rank + size - 1) % size);
	CHECK_MPI(MPI_Win_free(&w));
	CHECK_MPI(MPI_Comm_free(&node));
	first = rank == 0;
	CHECK_MPI(MPI_Allreduce(&first, &groups, 1, MPI_INT, MPI_SUM, c));
	return groups;
}

static unsigned long packets(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
	unsigned long n = 0;

	CHECK_MPI(MPI_T_pvar_read(session, handle, &n));
	return n;
}

/* Messages of all lengths go to every rank of the other job and come from it; the longest in packets where
 * nodes are pretended. */
static void messages(MPI_Comm inter, int pretended)
{
	static const int lengths[] = {0, 100, 20000, 70000, 1000001};
	MPI_T_pvar_session session;
	MPI_T_pvar_handle handle;
	int others, level, index, count;
	unsigned long before = 0;

	CHECK_MPI(MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
	CHECK_MPI(MPI_T_pvar_get_index("packets_between_nodes", MPI_T_PVAR_CLASS_COUNTER, &index));
	CHECK_MPI(MPI_T_pvar_session_create(&session));
	CHECK_MPI(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count));
	CHECK_MPI(MPI_T_pvar_start(session, handle));
	CHECK_MPI(MPI_Comm_remote_size(inter, &others));
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		int n = lengths[i];
		unsigned char *out = check_alloc((size_t)n), *in = check_alloc((size_t)n);
		before = packets(session, handle);
		for (int k = 0; k < others; k++) {
			MPI_Request r;
			check_fill(out, (size_t)n, (unsigned)me);
			CHECK_MPI(MPI_Isend(out, n, MPI_BYTE, k, (int)i, inter, &r));
			CHECK_MPI(MPI_Recv(in, n, MPI_BYTE, k, (int)i, inter, MPI_STATUS_IGNORE));
			CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
			CHECK_DATA(in, (size_t)n, (unsigned)k);
		}
		check_free(out);
		check_free(in);
	}
	unsigned long sent = packets(session, handle) - before;
	CHECK_MSG(pretended ? sent >= 10 * (unsigned long)others : sent == 0, "a long message to each of %d ranks took %lu packets between nodes", others, sent);
	CHECK_MPI(MPI_T_pvar_handle_free(session, &handle));
	CHECK_MPI(MPI_T_pvar_session_free(&session));
	CHECK_MPI(MPI_T_finalize());
}

int main(int argc, char **argv)
{
	MPI_Comm parent, inter, all;

	check_init(&argc, &argv);
	CHECK_MPI(MPI_Comm_get_parent(&parent));
	int children = atoi(argv[1]), first = atoi(argv[2]), second = atoi(argv[3]);
	if ((inter = parent) == MPI_COMM_NULL)
            CHECK_MPI(MPI_Comm_spawn(argv[0], argv + 1, children, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                                     MPI_ERRCODES_IGNORE));
        CHECK_EQ(shared(MPI_COMM_WORLD, np), parent == MPI_COMM_NULL ? first : second);
	CHECK_MPI(MPI_Intercomm_merge(inter, parent != MPI_COMM_NULL, &all));
	CHECK_EQ(shared(all, np), first + second);
	messages(inter, getenv("GOMPI_PRETEND_NODES") != NULL);
	CHECK_MPI(MPI_Comm_disconnect(&all));
	CHECK_MPI(MPI_Comm_disconnect(&inter));
	return check_finish();
}
