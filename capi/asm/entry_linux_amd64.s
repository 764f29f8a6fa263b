//go:build shared_library

#include "textflag.h"

// gompi_entry is the library's constructor in the place of Go's (the linker's flag -E). It has the
// arguments of a constructor in C, argc, argv and envp, and hands them to gompi_start (capi/start.c), with
// Go's constructor and the runtime's table of signals.
TEXT gompi_entry(SB), NOSPLIT|NOFRAME, $0
	LEAQ _rt0_amd64_linux_lib(SB), CX
	LEAQ runtime·sigtable(SB), R8
	JMP  gompi_start(SB)
