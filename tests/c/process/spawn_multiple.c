/* Several programs in one call are one job: arguments, numbers and hints of each. */
#include <limits.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    char here[PATH_MAX];
    int *app = NULL, found = 0;
    check_init(&argc, &argv);
    CHECK(getcwd(here, sizeof here) != NULL);
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    if (parent == MPI_COMM_NULL) {
        char *commands[] = {argv[0], argv[0], argv[0]};
        char *first[] = {"0", here, NULL}, *second[] = {"1", "/", "more", NULL};
        char **all[] = {first, second, NULL};
        int counts[] = {1, 2, 1}, codes[6], root = 0, remote;
        MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL, MPI_INFO_NULL};
        CHECK_MPI(MPI_Info_create(&infos[1]));
        CHECK_MPI(MPI_Info_set(infos[1], "wdir", "/"));
        CHECK_MPI(MPI_Info_set(infos[1], "nobody knows this", "key"));
        for (int round = 0; round < 2; round++) {
            memset(codes, 0x77, sizeof codes);
            /* Without arguments for any, every child has none. */
            if (me == root)
                CHECK_MPI(MPI_Comm_spawn_multiple(3, commands, round ? MPI_ARGVS_NULL : all, counts, infos,
                                                  root, MPI_COMM_WORLD, &inter, codes));
            else
                CHECK_MPI(MPI_Comm_spawn_multiple(-5, NULL, NULL, NULL, NULL, root, MPI_COMM_WORLD, &inter,
                                                  round ? MPI_ERRCODES_IGNORE : codes));
            if (me == root || !round)
                for (int i = 0; i < 4; i++)
                    CHECK_EQ(codes[i], MPI_SUCCESS);
            CHECK_EQ(codes[4], 0x77777777);
            CHECK_MPI(MPI_Comm_remote_size(inter, &remote));
            CHECK_EQ(remote, 4);
            CHECK_MPI(MPI_Barrier(inter));
            CHECK_MPI(MPI_Comm_disconnect(&inter));
        }
        CHECK_MPI(MPI_Info_free(&infos[1]));
    } else {
        static const int apps[] = {0, 1, 1, 2}, arguments[] = {3, 4, 4, 1};
        int most = 0;
        CHECK_EQ(np, 4);
        CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &found));
        CHECK(found && *app == apps[me]);
        CHECK_MPI(MPI_Allreduce(&argc, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        CHECK_EQ(argc, most == 1 ? 1 : arguments[me]);
        if (argc > 2) {
            CHECK_EQ(atoi(argv[1]), apps[me]);
            CHECK(strcmp(argv[2], here) == 0);
        }
        CHECK_MPI(MPI_Barrier(parent));
        CHECK_MPI(MPI_Comm_disconnect(&parent));
    }
    return check_finish();
}
