#include "textflag.h"

// func Call(f, argument unsafe.Pointer) int32
TEXT ·Call(SB), NOSPLIT|NOFRAME, $0-20
	B runtime·asmcgocall(SB)
