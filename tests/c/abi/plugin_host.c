/* A program without MPI that loads a plug-in with MPI, privately. Built without mpicc. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (plugin == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*run)(void) = (int (*)(void))dlsym(plugin, "plugin_run");
    int failed = run == NULL || run();
    dlclose(plugin);
    printf(failed ? "failed\n" : "done\n");
    return failed;
}
