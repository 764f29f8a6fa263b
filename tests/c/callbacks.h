/*
 * A callback of each type that does what the standard allows and no more, as programs generated from api/
 * name them: fn_ and the name of the type.
 */
#ifndef GOMPI_TESTS_CALLBACKS_H
#define GOMPI_TESTS_CALLBACKS_H

#include <mpi.h>

static inline void add(void *a, void *b, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)b)[i] += ((int *)a)[i];
}
static inline void add_c(void *a, void *b, MPI_Count *n, MPI_Datatype *type)
{
    int some = (int)*n;
    add(a, b, &some, type);
}
static inline void on_comm(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }
static inline void on_file(MPI_File *file, int *code, ...) { (void)file, (void)code; }
static inline void on_win(MPI_Win *win, int *code, ...) { (void)win, (void)code; }
static inline void on_session(MPI_Session *session, int *code, ...) { (void)session, (void)code; }
static inline int file_extent(MPI_Datatype type, MPI_Aint *extent, void *state)
{
    MPI_Aint lb;
    (void)state;
    return MPI_Type_get_extent(type, &lb, extent);
}
#define fn_User_function add
#define fn_User_function_c add_c
#define fn_Comm_errhandler_function on_comm
#define fn_Handler_function on_comm
#define fn_File_errhandler_function on_file
#define fn_Win_errhandler_function on_win
#define fn_Session_errhandler_function on_session
#define fn_Copy_function MPI_DUP_FN
#define fn_Delete_function MPI_NULL_DELETE_FN
#define fn_Comm_copy_attr_function MPI_COMM_DUP_FN
#define fn_Comm_delete_attr_function MPI_COMM_NULL_DELETE_FN
#define fn_Type_copy_attr_function MPI_TYPE_DUP_FN
#define fn_Type_delete_attr_function MPI_TYPE_NULL_DELETE_FN
#define fn_Win_copy_attr_function MPI_WIN_DUP_FN
#define fn_Win_delete_attr_function MPI_WIN_NULL_DELETE_FN
#define fn_Datarep_extent_function file_extent
#define fn_Datarep_conversion_function MPI_CONVERSION_FN_NULL
#define fn_Datarep_conversion_function_c MPI_CONVERSION_FN_NULL_C

#endif
