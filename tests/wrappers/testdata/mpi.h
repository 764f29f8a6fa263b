/* As much of MPI as the wrappers' tests need, so that they depend on nothing else. */
#ifndef MPI_H
#define MPI_H

#define MPI_VERSION 5
#define MPI_SUBVERSION 0
#define MPI_SUCCESS 0
#define MPI_MAX_LIBRARY_VERSION_STRING 8192

typedef struct MPI_ABI_Comm *MPI_Comm;
#define MPI_COMM_WORLD ((MPI_Comm)0x101)

#ifdef __cplusplus
extern "C" {
#endif
int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Get_version(int *version, int *subversion);
int MPI_Get_library_version(char *version, int *resultlen);
#ifdef __cplusplus
}
#endif

#endif
