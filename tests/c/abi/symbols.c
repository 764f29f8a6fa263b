/*
 * Every function of the ABI exists as MPI_X (weak) and as PMPI_X (strong), with nothing else of the library's
 * own in sight. The library's dynamic symbols are read from its file, which dladdr finds.
 */
#define _GNU_SOURCE
#include "check.h"
#include "function_names.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FUNCTIONS = sizeof function_names / sizeof function_names[0] };

static const char *image;
static const Elf64_Sym *symbols;
static size_t symbol_count;
static const char *strings;

static void map_library(void)
{
    Dl_info info;
    struct stat s;
    int found = dladdr((void *)(uintptr_t)dlsym(RTLD_DEFAULT, "PMPI_Init"), &info);
    CHECK(found);
    int fd = found ? open(info.dli_fname, O_RDONLY) : -1;
    CHECK_MSG(fd >= 0 && fstat(fd, &s) == 0, "cannot open %s", info.dli_fname);
    image = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (image == MAP_FAILED)
        check_give_up();
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_DYNSYM) {
            symbols = (const Elf64_Sym *)(image + sections[i].sh_offset);
            symbol_count = sections[i].sh_size / sizeof *symbols;
            strings = image + sections[sections[i].sh_link].sh_offset;
        }
    CHECK(symbols != NULL);
}

static const Elf64_Sym *find(const char *name)
{
    for (size_t i = 0; i < symbol_count; i++)
        if (symbols[i].st_shndx != SHN_UNDEF && strcmp(strings + symbols[i].st_name, name) == 0)
            return &symbols[i];
    return NULL;
}

int main(void)
{
    map_library();
    if (symbols == NULL)
        return check_result();
    for (int i = 0; i < FUNCTIONS; i++) {
        char strong[128];
        snprintf(strong, sizeof strong, "P%s", function_names[i]);
        const Elf64_Sym *w = find(function_names[i]), *s = find(strong);
        CHECK_MSG(w != NULL, "%s is missing", function_names[i]);
        CHECK_MSG(s != NULL, "%s is missing", strong);
        if (w == NULL || s == NULL)
            continue;
        CHECK_MSG(ELF64_ST_BIND(w->st_info) == STB_WEAK, "%s is not weak", function_names[i]);
        CHECK_MSG(ELF64_ST_BIND(s->st_info) == STB_GLOBAL, "%s is not strong", strong);
        CHECK_MSG(w->st_value == s->st_value, "%s and %s are two functions", function_names[i], strong);
    }
    for (size_t i = 0; i < symbol_count; i++) {
        const char *name = strings + symbols[i].st_name;
        if (symbols[i].st_shndx == SHN_UNDEF || name[0] == '\0' ||
            ELF64_ST_TYPE(symbols[i].st_info) == STT_SECTION || symbols[i].st_shndx == SHN_ABS)
            continue;
        CHECK_MSG(strncmp(name, "MPI_", 4) == 0 || strncmp(name, "PMPI_", 5) == 0 || strncmp(name, "MPIX_", 5) == 0 ||
                      strncmp(name, "PMPIX_", 6) == 0 ||
                      strcmp(name, "gompi_with_callers") == 0 || /* for libmpifort_abi */
                      strcmp(name, "gompi_follow") == 0 || strcmp(name, "gompi_lay_out") == 0 ||
                      strcmp(name, "gompi_call_places") == 0, /* for libgompi-trace */
                  "%s is visible", name);
    }
    return check_result();
}
