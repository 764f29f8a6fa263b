/* Hints for the new processes come from a file as well, and a bad one is an error on all ranks. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void same(const char *variable, const char *want)
{
	const char *got = getenv(variable);

	CHECK_MSG(got != NULL && strcmp(got, want) == 0, "%s is %s, want %s", variable, got ? got : "not set", want);
}

int main(int argc, char **argv)
{
	MPI_Comm parent, inter;
	MPI_Info info;
	char here[PATH_MAX], program[2 * PATH_MAX];

	check_init(&argc, &argv);
	CHECK_MPI(MPI_Comm_get_parent(&parent));
	if (parent != MPI_COMM_NULL) {
		CHECK(getcwd(here, sizeof here) != NULL);
		CHECK_MSG(strcmp(here, "/") == 0, "the working directory is %s", here);
		same("FROM_THE_FILE", "a = b");
		same("FROM_BOTH", "info");
		same("FROM_INFO", "x");
		CHECK_MPI(MPI_Comm_disconnect(&parent));
		return check_finish();
	}
	CHECK(getcwd(here, sizeof here) != NULL);
	if (argv[0][0] == '/')
		snprintf(program, sizeof program, "%s", argv[0]);
	else
		snprintf(program, sizeof program, "%s/%s", here, argv[0]);
	CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
	CHECK_MPI(MPI_Info_create(&info));
	CHECK_MPI(MPI_Info_set(info, "file", "hints"));
	CHECK_MPI(MPI_Info_set(info, "env", "FROM_BOTH=info\nFROM_INFO=x"));
	static const char *const bad[] = {"wdir /\n", "# well\nno_such_key = 1\n", "file = hints\n", "env = NONSENSE\n", "wdir = /no/such/place\n", NULL};
	for (int i = 0; i == 0 || bad[i - 1] != NULL; i++) {
		int code = -1;
		if (me == 0 && bad[i] != NULL)
			write_file("hints", bad[i]);
		else if (me == 0)
			unlink("hints");
                CHECK_CLASS(MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, info, 0, MPI_COMM_WORLD, &inter, &code),
                            MPI_ERR_SPAWN);
                CHECK_EQ(code, MPI_ERR_SPAWN);
	}
	if (me == 0)
		write_file("hints", "# what they need\n\n  wdir = /\nenv = FROM_THE_FILE=a = b\nenv = FROM_BOTH=file\nsoft=2\n");
        CHECK_MPI(
            MPI_Comm_spawn(program, MPI_ARGV_NULL, 4, info, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
        int remote;
	CHECK_MPI(MPI_Comm_remote_size(inter, &remote));
	CHECK_EQ(remote, 2);
	CHECK_MPI(MPI_Comm_disconnect(&inter));
	CHECK_MPI(MPI_Info_free(&info));
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		unlink("hints");
	return check_finish();
}
