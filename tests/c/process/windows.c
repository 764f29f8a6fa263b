/* Windows over processes of two jobs: parents and children, merged, and once more after the children have
 * come back through a port. All kinds of memory, operations and synchronization, among ranks of the same job
 * and of different ones.
 *
 *   windows children
 */
#include "check.h"

enum { SLOTS = 64, COUNTER = SLOTS, CELL = SLOTS + 1, WORDS = 600000, ROUNDS = 10 };

static MPI_Comm all;
static int mine, total;

/* Everybody puts into everybody's memory between fences, and gets what the next one has. */
static void fences(MPI_Win win, long *own, const MPI_Aint *base)
{
	long out = 1000 + mine, in = -1;
	const int next = (mine + 1) % total;

	CHECK_MPI(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
	for (int r = 0; r < total; r++)
		CHECK_MPI(MPI_Put(&out, 1, MPI_LONG, r, base[r] + 8 * mine, 1, MPI_LONG, win));
	CHECK_MPI(MPI_Win_fence(0, win));
	CHECK_MPI(MPI_Get(&in, 1, MPI_LONG, next, base[next] + 8 * mine, 1, MPI_LONG, win));
	CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	CHECK_EQ(in, 1000 + mine);
	for (int r = 0; r < total; r++)
		CHECK_EQ(own[r], 1000 + r);
}

/* Each rank is exposed to the one before it, which changes long rows with gaps. */
static void exposures(MPI_Win win, long *own, const MPI_Aint *base)
{
	enum { ROWS = 50000 };
	const int next = (mine + 1) % total, before = (mine + total - 1) % total;
	MPI_Group group, to, from;
	MPI_Datatype row;
	long *out = check_alloc(ROWS * sizeof(long));

	for (int i = 0; i < ROWS; i++)
		out[i] = 7L * i + mine;
	CHECK_MPI(MPI_Type_vector(ROWS, 1, 3, MPI_LONG, &row));
	CHECK_MPI(MPI_Type_commit(&row));
	CHECK_MPI(MPI_Comm_group(all, &group));
	CHECK_MPI(MPI_Group_incl(group, 1, &next, &to));
	CHECK_MPI(MPI_Group_incl(group, 1, &before, &from));
	CHECK_MPI(MPI_Win_post(from, 0, win));
	CHECK_MPI(MPI_Win_start(to, 0, win));
	CHECK_MPI(MPI_Put(out, ROWS, MPI_LONG, next, base[next] + 8 * 1000, 1, row, win));
	CHECK_MPI(MPI_Accumulate(out, ROWS, MPI_LONG, next, base[next] + 8 * 1001, 1, row, MPI_SUM, win));
	CHECK_MPI(MPI_Win_complete(win));
	CHECK_MPI(MPI_Win_wait(win));
	for (int i = 0; i < ROWS; i++)
		if (own[1000 + 3 * i] != 7L * i + before || own[1001 + 3 * i] != 7L * i + before) {
			CHECK_MSG(0, "row %d is %ld and %ld, want %ld", i, own[1000 + 3 * i], own[1001 + 3 * i], 7L * i + before);
			break;
		}
	CHECK_MPI(MPI_Group_free(&group));
	CHECK_MPI(MPI_Group_free(&to));
	CHECK_MPI(MPI_Group_free(&from));
	CHECK_MPI(MPI_Type_free(&row));
	check_free(out);
}

/* Everybody counts under the lock of each rank, and by operations that need none. */
static void locks(MPI_Win win, long *own, const MPI_Aint *base)
{
	long count, one = 1, was, seen, next;

	for (int i = 0; i < ROUNDS; i++) {
		const int r = (mine + i) % total;
		CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, r, 0, win));
		CHECK_MPI(MPI_Get(&count, 1, MPI_LONG, r, base[r] + 8 * COUNTER, 1, MPI_LONG, win));
		CHECK_MPI(MPI_Win_flush(r, win));
		count++;
		CHECK_MPI(MPI_Put(&count, 1, MPI_LONG, r, base[r] + 8 * COUNTER, 1, MPI_LONG, win));
		CHECK_MPI(MPI_Win_unlock(r, win));
	}
	CHECK_MPI(MPI_Win_lock_all(0, win));
	for (int i = 0; i < ROUNDS; i++) {
		const int r = (mine + i) % total;
		CHECK_MPI(MPI_Fetch_and_op(&one, &was, MPI_LONG, r, base[r] + 8 * COUNTER, MPI_SUM, win));
		CHECK(was >= 0);
		for (seen = -1, was = 0; seen != was;) {
			seen = was;
			next = seen + 1;
			CHECK_MPI(MPI_Compare_and_swap(&next, &seen, &was, MPI_LONG, r, base[r] + 8 * COUNTER, win));
			CHECK_MPI(MPI_Win_flush(r, win));
		}
	}
	CHECK_MPI(MPI_Win_unlock_all(win));
	CHECK_MPI(MPI_Barrier(all));
	CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, mine, 0, win));
	CHECK_EQ(MPI_Allreduce(&own[COUNTER], &count, 1, MPI_LONG, MPI_SUM, all), MPI_SUCCESS);
	CHECK_MPI(MPI_Win_unlock(mine, win));
	CHECK_EQ(count, 3L * ROUNDS * total);
}

/* Long data to and fro, by operations with requests. */
static void requests(MPI_Win win, const MPI_Aint *base)
{
	const int r = total - 1 - mine;
	const size_t n = (WORDS - 1000) * sizeof(long);
	unsigned char *out = check_alloc(n), *in = check_alloc(n);
	MPI_Request q;

	check_fill(out, n, (unsigned)mine);
	CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, r, 0, win));
	CHECK_MPI(MPI_Rput(out, (int)n, MPI_BYTE, r, base[r] + 8000, (int)n, MPI_BYTE, win, &q));
	CHECK_MPI(MPI_Wait(&q, MPI_STATUS_IGNORE));
	CHECK_MPI(MPI_Win_flush(r, win));
	CHECK_MPI(MPI_Rget(in, (int)n, MPI_BYTE, r, base[r] + 8000, (int)n, MPI_BYTE, win, &q));
	CHECK_MPI(MPI_Wait(&q, MPI_STATUS_IGNORE));
	CHECK_MPI(MPI_Win_unlock(r, win));
	CHECK_DATA(in, n, (unsigned)mine);
	check_free(out);
	check_free(in);
	CHECK_MPI(MPI_Barrier(all));
}

/* What is not the window's is refused, and nothing moves. */
static void refused(MPI_Win win, long *own, const MPI_Aint *base)
{
	long word = -1;

	CHECK_MPI(MPI_Barrier(all));
	own[CELL] = 5;
	CHECK_MPI(MPI_Barrier(all));
	for (int r = 0; r < total; r++) {
		CHECK_MPI(MPI_Win_lock(MPI_LOCK_SHARED, r, 0, win));
                CHECK_CLASS(MPI_Put(&word, 1, MPI_LONG, r, base[r] + 8L * WORDS - 4, 1, MPI_LONG, win),
                            MPI_ERR_RMA_RANGE);
                CHECK_CLASS(MPI_Get(&word, 1, MPI_LONG, r, base[r] - 8, 1, MPI_LONG, win), MPI_ERR_RMA_RANGE);
                CHECK_CLASS(
                    MPI_Accumulate(&word, 1, MPI_LONG, r, base[r] + 8L * WORDS, 1, MPI_LONG, MPI_SUM, win),
                    MPI_ERR_RMA_RANGE);
                CHECK_EQ(word, -1);
		CHECK_MPI(MPI_Get(&word, 1, MPI_LONG, r, base[r] + 8 * CELL, 1, MPI_LONG, win));
		CHECK_MPI(MPI_Win_unlock(r, win));
		CHECK_EQ(word, 5);
		word = -1;
	}
	CHECK_MPI(MPI_Barrier(all));
}

enum { ALLOCATED, ALLOC_MEM, PRIVATE, DYNAMIC, KINDS };

static void window(int kind)
{
	const MPI_Aint size = WORDS * (MPI_Aint)sizeof(long);
	MPI_Aint *base = calloc((size_t)total, sizeof *base);
	MPI_Win win;
	long *own = NULL;

	if (kind == ALLOC_MEM)
		CHECK_MPI(MPI_Alloc_mem(size, MPI_INFO_NULL, &own));
	else if (kind != ALLOCATED)
		own = malloc((size_t)size);
	if (kind == ALLOCATED) {
		CHECK_MPI(MPI_Win_allocate(size, 1, MPI_INFO_NULL, all, &own, &win));
	} else if (kind == DYNAMIC) {
		CHECK_MPI(MPI_Win_create_dynamic(MPI_INFO_NULL, all, &win));
		CHECK_MPI(MPI_Win_attach(win, own, size));
		CHECK_MPI(MPI_Get_address(own, &base[mine]));
		CHECK_MPI(MPI_Allgather(MPI_IN_PLACE, 0, MPI_AINT, base, 1, MPI_AINT, all));
	} else {
		CHECK_MPI(MPI_Win_create(own, size, 1, MPI_INFO_NULL, all, &win));
	}
	memset(own, 0, (size_t)size);
	CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	CHECK_MPI(MPI_Barrier(all));
	fences(win, own, base);
	exposures(win, own, base);
	locks(win, own, base);
	requests(win, base);
	refused(win, own, base);
	if (kind == DYNAMIC)
		CHECK_MPI(MPI_Win_detach(win, own));
	CHECK_MPI(MPI_Win_free(&win));
	if (kind == ALLOC_MEM)
		CHECK_MPI(MPI_Free_mem(own));
	else if (kind != ALLOCATED)
		free(own);
	free(base);
}

/* The communicator is given up before the windows over it are: those hold what they need. */
static void together(MPI_Comm inter, int high)
{
	MPI_Win win;
	char *own;
	int word = 3, got = 0;

	CHECK_MPI(MPI_Intercomm_merge(inter, high, &all));
	CHECK_MPI(MPI_Comm_rank(all, &mine));
	CHECK_MPI(MPI_Comm_size(all, &total));
	for (int kind = 0; kind < KINDS; kind++)
		window(kind);
	CHECK_MPI(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
	CHECK_CLASS(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, all, &own, &win), MPI_ERR_RMA_SHARED);
	CHECK_MPI(MPI_Win_allocate(mine == 0 ? 8 : 0, 1, MPI_INFO_NULL, all, &own, &win));
	CHECK_MPI(MPI_Comm_free(&all));
	CHECK_MPI(MPI_Win_fence(0, win));
	if (mine == total - 1)
		CHECK_MPI(MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
	CHECK_MPI(MPI_Win_fence(0, win));
	CHECK_MPI(MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
	CHECK_MPI(MPI_Win_fence(0, win));
	CHECK_EQ(got, 3);
	CHECK_MPI(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
	MPI_Comm inter;
	char port[MPI_MAX_PORT_NAME] = "";

	check_init(&argc, &argv);
	CHECK_MPI(MPI_Comm_get_parent(&inter));
	const int child = inter != MPI_COMM_NULL;
	if (!child)
            CHECK_MPI(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, argc > 1 ? atoi(argv[1]) : 2, MPI_INFO_NULL, 0,
                                     MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
        together(inter, child);
	if (!child && me == 0)
		CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port));
        CHECK_MPI(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR,
                            child     ? 0
                            : me == 0 ? MPI_ROOT
                                      : MPI_PROC_NULL,
                            inter));
        CHECK_MPI(MPI_Comm_disconnect(&inter));
	if (child)
		CHECK_MPI(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
	else
		CHECK_MPI(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
	together(inter, !child);
	CHECK_MPI(MPI_Comm_disconnect(&inter));
	if (!child && me == 0)
		CHECK_MPI(MPI_Close_port(port));
	return check_finish();
}
