#include "textflag.h"

// func moveString(dst, src uintptr, n int64)
TEXT ·moveString(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	REP; MOVSB
	RET

// func moveVector(dst, src uintptr, n int64)
//
// The first 64 bytes and the last 128 are copied whatever their alignment is; in between, stores do not cross
// cache lines.
TEXT ·moveVector(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	LEAQ (DI)(CX*1), R8
	LEAQ (SI)(CX*1), R9
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	MOVQ DI, AX
	NEGQ AX
	ANDQ $63, AX
	ADDQ AX, DI
	ADDQ AX, SI
	SUBQ AX, CX
	SUBQ $128, CX
four:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VMOVDQA Y0, (DI)
	VMOVDQA Y1, 32(DI)
	VMOVDQA Y2, 64(DI)
	VMOVDQA Y3, 96(DI)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $128, CX
	JA   four
	VMOVDQU -128(R9), Y0
	VMOVDQU -96(R9), Y1
	VMOVDQU -64(R9), Y2
	VMOVDQU -32(R9), Y3
	VMOVDQU Y0, -128(R8)
	VMOVDQU Y1, -96(R8)
	VMOVDQU Y2, -64(R8)
	VMOVDQU Y3, -32(R8)
	VZEROUPPER
	RET
