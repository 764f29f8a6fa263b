/* A program that does one thing, named by its argument, that a library written in Go could spoil. */
#define _GNU_SOURCE
#include <mpi.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *volatile nowhere = (int *)8;

static void *fault(void *unused)
{
	*nowhere = 1;
	return unused;
}

static void own_handler(int sig)
{
	(void)sig;
	(void)!write(STDOUT_FILENO, "own handler\n", 12);
	_exit(7);
}

static void write_to_closed_pipe(void)
{
	int fd[2];

	if (pipe(fd) == 0 && close(fd[0]) == 0)
		printf("write returns %d\n", (int)write(fd[1], "x", 1));
}

static void report(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int length, rank = -1;

	MPI_Error_string(*code, text, &length);
	MPI_Comm_rank(*comm, &rank); /* the library may be called again */
	printf("handler on %s, rank %d: %s\n", *comm == MPI_COMM_SELF ? "self" : "another", rank, text);
}

static void faulty(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	fault(NULL);
}

static int use_handler(MPI_Comm_errhandler_function *f)
{
	MPI_Errhandler handler;
	int x = 0;

	MPI_Comm_create_errhandler(f, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	MPI_Errhandler_free(&handler);
	return MPI_Send(&x, 1, MPI_INT, 3, 0, MPI_COMM_SELF);
}

static int in_child(void)
{
	int rank = 0, status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_ERR_OTHER &&
		              MPI_Barrier(MPI_COMM_WORLD) == MPI_ERR_OTHER
		          ? 5
		          : 6);
	waitpid(pid, &status, 0);
	printf("child exits with %d\n", WEXITSTATUS(status));
	fflush(stdout);
	return system("echo system works");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "nothing";
	int flag, version, sub, x = 0;
	MPI_Request request;
	pthread_t thread;
#define IS(name) (strcmp(what, name) == 0)

	if (IS("fault before init"))
		fault(NULL);
	if (IS("pipe before init"))
		write_to_closed_pipe();
	if (IS("environment"))
		printf("GODEBUG=%s GOGC=%s\n", getenv("GODEBUG"), getenv("GOGC"));
	if (IS("too early"))
		MPI_Barrier(MPI_COMM_WORLD);
	if (IS("legal at any time")) {
		MPI_Initialized(&flag);
		MPI_Abi_get_version(&version, &sub);
		printf("initialized %d, ABI %d.%d, time %d\n", flag, version, sub, MPI_Wtime() > 0);
	}
	MPI_Init(&argc, &argv);
	printf("initialized; "); /* without end of line: it must come out at every kind of end */
	if (IS("fault"))
		fault(NULL);
	if (IS("own handler")) {
		signal(SIGSEGV, own_handler);
		fault(NULL);
	}
	if (IS("fault in a thread") && pthread_create(&thread, NULL, fault, NULL) == 0)
		pthread_join(thread, NULL);
	if (IS("raise"))
		raise(SIGSEGV);
	if (IS("pipe"))
		write_to_closed_pipe();
	if (IS("ignored pipe")) {
		signal(SIGPIPE, SIG_IGN);
		write_to_closed_pipe();
	}
	if (IS("fork"))
		in_child();
	if (IS("handler"))
		printf("code %d\n", use_handler(report));
	if (IS("fault in a handler"))
		use_handler(faulty);
	if (IS("abort"))
		MPI_Abort(MPI_COMM_WORLD, 42);
	if (IS("abort 256"))
		MPI_Abort(MPI_COMM_WORLD, 256);
	if (IS("fatal"))
		MPI_Send(&x, 1, MPI_INT, 9, 0, MPI_COMM_WORLD);
	if (IS("init again"))
		MPI_Init(NULL, NULL);
	if (IS("constant buffer")) {
		MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
		MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
		printf("code %d\n", MPI_Recv((void *)"constant", 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
		return 0;
	}
	MPI_Finalize();
	MPI_Finalized(&flag);
	MPI_Initialized(&version);
	printf("finalized %d %d\n", flag, version);
	if (IS("too late"))
		MPI_Barrier(MPI_COMM_WORLD);
	return 0;
}
