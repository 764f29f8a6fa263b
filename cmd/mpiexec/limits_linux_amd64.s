#include "textflag.h"

#define SYS_write 1
#define SYS_exit 60
#define SYS_clone 56
#define SYS_futex 202
#define SYS_exit_group 231
#define SYS_prlimit64 302
#define FUTEX_WAIT 0
#define FUTEX_WAKE 1
// CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM|
// CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID
#define CLONE_FLAGS 0x350f00

// func look() The kernel jumps here with the arguments of the program on the stack, which the runtime finds
// as they were. A thread that is tried uses no stack: it sleeps until all have been started, and ends. Below
// the stack's pointer stand:   -32 the limit   -64 whether the threads may end   -128.. the number of each
// thread, there when clone returns and cleared by the kernel at the thread's end
TEXT ·look(SB),NOSPLIT|NOFRAME,$0
	LEAQ	·needs(SB), R12
next:
	MOVQ	32(R12), R13 // length of the text
	TESTQ	R13, R13
	JZ	threads
	XORL	DI, DI
	MOVQ	0(R12), SI
	XORL	DX, DX
	LEAQ	-32(SP), R10
	MOVL	$SYS_prlimit64, AX
	SYSCALL
	TESTQ	AX, AX
	JNZ	fine
	MOVQ	-32(SP), AX
	CMPQ	AX, 8(R12)
	JCS	fine
	CMPQ	AX, 16(R12)
	JCS	refuse
fine:
	ADDQ	$40, R12
	JMP	next
refuse:
	MOVQ	24(R12), SI
	JMP	say
threads:
	MOVL	$0, -64(SP)
	XORL	R13, R13 // threads started
	XORL	R14, R14 // one was not
start:
	CMPQ	R13, ·threads(SB)
	JCC	started
	MOVL	$CLONE_FLAGS, DI
	XORL	SI, SI
	LEAQ	-128(SP), R10
	LEAQ	(R13*4), AX
	SUBQ	AX, R10
	MOVQ	R10, DX
	XORL	R8, R8
	MOVL	$SYS_clone, AX
	SYSCALL
	TESTQ	AX, AX
	JZ	thread
	JMI	failed
	INCQ	R13
	JMP	start
failed:
	MOVL	$1, R14
started:
	MOVL	$1, -64(SP)
	LEAQ	-64(SP), DI
	MOVL	$FUTEX_WAKE, SI
	MOVL	$1000, DX
	XORL	R10, R10
	MOVL	$SYS_futex, AX
	SYSCALL
join: // R13 threads are to be waited for
	TESTQ	R13, R13
	JZ	joined
	DECQ	R13
again:
	LEAQ	-128(SP), DI
	LEAQ	(R13*4), AX
	SUBQ	AX, DI
	MOVL	(DI), DX
	TESTL	DX, DX
	JZ	join
	MOVL	$FUTEX_WAIT, SI
	XORL	R10, R10
	MOVL	$SYS_futex, AX
	SYSCALL
	JMP	again
joined:
	TESTQ	R14, R14
	JZ	run
	LEAQ	·noThreads(SB), R12
	MOVQ	0(R12), SI
	MOVQ	8(R12), R13
say: // R13 bytes at SI, and the end
	MOVL	$2, DI
	MOVQ	R13, DX
	MOVL	$SYS_write, AX
	SYSCALL
	MOVL	$1, DI
	MOVL	$SYS_exit_group, AX
	SYSCALL
	INT	$3
thread:
	MOVL	-64(SP), AX
	TESTL	AX, AX
	JNZ	end
	LEAQ	-64(SP), DI
	MOVL	$FUTEX_WAIT, SI
	XORL	DX, DX
	XORL	R10, R10
	MOVL	$SYS_futex, AX
	SYSCALL
	JMP	thread
end:
	XORL	DI, DI
	MOVL	$SYS_exit, AX
	SYSCALL
	INT	$3
run:
	JMP	_rt0_amd64_linux(SB)
