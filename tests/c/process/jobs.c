/* Two or three jobs that are started separately connect with each other. */
#define _GNU_SOURCE
#include "jobs.h"

/* Messages of n bytes to and from all of the other group. */
static void talk(MPI_Comm c, size_t n, int tag)
{
	int others, mine;

	CHECK_MPI(MPI_Comm_remote_size(c, &others));
	CHECK_MPI(MPI_Comm_rank(c, &mine));
	for (int k = 0; k < others; k++) {
		unsigned char *out = check_alloc(n), *in = check_alloc(n);
		MPI_Request r;
		MPI_Status s;
		check_fill(out, n, (unsigned)(tag + 1000 * mine + k + 7 * side));
		CHECK_MPI(MPI_Isend(out, (int)n, MPI_BYTE, k, tag, c, &r));
		CHECK_MPI(MPI_Recv(in, (int)n, MPI_BYTE, k, tag, c, &s));
		CHECK_MPI(MPI_Wait(&r, MPI_STATUS_IGNORE));
		CHECK_STATUS(s, k, tag);
		CHECK_COUNT(s, MPI_BYTE, (int)n);
		CHECK_DATA(in, n, (unsigned)(tag + 1000 * k + mine + 7 * !side));
		check_free(out);
		check_free(in);
	}
}

/* An intracommunicator: sums, a broadcast from each rank, and a ring. */
static void among(MPI_Comm c)
{
	int n, mine, sum = 0, one;

	CHECK_MPI(MPI_Comm_size(c, &n));
	CHECK_MPI(MPI_Comm_rank(c, &mine));
	one = mine + 1;
	CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
	CHECK_EQ(sum, n * (n + 1) / 2);
	for (int root = 0; root < n; root++) {
		int word = mine == root ? 100 + root : -1;
		CHECK_MPI(MPI_Bcast(&word, 1, MPI_INT, root, c));
		CHECK_EQ(word, 100 + root);
	}
}

static const size_t sizes[] = {0, 8, 1000, 9000, 40000, 300000, 2000000};

static void everything(void)
{
	char port[MPI_MAX_PORT_NAME] = "not looked at";
	MPI_Comm c, d, all, half;
	MPI_Group mygroup, other, both, common;
	int root = job == 0 ? np - 1 : 0, inter, others, size, result;

	if (me == root)
		find_port(port);
	c = meet(port, root, MPI_COMM_WORLD);
	CHECK_MPI(MPI_Comm_test_inter(c, &inter));
	CHECK_EQ(inter, 1);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		talk(c, sizes[i], (int)i);
	CHECK_MPI(MPI_Comm_remote_size(c, &others));

	CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &mygroup));
	CHECK_MPI(MPI_Comm_remote_group(c, &other));
	CHECK_MPI(MPI_Group_intersection(mygroup, other, &common));
	CHECK_EQ(common, MPI_GROUP_EMPTY);
	CHECK_MPI(MPI_Group_union(mygroup, other, &both));
	CHECK_MPI(MPI_Group_size(both, &size));
	CHECK_EQ(size, np + others);

	CHECK_MPI(MPI_Comm_dup(c, &d));
	CHECK_MPI(MPI_Comm_disconnect(&c));
	CHECK_EQ(c, MPI_COMM_NULL);
	CHECK_MPI(MPI_Intercomm_merge(d, job == 0, &all));
	among(all);
	MPI_Group whole;
	CHECK_MPI(MPI_Comm_group(all, &whole));
	CHECK_MPI(MPI_Group_compare(whole, both, &result));
	CHECK_EQ(result, job == 0 ? MPI_SIMILAR : MPI_IDENT);
	int mine, place;
	CHECK_MPI(MPI_Comm_rank(all, &mine));
	CHECK_MPI(MPI_Group_translate_ranks(mygroup, 1, &me, whole, &place));
	CHECK_EQ(place, mine);
	CHECK_MPI(MPI_Comm_split(all, mine % 2, -mine, &half));
	among(half);
	CHECK_MPI(MPI_Comm_free(&half));
	talk(d, 5000, 99);
	CHECK_MPI(MPI_Comm_disconnect(&all));
	CHECK_MPI(MPI_Comm_disconnect(&d));
	MPI_Group *groups[] = {&mygroup, &other, &both, &whole};
	for (int i = 0; i < 4; i++)
		CHECK_MPI(MPI_Group_free(groups[i]));
	if (job == 0 && me == root)
		hide_port(port);
}

/* How many mappings of shared memory this process has. */
static int segments(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096];
	int n = 0;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		n += strstr(line, "/memfd:gompi") != NULL;
	if (f != NULL)
		fclose(f);
	return n;
}

static int descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			n++;
	return n;
}

/* The same jobs connect again and again on one port; nothing is left behind on either side. */
static void again(void)
{
	enum { TIMES = 200, WARM = 10 };
	char port[MPI_MAX_PORT_NAME];
	int fds = 0, maps = 0;

	if (me == 0)
		find_port(port);
	for (int i = 0; i < TIMES; i++) {
		MPI_Comm c = meet(port, 0, MPI_COMM_WORLD);
		talk(c, 3000, i);
		CHECK_MPI(MPI_Comm_disconnect(&c));
		if (i == WARM) {
			fds = descriptors();
			maps = segments();
		}
	}
	CHECK_MSG(descriptors() <= fds + 4, "%d descriptors after %d times, %d after %d", fds, WARM, descriptors(), TIMES);
	CHECK_MSG(segments() <= maps + 4, "%d mappings after %d times, %d after %d", maps, WARM, segments(), TIMES);
	if (job == 0 && me == 0)
		hide_port(port);
}

/* The first job serves all others at the same time, and hears of them in any order. */
static void clients(void)
{
	char port[MPI_MAX_PORT_NAME];
	MPI_Comm c[MOST];

	if (me == 0)
		find_port(port);
	if (job != 0) {
		c[0] = meet(port, 0, MPI_COMM_WORLD);
		talk(c[0], 100000, 1);
		CHECK_MPI(MPI_Comm_disconnect(&c[0]));
		return;
	}
	for (int i = 1; i < jobs; i++)
		c[i] = meet(port, 0, MPI_COMM_WORLD);
	for (int i = jobs - 1; i > 0; i--)
		talk(c[i], 100000, 1);
	for (int i = 1; i < jobs; i++)
		CHECK_MPI(MPI_Comm_disconnect(&c[i]));
	if (me == 0)
		hide_port(port);
}

/* MPI_Finalize is collective over connected processes: data that still lies in a process gets to the other
 * job. */
static void finish(void)
{
	char port[MPI_MAX_PORT_NAME];
	static unsigned char data[400000];
	MPI_Comm c;
	MPI_Request r;

	if (me == 0)
		find_port(port);
	c = meet(port, 0, MPI_COMM_WORLD);
	if (me != 0)
		return;
	if (job == 0) {
		CHECK_MPI(MPI_Unpublish_name(service, MPI_INFO_NULL, port));
		check_fill(data, sizeof data, 3);
		CHECK_MPI(MPI_Isend(data, sizeof data, MPI_BYTE, 0, 1, c, &r));
		CHECK_MPI(MPI_Request_free(&r));
	} else {
		usleep(100000);
		CHECK_MPI(MPI_Recv(data, sizeof data, MPI_BYTE, 0, 1, c, MPI_STATUS_IGNORE));
		CHECK_DATA(data, sizeof data, 3);
	}
}

/* A file that processes of several jobs have open: each writes a block, and reads that of the next. */
static void file(MPI_Comm all)
{
	enum { BLOCK = 5000 };
	unsigned char *data = check_alloc(BLOCK);
	MPI_File f;
	int n, mine;

	CHECK_MPI(MPI_Comm_size(all, &n));
	CHECK_MPI(MPI_Comm_rank(all, &mine));
        CHECK_MPI(MPI_File_open(all, "together", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                MPI_INFO_NULL, &f));
        check_fill(data, BLOCK, (unsigned)mine);
	CHECK_MPI(MPI_File_write_at_all(f, (MPI_Offset)mine * BLOCK, data, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE));
	CHECK_MPI(MPI_File_sync(f));
	CHECK_MPI(MPI_Barrier(all));
        CHECK_MPI(MPI_File_read_at_all(f, (MPI_Offset)((mine + 1) % n) * BLOCK, data, BLOCK, MPI_BYTE,
                                       MPI_STATUS_IGNORE));
        CHECK_DATA(data, BLOCK, (unsigned)((mine + 1) % n));
	CHECK_MPI(MPI_File_close(&f));
	check_free(data);
}

/* Three jobs: the first two connect and merge, all of them accept the third one, and the ranks of all three
 * are divided into groups that have some of each, between which an intercommunicator is made. */
static void triangle(void)
{
	char port[MPI_MAX_PORT_NAME];
	MPI_Comm two = MPI_COMM_WORLD, c, all, half, cross;
	int mine;

	if (me == 0 && job < 2)
		find_port(port);
	if (job < 2) {
		c = meet(port, 0, MPI_COMM_WORLD);
		CHECK_MPI(MPI_Intercomm_merge(c, job == 1, &two));
		call_job(2, port);
		CHECK_MPI(MPI_Comm_disconnect(&c));
		among(two);
		CHECK_MPI(MPI_Comm_accept(port, MPI_INFO_NULL, 0, two, &c));
		call_is_over(2, port);
	} else {
		call_job(2, port);
		CHECK_MPI(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &c));
	}
	side = job < 2;
	talk(c, 70000, 5);
	CHECK_MPI(MPI_Intercomm_merge(c, job == 2, &all));
	among(all);
	file(all);
	CHECK_MPI(MPI_Comm_disconnect(&c));
	CHECK_MPI(MPI_Comm_rank(all, &mine));
	CHECK_MPI(MPI_Comm_split(all, mine % 2, 0, &half));
	CHECK_MPI(MPI_Intercomm_create(half, 0, all, 1 - mine % 2, 77, &cross));
	side = mine % 2;
	talk(cross, 70000, 6);
	CHECK_MPI(MPI_Comm_free(&cross));
	CHECK_MPI(MPI_Comm_disconnect(&half));
	CHECK_MPI(MPI_Comm_disconnect(&all));
	if (job < 2)
		CHECK_MPI(MPI_Comm_disconnect(&two));
	if (job == 0 && me == 0)
		hide_port(port);
}

/* The last rank of the second job dies while the first one waits for it. */
static void death(int survive)
{
	char port[MPI_MAX_PORT_NAME];
	MPI_Comm c;
	int word = 0;

	if (me == 0)
		find_port(port);
	c = meet(port, 0, MPI_COMM_WORLD);
	if (job == 1) {
		if (me == np - 1)
			die_when_all_are_ready(c);
		CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
		return;
	}
	if (survive)
		CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
	int others;
	CHECK_MPI(MPI_Comm_remote_size(c, &others));
	ready_for_death(c, others - 1);
	int code = MPI_Recv(&word, 1, MPI_INT, others - 1, 1, c, MPI_STATUS_IGNORE);
	CHECK_MSG(code == MPI_ERR_PROC_ABORTED, "code %d", code);
	among(MPI_COMM_WORLD); /* nobody else is concerned */
	CHECK_MPI(MPI_Comm_disconnect(&c));
	among(MPI_COMM_WORLD);
	if (me == 0)
		hide_port(port);
}

static void death_all(void)
{
	death(0);
}

static void death_one(void)
{
	death(1);
}

/* A process of the other job dies with the lock of rank 0's window in its hand: rank 0 does not wait for it,
 * nobody else gets a lock of what has died, and the window can be freed. */
static void death_window(void)
{
	char port[MPI_MAX_PORT_NAME];
	MPI_Comm c, all;
	MPI_Win win;
	long *own;
	int mine, total, word;

	if (me == 0)
		find_port(port);
	c = meet(port, 0, MPI_COMM_WORLD);
	CHECK_MPI(MPI_Intercomm_merge(c, job == 1, &all));
	CHECK_MPI(MPI_Comm_rank(all, &mine));
	CHECK_MPI(MPI_Comm_size(all, &total));
	CHECK_MPI(MPI_Win_allocate(sizeof(long), 1, MPI_INFO_NULL, all, &own, &win));
	CHECK_MPI(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	CHECK_MPI(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
	CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
	if (mine == total - 1)
		CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
	CHECK_MPI(MPI_Barrier(all));
	if (mine == total - 1)
		die_when_all_are_ready(all);
	ready_for_death(all, total - 1);
	if (job == 1) {
		CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
		return;
	}
	if (mine != 0) /* its own lock is free: who asks early gets it */
		CHECK_CLASS(MPI_Recv(&word, 1, MPI_INT, total - 1, 1, all, MPI_STATUS_IGNORE), MPI_ERR_PROC_ABORTED);
	CHECK_CLASS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, mine == 0 ? 0 : total - 1, 0, win), MPI_ERR_PROC_ABORTED);
	CHECK_CLASS(MPI_Win_fence(0, win), MPI_ERR_PROC_ABORTED);
	CHECK_MPI(MPI_Win_free(&win));
	among(MPI_COMM_WORLD);
	CHECK_MPI(MPI_Comm_disconnect(&all));
	CHECK_MPI(MPI_Comm_disconnect(&c));
	among(MPI_COMM_WORLD);
	if (me == 0)
		hide_port(port);
}

int main(int argc, char **argv)
{
	static const struct trial trials[] = {
		{"everything", everything},
		{"again", again},
		{"clients", clients},
		{"finish", finish},
		{"triangle", triangle},
		{"death-all", death_all},
		{"death-one", death_one},
		{"death-window", death_window},
	};

	return jobs_main(argc, argv, trials, sizeof trials / sizeof *trials);
}
