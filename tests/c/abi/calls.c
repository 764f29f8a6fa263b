/*
 * Every function of the interface, each with its large-count twin, is called with legal arguments and does
 * not fail. zz_calls.h holds the calls that need nothing of their own, the other headers those that go
 * together; the generator refuses to leave one out. In the end every name must have been called, on one of
 * the ranks or in a child. argv: all, or abort, which ends the job.
 */
#include "calls_messages.h"
#include "calls_process.h"
#include "calls_tool.h"
#include "calls_world.h"
#include "zz_calls.h"

static void call_fortran(void)
{
    MPI_Info info;
    int yes = 1, no = 0;
    DO(MPI_Abi_get_fortran_info(&info));
    CALL(MPI_Abi_set_fortran_info(info));
    DO(MPI_Info_free(&info));
    CALL(MPI_Abi_set_fortran_booleans(4, &yes, &no));
}

/* All names but those of the calls that end a program. */
static void check_all_called(void)
{
    int sum[MOST_NAMES];
    DO(MPI_Allreduce(called, sum, MOST_NAMES, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < NAMES; i++)
        if (strcmp(call_names[i], "MPI_Abort") != 0 && strcmp(call_names[i], "MPI_Finalize") != 0)
            CHECK_MSG(sum[i] > 0, "%s was not called", call_names[i]);
}

int main(int argc, char **argv)
{
    if (is_child(argc, argv))
        return child(argc, argv);
    CALL(MPI_Init(&argc, &argv));
    check_know_world();
    if (argc == 2 && strcmp(argv[1], "abort") == 0) {
        CALL(MPI_Abort(MPI_COMM_WORLD, 5));
        return 0; /* not reached */
    }
    make_world();
    for (size_t i = 0; i < sizeof generated_calls / sizeof *generated_calls; i++)
        generated_calls[i]();
    call_fortran();
    call_buffers();
    call_probes();
    call_generalized();
    call_partitions();
    call_services();
    call_spawn(argv[0]);
    call_tool();
    free_world();
    check_all_called();
    int result = check_result();
    if (result != 0)
        check_give_up();
    CALL(MPI_Finalize());
    return check_failed != 0;
}
