/*
 * A program that knows no MPI at compile time loads the library at run time, RTLD_LOCAL and RTLD_LAZY, as
 * Python's and Julia's bindings do, and calls what it finds. Built without mpicc. Argument 1 is the library.
 * The environment of the host is its own: other threads read it while the library is loaded, and the library
 * heeds what the host has set before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *get(const char *name)
{
    void *p = dlsym(library, name);
    if (p == NULL)
        printf("%s: %s\n", name, dlerror());
    return p;
}

static char setting[] = "GODEBUG=gctrace=1";
static int loaded, watching, changed;

/* Looks at the setting all the time until the library is loaded. */
static void *watch(void *unused)
{
    while (!__atomic_load_n(&loaded, __ATOMIC_ACQUIRE)) {
        if (*(volatile char *)setting != 'G')
            changed = 1;
        __atomic_store_n(&watching, 1, __ATOMIC_RELEASE);
    }
    return unused;
}

static void *load(const char *name)
{
    pthread_t watcher;
    putenv(setting);
    setenv("GOMPI_EAGER", "12345", 1);
    if (pthread_create(&watcher, NULL, watch, NULL) != 0)
        return NULL;
    while (!__atomic_load_n(&watching, __ATOMIC_ACQUIRE))
        ;
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    __atomic_store_n(&loaded, 1, __ATOMIC_RELEASE);
    pthread_join(watcher, NULL);
    return library;
}

/* The value of a control variable of the library's; -1 when there is none. */
static long long control_variable(const char *name)
{
    int (*init)(int, int *) = (int (*)(int, int *))get("MPI_T_init_thread");
    int (*get_index)(const char *, int *) = (int (*)(const char *, int *))get("MPI_T_cvar_get_index");
    int (*alloc)(int, void *, void **, int *) = (int (*)(int, void *, void **, int *))get("MPI_T_cvar_handle_alloc");
    int (*read)(void *, void *) = (int (*)(void *, void *))get("MPI_T_cvar_read");
    int (*finalize)(void) = (int (*)(void))get("MPI_T_finalize");
    int index, count;
    int value[4] = {-1, -1, -1, -1};
    void *handle;
    if (!init || !get_index || !alloc || !read || !finalize || init(0, &index) != 0)
        return -1;
    if (get_index(name, &index) == 0 && alloc(index, NULL, &handle, &count) == 0)
        read(handle, value);
    finalize();
    return value[0];
}

int main(int argc, char **argv)
{
    static char version[8192];
    int rank = -1, size = -1, sum = -1, major = -1, minor = -1, n = 0;

    library = load(argc > 1 ? argv[1] : "libmpi_abi.so.1");
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    /* Handles are the ABI's numbers: 0x101 is the world, 0x209 an int, 0x21 the sum. */
    int (*abi_version)(int *, int *) = (int (*)(int *, int *))get("MPI_Abi_get_version");
    int (*init)(int *, char ***) = (int (*)(int *, char ***))get("MPI_Init");
    int (*comm_rank)(uintptr_t, int *) = (int (*)(uintptr_t, int *))get("MPI_Comm_rank");
    int (*comm_size)(uintptr_t, int *) = (int (*)(uintptr_t, int *))get("MPI_Comm_size");
    int (*allreduce)(const void *, void *, int, uintptr_t, uintptr_t, uintptr_t) =
        (int (*)(const void *, void *, int, uintptr_t, uintptr_t, uintptr_t))get("MPI_Allreduce");
    int (*library_version)(char *, int *) = (int (*)(char *, int *))get("MPI_Get_library_version");
    int (*finalize)(void) = (int (*)(void))get("MPI_Finalize");
    if (!abi_version || !init || !comm_rank || !comm_size || !allreduce || !library_version || !finalize)
        return 1;

    if (abi_version(&major, &minor) != 0 || major != 1 || minor != 0) {
        printf("ABI version %d.%d\n", major, minor);
        return 1;
    }
    if (library_version(version, &n) != 0 || strncmp(version, "gompi", 5) != 0) {
        printf("library version %s\n", version);
        return 1;
    }
    if (init(&argc, &argv) != 0 || comm_rank(0x101, &rank) != 0 || comm_size(0x101, &size) != 0)
        return 1;
    if (allreduce(&rank, &sum, 1, 0x209, 0x21, 0x101) != 0 || sum != size * (size - 1) / 2) {
        printf("sum %d of %d ranks\n", sum, size);
        return 1;
    }
    if (finalize() != 0)
        return 1;
    if (changed || strcmp(getenv("GODEBUG"), "gctrace=1") != 0) {
        printf("the library has changed a string of the environment\n");
        return 1;
    }
    if (control_variable("GOMPI_EAGER") != 12345) {
        printf("GOMPI_EAGER is %lld\n", control_variable("GOMPI_EAGER"));
        return 1;
    }
    dlclose(library);
    printf("loaded and unloaded\n");
    return 0;
}
