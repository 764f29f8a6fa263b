/* Communicators are made of groups that have processes of several jobs. */
#define _GNU_SOURCE
#include "jobs.h"

/* All ranks add up their numbers, and each hears from its neighbor. */
static void ring(MPI_Comm c)
{
	int n, mine, sum, left;

	CHECK_MPI(MPI_Comm_size(c, &n));
	CHECK_MPI(MPI_Comm_rank(c, &mine));
	CHECK_MPI(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c));
	CHECK_EQ(sum, n * (n - 1) / 2);
        CHECK_MPI(MPI_Sendrecv(&mine, 1, MPI_INT, (mine + 1) % n, 3, &left, 1, MPI_INT, (mine + n - 1) % n, 3,
                               c, MPI_STATUS_IGNORE));
        CHECK_EQ(left, (mine + n - 1) % n);
}

/* Every rank of one group of an intercommunicator says to every one of the other who it is. */
static void cross(MPI_Comm c)
{
	int others, mine;

	CHECK_MPI(MPI_Comm_remote_size(c, &others));
	CHECK_MPI(MPI_Comm_rank(c, &mine));
	for (int k = 0; k < others; k++) {
		int word = -1;
		CHECK_MPI(MPI_Sendrecv(&mine, 1, MPI_INT, k, 4, &word, 1, MPI_INT, k, 4, c, MPI_STATUS_IGNORE));
		CHECK_EQ(word, k);
	}
	CHECK_MPI(MPI_Barrier(c));
}

/* The ranks first, first + step, ... of a group, backwards if step is below 0. */
static MPI_Group every(MPI_Group g, int first, int step)
{
	int n, range[1][3] = {{first, 0, step}};
	MPI_Group out;

	CHECK_MPI(MPI_Group_size(g, &n));
	range[0][1] = step > 0 ? n - 1 : 0;
	CHECK_MPI(MPI_Group_range_incl(g, 1, range, &out));
	return out;
}

/* One communicator of the jobs, which come to be connected one after the other. */
static MPI_Comm together(void)
{
	char port[MPI_MAX_PORT_NAME] = "";
	MPI_Comm all = MPI_COMM_WORLD, c, bigger;

	if (me == 0 && job == 0)
		find_port(port);
	for (int next = 1; next < jobs; next++) {
		if (job > next)
			continue;
		if (job == next) {
			call_job(next, port);
			CHECK_MPI(MPI_Comm_connect(port, MPI_INFO_NULL, 0, all, &c));
		} else {
			call_job(next, port);
			CHECK_MPI(MPI_Comm_accept(port, MPI_INFO_NULL, 0, all, &c));
			call_is_over(next, port);
		}
		CHECK_MPI(MPI_Intercomm_merge(c, job == next, &bigger));
		CHECK_MPI(MPI_Comm_disconnect(&c));
		if (all != MPI_COMM_WORLD)
			CHECK_MPI(MPI_Comm_disconnect(&all));
		all = bigger;
	}
	if (job == 0 && me == 0)
		hide_port(port);
	return all;
}

/* Sets of processes of several jobs are like any others. */
static void sets(MPI_Group whole, MPI_Group own)
{
	MPI_Group others, again, common;
	int n, size, result, rank, back;

	CHECK_MPI(MPI_Group_size(whole, &n));
	CHECK_MPI(MPI_Group_difference(whole, own, &others));
	CHECK_MPI(MPI_Group_size(others, &size));
	CHECK_EQ(size, n - np);
	CHECK_MPI(MPI_Group_intersection(others, own, &common));
	CHECK_EQ(common, MPI_GROUP_EMPTY);
	CHECK_MPI(MPI_Group_union(others, own, &again));
	CHECK_MPI(MPI_Group_compare(again, whole, &result));
	CHECK(result == MPI_SIMILAR || result == MPI_IDENT);
	for (int i = 0; i < n; i++) {
		CHECK_MPI(MPI_Group_translate_ranks(whole, 1, &i, again, &rank));
		CHECK_MPI(MPI_Group_translate_ranks(again, 1, &rank, whole, &back));
		CHECK_EQ(back, i);
		CHECK_MPI(MPI_Group_translate_ranks(whole, 1, &i, own, &rank));
		CHECK_MPI(MPI_Group_translate_ranks(whole, 1, &i, others, &back));
		CHECK((rank == MPI_UNDEFINED) != (back == MPI_UNDEFINED));
	}
	CHECK_MPI(MPI_Group_free(&others));
	CHECK_MPI(MPI_Group_free(&again));
}

static void groups(void)
{
	MPI_Comm all = together(), c;
	MPI_Group whole, own, some, halves[2];
	int n, mine, result;

	CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
	CHECK_MPI(MPI_Comm_group(all, &whole));
	CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &own));
	CHECK_MPI(MPI_Group_size(whole, &n));
	CHECK_MPI(MPI_Group_rank(whole, &mine));
	sets(whole, own);

	/* Of all processes, in both orders; of those of one job alone meanwhile, under the same tag. */
	for (int step = 1; step >= -1; step -= 2) {
		some = every(whole, step > 0 ? 0 : n - 1, step);
		CHECK_MPI(MPI_Comm_create_from_group(some, "all of them", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
		ring(c);
		MPI_Group made;
		CHECK_MPI(MPI_Comm_group(c, &made));
		CHECK_MPI(MPI_Group_compare(made, some, &result));
		CHECK_EQ(result, MPI_IDENT);
		CHECK_MPI(MPI_Group_free(&made));
		CHECK_MPI(MPI_Group_free(&some));
		CHECK_MPI(MPI_Comm_free(&c));
		CHECK_MPI(MPI_Comm_create_from_group(own, "all of them", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
		ring(c);
		CHECK_MPI(MPI_Comm_free(&c));
	}
	for (int i = 0; i < 2; i++)
		halves[i] = every(whole, i, 2);

	/* Of half of the processes of each, who alone call it. */
	CHECK_MPI(MPI_Comm_create_group(all, halves[mine % 2], 9, &c));
	ring(c);
	CHECK_MPI(MPI_Comm_free(&c));
	CHECK_MPI(MPI_Comm_create_from_group(halves[mine % 2], "half", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
	ring(c);
	CHECK_MPI(MPI_Comm_free(&c));

	/* Between halves that have processes of all jobs, and between one job and all others. */
	int sizes[2] = {(n + 1) / 2, n / 2};
        CHECK_MPI(MPI_Intercomm_create_from_groups(halves[mine % 2], sizes[mine % 2] - 1,
                                                   halves[1 - mine % 2], sizes[1 - mine % 2] - 1, "between",
                                                   MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
        cross(c);
	CHECK_MPI(MPI_Comm_free(&c));
	/* The first job's processes come first in all. */
	int first = 0;
	if (job == 0)
		first = np;
	CHECK_MPI(MPI_Bcast(&first, 1, MPI_INT, 0, all));
	int range[1][3] = {{0, first - 1, 1}};
	MPI_Group two[2];
	CHECK_MPI(MPI_Group_range_incl(whole, 1, range, &two[0]));
	CHECK_MPI(MPI_Group_range_excl(whole, 1, range, &two[1]));
        CHECK_MPI(MPI_Intercomm_create_from_groups(two[job > 0], 0, two[job == 0], 0, "between",
                                                   MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
        cross(c);
	CHECK_MPI(MPI_Comm_free(&c));

	/* Leaders that are none. */
        CHECK_CLASS(MPI_Intercomm_create_from_groups(two[job > 0], -1, two[job == 0], 0, "between",
                                                     MPI_INFO_NULL, MPI_ERRORS_RETURN, &c),
                    MPI_ERR_RANK);

        /* Groups outlive what they were made of. Once the jobs have parted, all hear that there is no way. */
	CHECK_MPI(MPI_Comm_disconnect(&all));
	CHECK_CLASS(MPI_Comm_create_from_group(whole, "late", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c), MPI_ERR_GROUP);
        CHECK_CLASS(MPI_Intercomm_create_from_groups(two[job > 0], 0, two[job == 0], 0, "late", MPI_INFO_NULL,
                                                     MPI_ERRORS_RETURN, &c),
                    MPI_ERR_GROUP);
        MPI_Group *made[] = {&whole, &own, &halves[0], &halves[1], &two[0], &two[1]};
	for (int i = 0; i < 6; i++)
		CHECK_MPI(MPI_Group_free(made[i]));
	ring(MPI_COMM_WORLD);
}

/* A process of the group dies before it has called: all others hear it. */
static void death(void)
{
	MPI_Comm all = together(), c;
	MPI_Group whole;

	CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
	CHECK_MPI(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
	CHECK_MPI(MPI_Comm_group(all, &whole));
	int mine, victim;
	CHECK_MPI(MPI_Comm_rank(all, &mine));
	if (job != 1 || me != np - 1)
		mine = -1;
	CHECK_MPI(MPI_Allreduce(&mine, &victim, 1, MPI_INT, MPI_MAX, all));
	if (mine >= 0)
		die_when_all_are_ready(all);
	ready_for_death(all, victim);
	if (job == 1) {
		MPI_Barrier(MPI_COMM_WORLD);
		return;
	}
        CHECK_CLASS(MPI_Comm_create_from_group(whole, "all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c),
                    MPI_ERR_PROC_ABORTED);
        CHECK_MPI(MPI_Comm_disconnect(&all));
	CHECK_MPI(MPI_Group_free(&whole));
	ring(MPI_COMM_WORLD);
}

/* A server that still holds the communicator with a client that has died accepts another one. */
static void death_of_one_client(void)
{
	char port[MPI_MAX_PORT_NAME] = "", later[80];
	MPI_Comm c, d;

	snprintf(later, sizeof later, "%s-later", service);
	if (job == 2)
		service = later;
	if (me == 0)
		find_port(port);
	c = meet(port, 0, MPI_COMM_WORLD);
	if (job == 1)
		die_when_all_are_ready(c);
	if (job == 0) {
		CHECK_MPI(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
		int word;
		ready_for_death(c, 0);
		CHECK_CLASS(MPI_Recv(&word, 1, MPI_INT, 0, 1, c, MPI_STATUS_IGNORE), MPI_ERR_PROC_ABORTED);
		if (me == 0)
			CHECK_MPI(MPI_Publish_name(later, MPI_INFO_NULL, port));
		d = meet(port, 0, MPI_COMM_WORLD);
		cross(d);
		CHECK_MPI(MPI_Comm_disconnect(&c));
		c = d;
		if (me == 0) {
			CHECK_MPI(MPI_Unpublish_name(later, MPI_INFO_NULL, port));
			hide_port(port);
		}
	} else {
		cross(c);
	}
	cross(c);
	CHECK_MPI(MPI_Comm_disconnect(&c));
}

int main(int argc, char **argv)
{
	static const struct trial trials[] = {
		{"groups", groups}, {"death", death}, {"death-of-one-client", death_of_one_client},
	};

	return jobs_main(argc, argv, trials, sizeof trials / sizeof *trials);
}
