#include "textflag.h"

// func Call(f, argument unsafe.Pointer) int32
TEXT ·Call(SB), NOSPLIT, $0-20
	JMP runtime·asmcgocall(SB)
