//go:build !race && !purego

#include "textflag.h"

// The inner loops of packing, with loads and stores of up to 16 bytes, which every amd64 processor has. The
// end of a run whose size is no multiple is moved by a load and store that overlap those before it. Nothing
// is read or written beside the runs.

// func copyRuns(to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, size, n int64)
//
// Moves n > 0 runs of size > 0 bytes.
TEXT ·copyRuns(SB), NOSPLIT, $0-48
	MOVQ to+0(FP), DI
	MOVQ toStride+8(FP), R8
	MOVQ from+16(FP), SI
	MOVQ fromStride+24(FP), R9
	MOVQ size+32(FP), CX
	MOVQ n+40(FP), DX
	CMPQ CX, $8
	JEQ  eight
	CMPQ CX, $16
	JB   short
	CMPQ CX, $32
	JBE  two
	CMPQ CX, $64
	JBE  four
	JMP  long

	// Up to 15 bytes, but not 8: the first 8, 4, 2 or 1 and the last.
short:
	CMPQ CX, $8
	JA   shortEight
	CMPQ CX, $4
	JAE  shortFour
	CMPQ CX, $2
	JAE  shortTwo

bytes:
	MOVBLZX (SI), AX
	MOVB    AX, (DI)
	ADDQ    R9, SI
	ADDQ    R8, DI
	DECQ    DX
	JNZ     bytes
	RET

shortTwo:
	SUBQ $2, CX

twoBytes:
	MOVWLZX (SI), AX
	MOVWLZX (SI)(CX*1), BX
	MOVW    AX, (DI)
	MOVW    BX, (DI)(CX*1)
	ADDQ    R9, SI
	ADDQ    R8, DI
	DECQ    DX
	JNZ     twoBytes
	RET

shortFour:
	SUBQ $4, CX
	JEQ  fourBytes

fourAndMore:
	MOVL (SI), AX
	MOVL (SI)(CX*1), BX
	MOVL AX, (DI)
	MOVL BX, (DI)(CX*1)
	ADDQ R9, SI
	ADDQ R8, DI
	DECQ DX
	JNZ  fourAndMore
	RET

fourBytes:
	MOVL (SI), AX
	MOVL AX, (DI)
	ADDQ R9, SI
	ADDQ R8, DI
	DECQ DX
	JNZ  fourBytes
	RET

shortEight:
	SUBQ $8, CX

eightAndMore:
	MOVQ (SI), AX
	MOVQ (SI)(CX*1), BX
	MOVQ AX, (DI)
	MOVQ BX, (DI)(CX*1)
	ADDQ R9, SI
	ADDQ R8, DI
	DECQ DX
	JNZ  eightAndMore
	RET

eight:
	CMPQ DX, $4
	JB   eightRest
	CMPQ R8, $8
	JEQ  eightPack
	LEAQ (R9)(R9*2), R10
	LEAQ (R8)(R8*2), R11

eights:
	MOVQ (SI), AX
	MOVQ (SI)(R9*1), BX
	MOVQ (SI)(R9*2), R12
	MOVQ (SI)(R10*1), R13
	MOVQ AX, (DI)
	MOVQ BX, (DI)(R8*1)
	MOVQ R12, (DI)(R8*2)
	MOVQ R13, (DI)(R11*1)
	LEAQ (SI)(R9*4), SI
	LEAQ (DI)(R8*4), DI
	SUBQ $4, DX
	CMPQ DX, $4
	JAE  eights

eightRest:
	TESTQ DX, DX
	JEQ   done

eightOne:
	MOVQ (SI), AX
	MOVQ AX, (DI)
	ADDQ R9, SI
	ADDQ R8, DI
	DECQ DX
	JNZ  eightOne

done:
	RET

	// Into a row: two by two.
eightPack:
	LEAQ (R9)(R9*2), R10

eightsPack:
	MOVQ   (SI), X0
	MOVHPS (SI)(R9*1), X0
	MOVQ   (SI)(R9*2), X1
	MOVHPS (SI)(R10*1), X1
	MOVUPS X0, (DI)
	MOVUPS X1, 16(DI)
	LEAQ   (SI)(R9*4), SI
	ADDQ   $32, DI
	SUBQ   $4, DX
	CMPQ   DX, $4
	JAE    eightsPack
	JMP    eightRest

	// 16 to 32 bytes: the first 16 and the last 16.
two:
	SUBQ $16, CX
	JEQ  one

twos:
	MOVUPS (SI), X0
	MOVUPS (SI)(CX*1), X1
	MOVUPS X0, (DI)
	MOVUPS X1, (DI)(CX*1)
	ADDQ   R9, SI
	ADDQ   R8, DI
	DECQ   DX
	JNZ    twos
	RET

	// 16 bytes.
one:
	CMPQ DX, $4
	JB   oneRest
	LEAQ (R9)(R9*2), R10
	LEAQ (R8)(R8*2), R11

ones:
	MOVUPS (SI), X0
	MOVUPS (SI)(R9*1), X1
	MOVUPS (SI)(R9*2), X2
	MOVUPS (SI)(R10*1), X3
	MOVUPS X0, (DI)
	MOVUPS X1, (DI)(R8*1)
	MOVUPS X2, (DI)(R8*2)
	MOVUPS X3, (DI)(R11*1)
	LEAQ   (SI)(R9*4), SI
	LEAQ   (DI)(R8*4), DI
	SUBQ   $4, DX
	CMPQ   DX, $4
	JAE    ones

oneRest:
	TESTQ DX, DX
	JEQ   done

oneMore:
	MOVUPS (SI), X0
	MOVUPS X0, (DI)
	ADDQ   R9, SI
	ADDQ   R8, DI
	DECQ   DX
	JNZ    oneMore
	RET

	// 33 to 64 bytes: the first 32 and the last 32.
four:
	SUBQ $32, CX

fours:
	MOVUPS (SI), X0
	MOVUPS 16(SI), X1
	MOVUPS (SI)(CX*1), X2
	MOVUPS 16(SI)(CX*1), X3
	MOVUPS X0, (DI)
	MOVUPS X1, 16(DI)
	MOVUPS X2, (DI)(CX*1)
	MOVUPS X3, 16(DI)(CX*1)
	ADDQ   R9, SI
	ADDQ   R8, DI
	DECQ   DX
	JNZ    fours
	RET

	// More: 64 at a time, and the last 64.
long:
	SUBQ $64, CX

longRun:
	XORQ AX, AX

longTurn:
	MOVUPS (SI)(AX*1), X0
	MOVUPS 16(SI)(AX*1), X1
	MOVUPS 32(SI)(AX*1), X2
	MOVUPS 48(SI)(AX*1), X3
	MOVUPS X0, (DI)(AX*1)
	MOVUPS X1, 16(DI)(AX*1)
	MOVUPS X2, 32(DI)(AX*1)
	MOVUPS X3, 48(DI)(AX*1)
	ADDQ   $64, AX
	CMPQ   AX, CX
	JB     longTurn
	MOVUPS (SI)(CX*1), X0
	MOVUPS 16(SI)(CX*1), X1
	MOVUPS 32(SI)(CX*1), X2
	MOVUPS 48(SI)(CX*1), X3
	MOVUPS X0, (DI)(CX*1)
	MOVUPS X1, 16(DI)(CX*1)
	MOVUPS X2, 32(DI)(CX*1)
	MOVUPS X3, 48(DI)(CX*1)
	ADDQ   R9, SI
	ADDQ   R8, DI
	DECQ   DX
	JNZ    longRun
	RET

// func copyListed(stream, base, list unsafe.Pointer, n, begin int64, out bool)
//
// Moves the n > 0 listed runs, the first of which begins at byte begin of the step's stream,
// to the stream if out is true, else from it.
TEXT ·copyListed(SB), NOSPLIT, $0-41
	MOVQ    stream+0(FP), R8
	MOVQ    base+8(FP), R9
	MOVQ    list+16(FP), R10
	MOVQ    n+24(FP), DX
	MOVQ    begin+32(FP), R11
	MOVBLZX out+40(FP), R13
	SUBQ    R11, R8            // the stream's byte 0
	TESTL   R13, R13
	JEQ     in

#define LISTED(next, to, from, small, tiny, bytes, byte, medium, big, turn, done) \
next: \
	MOVQ   (R10), SI                                    \
	MOVQ   8(R10), CX                                   \
	ADDQ   R9, SI                                       \
	LEAQ   (R8)(R11*1), DI                              \
	MOVQ   CX, AX                                       \
	SUBQ   R11, CX                                      \
	MOVQ   AX, R11                                      \
	ADDQ   $16, R10                                     \
	CMPQ   CX, $16                                      \
	JBE    small                                        \
	CMPQ   CX, $32                                      \
	JA     big                                          \
medium:                                                     \
	MOVUPS (from), X0                                   \
	MOVUPS -16(from)(CX*1), X1                          \
	MOVUPS X0, (to)                                     \
	MOVUPS X1, -16(to)(CX*1)                            \
	DECQ   DX                                           \
	JNZ    next                                         \
	RET                                                 \
small:                                                      \
	CMPQ   CX, $8                                       \
	JB     tiny                                         \
	MOVQ   (from), AX                                   \
	MOVQ   -8(from)(CX*1), BX                           \
	MOVQ   AX, (to)                                     \
	MOVQ   BX, -8(to)(CX*1)                             \
	DECQ   DX                                           \
	JNZ    next                                         \
	RET                                                 \
tiny:                                                       \
	CMPQ   CX, $4                                       \
	JB     bytes                                        \
	MOVL   (from), AX                                   \
	MOVL   -4(from)(CX*1), BX                           \
	MOVL   AX, (to)                                     \
	MOVL   BX, -4(to)(CX*1)                             \
	DECQ   DX                                           \
	JNZ    next                                         \
	RET                                                 \
bytes:                                                      \
	XORQ   AX, AX                                       \
byte:                                                       \
	MOVBLZX (from)(AX*1), BX                            \
	MOVB   BX, (to)(AX*1)                               \
	INCQ   AX                                           \
	CMPQ   AX, CX                                       \
	JB     byte                                         \
	DECQ   DX                                           \
	JNZ    next                                         \
	RET                                                 \
big:                                                        \
	SUBQ   $32, CX                                      \
	XORQ   AX, AX                                       \
turn:                                                       \
	MOVUPS (from)(AX*1), X0                             \
	MOVUPS 16(from)(AX*1), X1                           \
	MOVUPS X0, (to)(AX*1)                               \
	MOVUPS X1, 16(to)(AX*1)                             \
	ADDQ   $32, AX                                      \
	CMPQ   AX, CX                                       \
	JB     turn                                         \
	MOVUPS (from)(CX*1), X0                             \
	MOVUPS 16(from)(CX*1), X1                           \
	MOVUPS X0, (to)(CX*1)                               \
	MOVUPS X1, 16(to)(CX*1)                             \
	DECQ   DX                                           \
	JNZ    next                                         \
done:                                                       \
	RET

LISTED(nextOut, DI, SI, smallOut, tinyOut, bytesOut, byteOut, mediumOut, bigOut, turnOut, doneOut)

in:
LISTED(nextIn, SI, DI, smallIn, tinyIn, bytesIn, byteIn, mediumIn, bigIn, turnIn, doneIn)

// func copyIndexed(stream, base, offs unsafe.Pointer, size, n int64, out bool)
//
// Moves n > 0 runs of size = 8 or 16 <= size <= 64 bytes at the displacements in offs.
TEXT ·copyIndexed(SB), NOSPLIT, $0-41
	MOVQ    stream+0(FP), DI
	MOVQ    base+8(FP), R9
	MOVQ    offs+16(FP), R10
	MOVQ    size+24(FP), CX
	MOVQ    n+32(FP), DX
	MOVBLZX out+40(FP), R13
	TESTL   R13, R13
	JEQ     placedIn
	CMPQ    CX, $8
	JEQ     eightOut
	CMPQ    CX, $32
	JBE     twoOut
	LEAQ    -32(CX), R12

fourOut:
	MOVQ   (R10), SI
	ADDQ   R9, SI
	MOVUPS (SI), X0
	MOVUPS 16(SI), X1
	MOVUPS (SI)(R12*1), X2
	MOVUPS 16(SI)(R12*1), X3
	MOVUPS X0, (DI)
	MOVUPS X1, 16(DI)
	MOVUPS X2, (DI)(R12*1)
	MOVUPS X3, 16(DI)(R12*1)
	ADDQ   CX, DI
	ADDQ   $8, R10
	DECQ   DX
	JNZ    fourOut
	RET

twoOut:
	LEAQ -16(CX), R12

twosOut:
	MOVQ   (R10), SI
	ADDQ   R9, SI
	MOVUPS (SI), X0
	MOVUPS (SI)(R12*1), X1
	MOVUPS X0, (DI)
	MOVUPS X1, (DI)(R12*1)
	ADDQ   CX, DI
	ADDQ   $8, R10
	DECQ   DX
	JNZ    twosOut
	RET

eightOut:
	MOVQ (R10), SI
	MOVQ (R9)(SI*1), AX
	MOVQ AX, (DI)
	ADDQ $8, DI
	ADDQ $8, R10
	DECQ DX
	JNZ  eightOut
	RET

placedIn:
	CMPQ CX, $8
	JEQ  eightIn
	CMPQ CX, $32
	JBE  twoIn
	LEAQ -32(CX), R12

fourIn:
	MOVQ   (R10), SI
	ADDQ   R9, SI
	MOVUPS (DI), X0
	MOVUPS 16(DI), X1
	MOVUPS (DI)(R12*1), X2
	MOVUPS 16(DI)(R12*1), X3
	MOVUPS X0, (SI)
	MOVUPS X1, 16(SI)
	MOVUPS X2, (SI)(R12*1)
	MOVUPS X3, 16(SI)(R12*1)
	ADDQ   CX, DI
	ADDQ   $8, R10
	DECQ   DX
	JNZ    fourIn
	RET

twoIn:
	LEAQ -16(CX), R12

twosIn:
	MOVQ   (R10), SI
	ADDQ   R9, SI
	MOVUPS (DI), X0
	MOVUPS (DI)(R12*1), X1
	MOVUPS X0, (SI)
	MOVUPS X1, (SI)(R12*1)
	ADDQ   CX, DI
	ADDQ   $8, R10
	DECQ   DX
	JNZ    twosIn
	RET

eightIn:
	MOVQ (R10), SI
	MOVQ (DI), AX
	MOVQ AX, (R9)(SI*1)
	ADDQ $8, DI
	ADDQ $8, R10
	DECQ DX
	JNZ  eightIn
	RET
