#include "textflag.h"

// func StoreRel32(p *uint32, v uint32)
//
// On amd64 every store has release order; sync/atomic's XCHG would also drain the store buffer.
TEXT ·StoreRel32(SB), NOSPLIT, $0-12
	MOVQ p+0(FP), AX
	MOVL v+8(FP), BX
	MOVL BX, (AX)
	RET

// func StoreRel64(p *uint64, v uint64)
TEXT ·StoreRel64(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ v+8(FP), BX
	MOVQ BX, (AX)
	RET

// func Pause(n uint32)
TEXT ·Pause(SB), NOSPLIT, $0-4
	MOVL n+0(FP), AX
again:
	PAUSE
	SUBL $1, AX
	JNZ  again
	RET

// func Fence()
//
// A locked instruction on a line that is in the cache is a full fence and quicker than MFENCE.
TEXT ·Fence(SB), NOSPLIT, $8-0
	LOCK
	ADDL $0, 0(SP)
	RET
