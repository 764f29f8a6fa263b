//go:build !purego

#include "textflag.h"

// A long double takes 16 bytes, of which FMOVX loads and FMOVXP stores ten. The x87 stack is empty on entry
// and on exit; the control word is the one that C programs start with: 64-bit significands, round to nearest.

// func addX87(out, in, inout uintptr, n int64)
TEXT ·addX87(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DX
	MOVQ in+8(FP), SI
	MOVQ inout+16(FP), DI
	MOVQ n+24(FP), CX
add:
	FMOVX (SI), F0
	FMOVX (DI), F0
	FADDDP F0, F1
	FMOVXP F0, (DX)
	ADDQ $16, DX
	ADDQ $16, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  add
	RET

// func mulX87(out, in, inout uintptr, n int64)
TEXT ·mulX87(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DX
	MOVQ in+8(FP), SI
	MOVQ inout+16(FP), DI
	MOVQ n+24(FP), CX
mul:
	FMOVX (SI), F0
	FMOVX (DI), F0
	FMULDP F0, F1
	FMOVXP F0, (DX)
	ADDQ $16, DX
	ADDQ $16, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  mul
	RET

// func mulComplexX87(a, b, product *[2]float80)
TEXT ·mulComplexX87(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DX
	MOVQ product+16(FP), DI
	FMOVX (SI), F0      // re a
	FMOVX (DX), F0      // re b
	FMULDP F0, F1
	FMOVX 16(SI), F0    // im a
	FMOVX 16(DX), F0    // im b
	FMULDP F0, F1
	FSUBDP F0, F1       // F1 - F0: the difference of the products
	FMOVXP F0, (DI)
	FMOVX (SI), F0
	FMOVX 16(DX), F0
	FMULDP F0, F1
	FMOVX 16(SI), F0
	FMOVX (DX), F0
	FMULDP F0, F1
	FADDDP F0, F1
	FMOVXP F0, 16(DI)
	RET
