/* A call that starts nothing fails on all ranks, says so for every process, and leaves nobody waiting. */
#include "check.h"
#include <limits.h>
#include <time.h>

static char *program;

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* One call that must fail. The codes of n processes must say that they were not started. */
static void refused(char *command, char **argv, int n, MPI_Info info, int root, int class, int told)
{
    MPI_Comm inter = MPI_COMM_SELF;
    int codes[8];
    memset(codes, 0x77, sizeof codes);
    CHECK_CLASS(MPI_Comm_spawn(command, argv, n, info, root, MPI_COMM_WORLD, &inter, codes), class);
    CHECK(inter == MPI_COMM_SELF);
    for (int i = 0; i < 8; i++)
        CHECK_MSG(i < told ? codes[i] == MPI_ERR_SPAWN : codes[i] == 0x77777777, "code %d is %d", i, codes[i]);
}

/* More processes than there can be take no time, also where the launcher has to say so because of the hint
 * soft. */
static void absurd(MPI_Info soft, int root)
{
    MPI_Comm inter = MPI_COMM_SELF;
    char *commands[] = {program, program}, text[MPI_MAX_ERROR_STRING];
    int counts[] = {INT_MAX, INT_MAX}, n;
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL}, softs[] = {soft, MPI_INFO_NULL};
    double began = cpu_seconds();

    for (int i = 0; i < 5; i++) {
        int rc = MPI_Comm_spawn(program, MPI_ARGV_NULL, INT_MAX, MPI_INFO_NULL, root, MPI_COMM_WORLD, &inter,
                                MPI_ERRCODES_IGNORE);
        CHECK_CLASS(rc, MPI_ERR_SPAWN);
        CHECK_MPI(MPI_Error_string(rc, text, &n));
        CHECK_MSG(strstr(text, "2147483647") && strstr(text, "4096"), "%s", text);
        CHECK_CLASS(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, root, MPI_COMM_WORLD,
                                            &inter, MPI_ERRCODES_IGNORE),
                    MPI_ERR_SPAWN);
        CHECK_CLASS(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, softs, root, MPI_COMM_WORLD,
                                            &inter, MPI_ERRCODES_IGNORE),
                    MPI_ERR_SPAWN);
        CHECK_MPI(MPI_Info_set(soft, "soft", "5000:2000000000"));
        CHECK_CLASS(MPI_Comm_spawn(program, MPI_ARGV_NULL, INT_MAX, soft, root, MPI_COMM_WORLD, &inter,
                                   MPI_ERRCODES_IGNORE),
                    MPI_ERR_SPAWN);
        CHECK_MPI(MPI_Info_set(soft, "soft", "1,4:8"));
    }
    CHECK(inter == MPI_COMM_SELF);
    CHECK_MSG(cpu_seconds() - began < 5, "20 calls took %g s of the processor", cpu_seconds() - began);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter, halves, half;
    MPI_Info info;
    program = argv[0];
    check_init(&argc, &argv);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        CHECK_MPI(MPI_Comm_disconnect(&parent));
        return check_finish();
    }
    if (argc > 1)
        return 3; /* without MPI_Finalize */
    for (int root = 0; root < np; root += np > 1 ? np - 1 : 1) {
        refused("/no/such/program", MPI_ARGV_NULL, 3, MPI_INFO_NULL, root, MPI_ERR_SPAWN, 3);
        refused("no-such-program-in-the-path", MPI_ARGV_NULL, 1, MPI_INFO_NULL, root, MPI_ERR_SPAWN, 1);
        refused("/etc/passwd", MPI_ARGV_NULL, 2, MPI_INFO_NULL, root, MPI_ERR_SPAWN, 2);
        refused("/", MPI_ARGV_NULL, 2, MPI_INFO_NULL, root, MPI_ERR_SPAWN, 2);
        refused("true", MPI_ARGV_NULL, 2, MPI_INFO_NULL, root, MPI_ERR_SPAWN, 2);
        refused(me == root ? NULL : program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, root, MPI_ERR_ARG, 0);
        refused(program, MPI_ARGV_NULL, me == root ? -1 : 1, MPI_INFO_NULL, root, MPI_ERR_ARG, 0);
        refused(program, MPI_ARGV_NULL, me == root ? 0 : 1, MPI_INFO_NULL, root, MPI_ERR_ARG, 0);
        refused(program, MPI_ARGV_NULL, INT_MAX, MPI_INFO_NULL, root, MPI_ERR_SPAWN, 0);
        refused(program, MPI_ARGV_NULL, 4097, MPI_INFO_NULL, root, MPI_ERR_SPAWN, 0);
        refused(program, MPI_ARGV_NULL, 1, me == root ? (MPI_Info)5000 : MPI_INFO_NULL, root, MPI_ERR_INFO,
                0);
        CHECK_MPI(MPI_Info_create(&info));
        CHECK_MPI(MPI_Info_set(info, "host", "another.machine.example"));
        refused(program, MPI_ARGV_NULL, 2, info, root, MPI_ERR_SPAWN, 2);
        CHECK_MPI(MPI_Info_set(info, "host", "localhost"));
        CHECK_MPI(MPI_Info_set(info, "soft", "nonsense"));
        refused(program, MPI_ARGV_NULL, 2, info, root, MPI_ERR_SPAWN, 2);
        CHECK_MPI(MPI_Info_set(info, "soft", "1,4:8"));

        absurd(info, root);

        /* The next call is none the worse: one process of the three that were wanted. */
        int codes[] = {1, 1, 1}, remote;
        CHECK_MPI(MPI_Comm_spawn(program, MPI_ARGV_NULL, 3, info, root, MPI_COMM_WORLD, &inter, codes));
        CHECK_MPI(MPI_Info_free(&info));
        CHECK_MPI(MPI_Comm_remote_size(inter, &remote));
        CHECK_EQ(remote, 1);
        CHECK_EQ(codes[0], MPI_SUCCESS);
        CHECK_EQ(codes[1], MPI_ERR_SPAWN);
        CHECK_EQ(codes[2], MPI_ERR_SPAWN);
        CHECK_MPI(MPI_Comm_disconnect(&inter));

        /* One of two programs does not exist: none is started. */
        char *commands[] = {program, "/no/such/program"};
        int counts[] = {1, 2}, each[] = {1, 1, 1};
        MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
        CHECK_CLASS(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, root, MPI_COMM_WORLD,
                                            &inter, each),
                    MPI_ERR_SPAWN);
        for (int i = 0; i < 3; i++)
            CHECK_EQ(each[i], MPI_ERR_SPAWN);
        CHECK_CLASS(MPI_Comm_spawn_multiple(me == root ? 0 : 1, commands, MPI_ARGVS_NULL, counts, infos, root,
                                            MPI_COMM_WORLD, &inter, each),
                    MPI_ERR_ARG);
        CHECK_CLASS(MPI_Comm_spawn_multiple(2, me == root ? NULL : commands, MPI_ARGVS_NULL, counts, infos,
                                            root, MPI_COMM_WORLD, &inter, each),
                    MPI_ERR_ARG);
        CHECK_CLASS(MPI_Comm_spawn_multiple(me == root ? INT_MAX : 2, me == root ? NULL : commands,
                                            MPI_ARGVS_NULL, counts, infos, root, MPI_COMM_WORLD, &inter,
                                            each),
                    MPI_ERR_ARG);
    }
    CHECK_CLASS(MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, np, MPI_COMM_WORLD, &inter,
                               MPI_ERRCODES_IGNORE),
                MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, NULL,
                               MPI_ERRCODES_IGNORE),
                MPI_ERR_ARG);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Comm_get_parent(NULL), MPI_ERR_ARG);
    if (np > 1) { /* between two groups there is no spawning */
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &half));
        CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 3, &halves));
        CHECK_MPI(MPI_Comm_set_errhandler(halves, MPI_ERRORS_RETURN));
        CHECK_CLASS(
            MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, halves, &inter, MPI_ERRCODES_IGNORE),
            MPI_ERR_COMM);
        CHECK_MPI(MPI_Comm_free(&halves));
        CHECK_MPI(MPI_Comm_free(&half));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return check_finish();
}
