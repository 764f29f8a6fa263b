/* The counters of MPI_T count accesses to files and the bytes that they move, whichever way they go; what is
 * not there to be read is not counted. */
#include "counted.h"

int main(int argc, char **argv)
{
    enum { N = 100000 };
    int provided;
    MPI_File file;
    MPI_Datatype every_other;
    MPI_Request request;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_init(&argc, &argv);
    CHECK_MPI(MPI_T_pvar_session_create(&session));
    MPI_T_pvar_handle reads = watch_bound("file_reads", MPI_T_PVAR_CLASS_COUNTER, MPI_T_BIND_NO_OBJECT, NULL);
    MPI_T_pvar_handle read_bytes = watch_bound("file_read_bytes", MPI_T_PVAR_CLASS_AGGREGATE, MPI_T_BIND_NO_OBJECT, NULL);
    MPI_T_pvar_handle writes = watch_bound("file_writes", MPI_T_PVAR_CLASS_COUNTER, MPI_T_BIND_NO_OBJECT, NULL);
    MPI_T_pvar_handle written_bytes = watch_bound("file_written_bytes", MPI_T_PVAR_CLASS_AGGREGATE, MPI_T_BIND_NO_OBJECT, NULL);
    char *data = check_alloc(N), *got = check_alloc(N);
    check_fill(data, N, (unsigned)me);

    CHECK_MPI(MPI_File_open(MPI_COMM_WORLD, "counted",
                            MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                            &file));
    CHECK_EQ(value(reads) + value(writes) + value(read_bytes) + value(written_bytes), 0);

    CHECK_MPI(MPI_File_write_at_all(file, (MPI_Offset)me * N, data, N, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_EQ(value(writes), 1);
    CHECK_EQ(value(written_bytes), N);
    CHECK_MPI(MPI_File_write_at(file, (MPI_Offset)me * N, data, 10, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_iwrite_at(file, (MPI_Offset)me * N, data, 7, MPI_BYTE, &request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(value(writes), 2);
    CHECK_EQ(value(written_bytes), 17);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));

    CHECK_MPI(MPI_File_read_at(file, (MPI_Offset)np * N - 30, got, 50, MPI_BYTE,
                               MPI_STATUS_IGNORE)); /* 30 are there */
    CHECK_EQ(value(reads), 1);
    CHECK_EQ(value(read_bytes), 30);
    CHECK_MPI(MPI_Type_vector(N / 4, 1, 2, MPI_BYTE, &every_other));
    CHECK_MPI(MPI_Type_commit(&every_other));
    CHECK_MPI(MPI_File_set_view(file, (MPI_Offset)me * N, MPI_BYTE, every_other, "native", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_read_all(file, got, N / 4, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_EQ(value(reads), 1);
    CHECK_EQ(value(read_bytes), N / 4);
    for (int i = 0; i < N / 4; i++)
        CHECK_MSG(got[i] == data[2 * i], "byte %d", i);
    CHECK_EQ(value(writes) + value(written_bytes), 0);

    CHECK_MPI(MPI_Type_free(&every_other));
    CHECK_MPI(MPI_File_close(&file));
    check_free(data);
    check_free(got);
    CHECK_MPI(MPI_T_pvar_session_free(&session));
    int rc = check_finish();
    MPI_T_finalize();
    return rc;
}
