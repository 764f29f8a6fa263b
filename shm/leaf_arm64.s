#include "textflag.h"

// func StoreRel32(p *uint32, v uint32)
TEXT ·StoreRel32(SB), NOSPLIT, $0-12
	MOVD p+0(FP), R0
	MOVW v+8(FP), R1
	STLRW R1, (R0)
	RET

// func StoreRel64(p *uint64, v uint64)
TEXT ·StoreRel64(SB), NOSPLIT, $0-16
	MOVD p+0(FP), R0
	MOVD v+8(FP), R1
	STLR R1, (R0)
	RET

// func Pause(n uint32)
TEXT ·Pause(SB), NOSPLIT, $0-4
	MOVWU n+0(FP), R0
again:
	YIELD
	SUBSW $1, R0
	BNE again
	RET

// func Fence()
TEXT ·Fence(SB), NOSPLIT, $0-0
	DMB $0xb // ISH
	RET
