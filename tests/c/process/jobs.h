/* Jobs that are started separately and connect with each other. Started without a launcher, with the path of
 * one, a case and the sizes of the jobs, a program starts each job as itself with the same case, and is
 * silent if all of them end as they should. A size of 0 is a process without a launcher. */
#ifndef JOBS_H
#define JOBS_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { MOST = 4 };

static const char *service; /* under which the first job publishes its port */
static int job;             /* number of this process's job, from 0 on */
static int jobs;
static int side; /* whether it is on the first side of the intercommunicator that is tried, or on the other */

/* ---- the side that starts the jobs */

static pid_t start(const char *launcher, const char *self, char **argv, int size)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (size > 0)
		execl(launcher, launcher, "-n", argv[0], self, "-", argv[1], argv[2], argv[3], argv[4], (char *)NULL);
	else
		execl(self, self, "-", argv[1], argv[2], argv[3], argv[4], (char *)NULL);
	perror("exec");
	_exit(99);
}

/* Starts the jobs and waits for them. Those of cases that end badly say so themselves. */
static int lead(const char *self, int argc, char **argv)
{
	char name[64], number[MOST][16], count[16];
	pid_t pids[MOST];
	int n = argc - 3, bad = 0;
	int death = strncmp(argv[2], "death", 5) == 0; /* of the second job */
	int first = strcmp(argv[2], "death-all") == 0 ? MPI_ERR_PROC_ABORTED : 0;

	snprintf(name, sizeof name, "jobs-%d", (int)getpid());
	snprintf(count, sizeof count, "%d", n);
	for (int i = 0; i < n; i++) {
		snprintf(number[i], sizeof number[i], "%d", i);
		char *words[] = {argv[3 + i], argv[2], name, number[i], count};
		pids[i] = start(argv[1], self, words, atoi(argv[3 + i]));
	}
	for (int i = 0; i < n; i++) {
		int status = 0;
		while (waitpid(pids[i], &status, 0) < 0 && errno == EINTR)
			continue;
		int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		if (death && i == 1 ? code == 0 : code != (i == 0 ? first : 0)) {
			fprintf(stderr, "job %d of case %s has ended with status %#x\n", i, argv[2], status);
			bad = 1;
		}
	}
	return bad;
}

/* ---- what the jobs do */

/* Waits until somebody has published a name. */
static void await_name(const char *name, char *port)
{
	CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
	while (MPI_Lookup_name(name, MPI_INFO_NULL, port) != MPI_SUCCESS)
		usleep(2000);
	CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* The port of the first job; its rank 0 opens and publishes it. */
static void find_port(char *port)
{
	if (job == 0) {
		CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port));
		CHECK_MPI(MPI_Publish_name(service, MPI_INFO_NULL, port));
		return;
	}
	await_name(service, port);
}

/* The first job calls the next one when all before it have been accepted: otherwise that one might come
 * first. The job that is called finds the port, on its rank 0. */
static void call_job(int next, char *port)
{
	char name[80];

	if (me != 0 || (job != 0 && job != next))
		return;
	snprintf(name, sizeof name, "%s-%d", service, next);
	if (job == 0)
		CHECK_MPI(MPI_Publish_name(name, MPI_INFO_NULL, port));
	else
		await_name(name, port);
}

static void call_is_over(int next, const char *port)
{
	char name[80];

	snprintf(name, sizeof name, "%s-%d", service, next);
	if (job == 0 && me == 0)
		CHECK_MPI(MPI_Unpublish_name(name, MPI_INFO_NULL, port));
}

/* Every process of a communicator whose victim is to die tells it that it has come so far that it can cope
 * with that; the victim waits for all. In a communicator of two groups these are the processes of the other
 * one. */
static void die_when_all_are_ready(MPI_Comm c)
{
	int inter, n, mine = -1, word;

	CHECK_MPI(MPI_Comm_test_inter(c, &inter));
	if (inter) {
		CHECK_MPI(MPI_Comm_remote_size(c, &n));
	} else {
		CHECK_MPI(MPI_Comm_size(c, &n));
		CHECK_MPI(MPI_Comm_rank(c, &mine));
	}
	for (int i = 0; i < n; i++)
		if (i != mine)
			CHECK_MPI(MPI_Recv(&word, 1, MPI_INT, i, 4711, c, MPI_STATUS_IGNORE));
	usleep(100000); /* most wait for the victim by now */
	raise(SIGKILL);
}

static void ready_for_death(MPI_Comm c, int victim)
{
	CHECK_MPI(MPI_Send(&victim, 1, MPI_INT, victim, 4711, c));
}

static void hide_port(const char *port)
{
	CHECK_MPI(MPI_Unpublish_name(service, MPI_INFO_NULL, port));
	CHECK_MPI(MPI_Close_port(port));
}

static MPI_Comm meet(const char *port, int root, MPI_Comm comm)
{
	MPI_Comm c = MPI_COMM_NULL;

	if (job == 0)
		CHECK_MPI(MPI_Comm_accept(port, MPI_INFO_NULL, root, comm, &c));
	else
		CHECK_MPI(MPI_Comm_connect(port, MPI_INFO_NULL, root, comm, &c));
	return c;
}

/* A case by its name. */
struct trial {
	const char *name;
	void (*run)(void);
};

/* What main does, of the side that starts the jobs and of the jobs. */
static int jobs_main(int argc, char **argv, const struct trial *trials, int n)
{
	if (argc >= 4 && argv[1][0] == '/')
		return lead(argv[0], argc, argv);
	if (argc != 6)
		return 98;
	service = argv[3];
	job = atoi(argv[4]);
	jobs = atoi(argv[5]);
	check_init(&argc, &argv);
	side = job == 0;
	int i = 0;
	while (i < n && strcmp(argv[2], trials[i].name) != 0)
		i++;
	CHECK_MSG(i < n, "no case %s", argv[2]);
	if (i < n)
		trials[i].run();
	return check_finish();
}

#endif
