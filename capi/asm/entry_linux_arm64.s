//go:build shared_library

#include "textflag.h"

// gompi_entry: see entry_linux_amd64.s.
TEXT gompi_entry(SB), NOSPLIT|NOFRAME, $0
	MOVD $_rt0_arm64_linux_lib(SB), R3
	MOVD $runtime·sigtable(SB), R4
	JMP  gompi_start(SB)
