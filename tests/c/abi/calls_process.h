/* The calls that need a second job: the program starts itself as a child, which calls its half and tells what
 * it has called. */
#ifndef CALLS_PROCESS_H
#define CALLS_PROCESS_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "calls_tool.h"
#include "calls_world.h"

/* What has been called in the other job counts here too. */
static void learn(MPI_Comm inter, int root)
{
    int theirs[MOST_NAMES];
    DO(MPI_Bcast(theirs, MOST_NAMES, MPI_INT, root, inter));
    for (int i = 0; i < MOST_NAMES; i++)
        called[i] += theirs[i];
}

/* Both jobs: calls on an intercommunicator and those that make one. own is the communicator of the job. */
static void call_inter(MPI_Comm inter, MPI_Comm own, int first)
{
    int size, flag = 0, sum = 0, one = 1, all_size;
    MPI_Comm all, again;
    MPI_Group theirs;
    CALL(MPI_Comm_remote_size(inter, &size));
    CHECK(size > 0);
    DO(MPI_Comm_test_inter(inter, &flag));
    CHECK(flag);
    CALL(MPI_Intercomm_merge(inter, !first, &all));
    DO(MPI_Comm_size(all, &all_size));
    DO(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK_EQ(sum, all_size);
    CALL(MPI_Intercomm_create(own, 0, all, first ? all_size - size : 0, TAG, &again));
    free_comm(&again);
    CALL(MPI_Comm_remote_group(inter, &theirs));
    free_group(&theirs);
    free_comm(&all);
}

/* The two ranks of a job, each a group. */
static void call_two_groups(void)
{
    int other = 1 - me, flag = 0;
    MPI_Group world, mine, theirs;
    MPI_Comm inter;
    CHECK_EQ(np, 2);
    DO(MPI_Comm_group(MPI_COMM_WORLD, &world));
    DO(MPI_Group_incl(world, 1, &me, &mine));
    DO(MPI_Group_incl(world, 1, &other, &theirs));
    CALL(MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "calls", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter));
    DO(MPI_Comm_test_inter(inter, &flag));
    CHECK(flag);
    free_comm(&inter);
    free_group(&world);
    free_group(&mine);
    free_group(&theirs);
}

/* A connected socket: the parent listens, the child connects. */
static int listening(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_EQ(bind(s, (struct sockaddr *)&at, sizeof at), 0);
    CHECK_EQ(listen(s, 1), 0);
    CHECK_EQ(getsockname(s, (struct sockaddr *)&at, &length), 0);
    *port = ntohs(at.sin_port);
    return s;
}

static int connected(int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK_EQ(connect(s, (struct sockaddr *)&at, sizeof at), 0);
    return s;
}

static void call_join(int fd)
{
    MPI_Comm inter;
    int size = 0;
    CALL(MPI_Comm_join(fd, &inter));
    DO(MPI_Comm_remote_size(inter, &size));
    CHECK_EQ(size, 1);
    DO(MPI_Comm_disconnect(&inter));
    close(fd);
}

static int is_child(int argc, char **argv) { return argc == 4 && strcmp(argv[1], "child") == 0; }

/* A job of two makes of what make_world gives only what the tool interface's events need. */
static void make_partner(void)
{
    left = right = 1 - me;
    the_comm = MPI_COMM_WORLD;
    DO(MPI_Info_create(&the_info));
}

/* The child. argv: child, the port of the parents, the port of the socket; or child, many, 0 for a job of
 * two. */
static int child(int argc, char **argv)
{
    MPI_Comm parent, inter;
    int provided, many = strcmp(argv[2], "many") == 0;
    CALL(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_know_world();
    DO(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CALL(MPI_Comm_get_parent(&parent));
    if (many) {
        call_two_groups();
        make_partner();
        call_tool();
    } else {
        call_inter(parent, MPI_COMM_WORLD, 0);
        CALL(MPI_Comm_connect(argv[2], MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
        CALL(MPI_Comm_disconnect(&inter));
        call_join(connected(atoi(argv[3])));
    }
    DO(MPI_Bcast(called, MOST_NAMES, MPI_INT, me == 0 ? MPI_ROOT : MPI_PROC_NULL, parent));
    DO(MPI_Comm_disconnect(&parent));
    if (many)
        free_info(&the_info);
    return check_finish();
}

static void call_services(void)
{
    char port[MPI_MAX_PORT_NAME], found[MPI_MAX_PORT_NAME], service[64];
    snprintf(service, sizeof service, "calls %d", (int)getpid());
    CALL(MPI_Open_port(MPI_INFO_NULL, port));
    CALL(MPI_Publish_name(service, MPI_INFO_NULL, port));
    CALL(MPI_Lookup_name(service, MPI_INFO_NULL, found));
    CHECK(strcmp(port, found) == 0);
    CALL(MPI_Unpublish_name(service, MPI_INFO_NULL, port));
    CALL(MPI_Close_port(port));
}

static void call_spawn(char *program)
{
    char port[MPI_MAX_PORT_NAME] = "", socket_port[16] = "";
    char *argv[] = {"child", port, socket_port, NULL}, *many[] = {"child", "many", "0", NULL};
    int codes[2] = {-1, -1}, number = 0, s = -1;
    MPI_Comm inter, other;
    CALL(MPI_Comm_get_parent(&inter));
    CHECK(inter == MPI_COMM_NULL);
    if (me == 0) {
        DO(MPI_Open_port(MPI_INFO_NULL, port));
        s = listening(&number);
        snprintf(socket_port, sizeof socket_port, "%d", number);
    }
    CALL(MPI_Comm_spawn(program, argv, 1, MPI_INFO_NULL, 0, the_comm, &inter, codes));
    CHECK_EQ(codes[0], MPI_SUCCESS);
    call_inter(inter, the_comm, 1);
    CALL(MPI_Comm_accept(port, MPI_INFO_NULL, 0, the_comm, &other));
    DO(MPI_Comm_disconnect(&other));
    if (me == 0) {
        call_join(accept(s, NULL, NULL));
        close(s);
        DO(MPI_Close_port(port));
    }
    learn(inter, 0);
    CALL(MPI_Comm_disconnect(&inter));

    CALL(MPI_Comm_spawn_multiple(2, (char *[]){program, program}, (char **[]){many, many}, (int[]){1, 1},
                                 (MPI_Info[]){MPI_INFO_NULL, MPI_INFO_NULL}, 0, the_comm, &inter, codes));
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    learn(inter, 0);
    DO(MPI_Comm_disconnect(&inter));
}

#endif
