/* Copies, and those that notice addresses without memory: a fault between two labels continues at the one
 * behind them. These are in assembly because no instruction but the ones here may be the faulting one, and
 * because the stack and the registers of the caller have to be as they were. */
#define _GNU_SOURCE
#include <ucontext.h>

#include "copy.h"

extern const char gompi_try_copy_end[] __attribute__((visibility("hidden")));
extern const char gompi_try_call_end[] __attribute__((visibility("hidden")));

/* The stack of a call that may meet addresses without memory, below what has to be restored then; 0 when the
 * thread is in none. */
static __thread uintptr_t trying __attribute__((tls_model("initial-exec")));

/* gompi_try where the stack is to be noted. */
int gompi_try_call(void (*f)(void *), void *argument, uintptr_t *stack) __attribute__((visibility("hidden")));

#if defined(__x86_64__)
/* Whether this processor has vectors of 32 bytes. Before it is known there are none. */
unsigned char gompi_wide_vectors __attribute__((visibility("hidden")));

__attribute__((constructor)) static void find_wide_vectors(void)
{
	__builtin_cpu_init();
	gompi_wide_vectors = __builtin_cpu_supports("avx") != 0;
}

/* Two overlapping moves copy what is between one and two of them long, and three bytes at most go by one
 * each. All of a part is loaded before any of it is stored. From 256 bytes on vectors of 32 bytes are used:
 * the first 64 bytes and the last 128 are copied whatever their alignment is, and stores in between do not
 * cross cache lines. String moves are not used: see shm/copy_unsafe.go. */
/* A line of assembly is a line here. */
/* clang-format off */
#define COPY(name) \
	".text\n" \
	".p2align 5\n" \
	".hidden " name ", " name "_end\n" \
	".globl " name ", " name "_end\n" \
	".type " name ", @function\n" \
	name ":\n" \
	"	cmp $16, %rdx\n" \
	"	jae 3f\n" \
	"	cmp $8, %edx\n" \
	"	jae 2f\n" \
	"	cmp $4, %edx\n" \
	"	jae 1f\n" \
	"	test %edx, %edx\n" \
	"	jz 9f\n" \
	"	mov %edx, %ecx\n" \
	"	shr %ecx\n" \
	"	movzbl (%rsi), %eax\n" \
	"	movzbl (%rsi,%rcx), %r8d\n" \
	"	movzbl -1(%rsi,%rdx), %r9d\n" \
	"	mov %al, (%rdi)\n" \
	"	mov %r8b, (%rdi,%rcx)\n" \
	"	mov %r9b, -1(%rdi,%rdx)\n" \
	"	jmp 9f\n" \
	"1:	mov (%rsi), %eax\n" \
	"	mov -4(%rsi,%rdx), %ecx\n" \
	"	mov %eax, (%rdi)\n" \
	"	mov %ecx, -4(%rdi,%rdx)\n" \
	"	jmp 9f\n" \
	"2:	mov (%rsi), %rax\n" \
	"	mov -8(%rsi,%rdx), %rcx\n" \
	"	mov %rax, (%rdi)\n" \
	"	mov %rcx, -8(%rdi,%rdx)\n" \
	"	jmp 9f\n" \
	"3:	cmp $256, %rdx\n" \
	"	jae 5f\n" \
	"8:	xor %eax, %eax\n" \
	"	lea -16(%rdx), %rcx\n" \
	"	movdqu (%rsi,%rcx), %xmm1\n" \
	"4:	movdqu (%rsi,%rax), %xmm0\n" \
	"	movdqu %xmm0, (%rdi,%rax)\n" \
	"	add $16, %rax\n" \
	"	cmp %rcx, %rax\n" \
	"	jb 4b\n" \
	"	movdqu %xmm1, (%rdi,%rcx)\n" \
	"	jmp 9f\n" \
	"5:	cmpb $0, gompi_wide_vectors(%rip)\n" \
	"	je 8b\n" \
	"	lea (%rdi,%rdx), %r8\n" \
	"	lea (%rsi,%rdx), %r9\n" \
	"	vmovdqu (%rsi), %ymm0\n" \
	"	vmovdqu 32(%rsi), %ymm1\n" \
	"	vmovdqu %ymm0, (%rdi)\n" \
	"	vmovdqu %ymm1, 32(%rdi)\n" \
	"	mov %rdi, %rax\n" \
	"	neg %rax\n" \
	"	and $63, %eax\n" \
	"	add %rax, %rdi\n" \
	"	add %rax, %rsi\n" \
	"	sub %rax, %rdx\n" \
	"	sub $128, %rdx\n" \
	"6:	vmovdqu (%rsi), %ymm0\n" \
	"	vmovdqu 32(%rsi), %ymm1\n" \
	"	vmovdqu 64(%rsi), %ymm2\n" \
	"	vmovdqu 96(%rsi), %ymm3\n" \
	"	vmovdqa %ymm0, (%rdi)\n" \
	"	vmovdqa %ymm1, 32(%rdi)\n" \
	"	vmovdqa %ymm2, 64(%rdi)\n" \
	"	vmovdqa %ymm3, 96(%rdi)\n" \
	"	add $128, %rsi\n" \
	"	add $128, %rdi\n" \
	"	sub $128, %rdx\n" \
	"	ja 6b\n" \
	"	vmovdqu -128(%r9), %ymm0\n" \
	"	vmovdqu -96(%r9), %ymm1\n" \
	"	vmovdqu -64(%r9), %ymm2\n" \
	"	vmovdqu -32(%r9), %ymm3\n" \
	"	vmovdqu %ymm0, -128(%r8)\n" \
	"	vmovdqu %ymm1, -96(%r8)\n" \
	"	vmovdqu %ymm2, -64(%r8)\n" \
	"	vmovdqu %ymm3, -32(%r8)\n" \
	"	vzeroupper\n" \
	"9:	mov $1, %eax\n" \
	"	ret\n" \
	name "_end:\n" \
	"	xor %eax, %eax\n" \
	"	ret\n" \
	".size " name ", . - " name "\n"
__asm__(COPY("gompi_copy"));
__asm__(COPY("gompi_try_copy"));

/* The registers that a function keeps stand on the stack, and above them where the stack is noted. */
__asm__(".text\n"
	".p2align 5\n"
	".hidden gompi_try_call, gompi_try_call_end\n"
	".globl gompi_try_call, gompi_try_call_end\n"
	".type gompi_try_call, @function\n"
	"gompi_try_call:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	push %rdx\n"
	"	mov %rsp, (%rdx)\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	call *%rax\n"
	"	mov $1, %eax\n"
	"	jmp 1f\n"
	"gompi_try_call_end:\n"
	"	xor %eax, %eax\n"
	"1:	pop %rdx\n"
	"	movq $0, (%rdx)\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size gompi_try_call, . - gompi_try_call\n");

uintptr_t *gompi_counter(void *context)
{
	return (uintptr_t *)&((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static void set_stack(void *context, uintptr_t to)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP] = (greg_t)to;
}
#elif defined(__aarch64__)
__asm__(".text\n"
	".p2align 5\n"
	".hidden gompi_try_copy, gompi_try_copy_end\n"
	".globl gompi_try_copy, gompi_try_copy_end\n"
	".type gompi_try_copy, %function\n"
	"gompi_try_copy:\n"
	"	subs x3, x2, #16\n"
	"	b.lo 2f\n"
	"	mov x4, #0\n"
	"	ldr q1, [x1, x3]\n"
	"1:	ldr q0, [x1, x4]\n"
	"	str q0, [x0, x4]\n"
	"	add x4, x4, #16\n"
	"	cmp x4, x3\n"
	"	b.lo 1b\n"
	"	str q1, [x0, x3]\n"
	"	b 9f\n"
	"2:	cbz x2, 9f\n"
	"	sub x2, x2, #1\n"
	"	ldrb w3, [x1, x2]\n"
	"	strb w3, [x0, x2]\n"
	"	b 2b\n"
	"9:	mov w0, #1\n"
	"	ret\n"
	"gompi_try_copy_end:\n"
	"	mov w0, #0\n"
	"	ret\n"
	".size gompi_try_copy, . - gompi_try_copy\n");
__asm__(".text\n"
	".p2align 5\n"
	".hidden gompi_try_call, gompi_try_call_end\n"
	".globl gompi_try_call, gompi_try_call_end\n"
	".type gompi_try_call, %function\n"
	"gompi_try_call:\n"
	"	stp x29, x30, [sp, #-176]!\n"
	"	stp x19, x20, [sp, #16]\n"
	"	stp x21, x22, [sp, #32]\n"
	"	stp x23, x24, [sp, #48]\n"
	"	stp x25, x26, [sp, #64]\n"
	"	stp x27, x28, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	str x2, [sp, #160]\n"
	"	mov x3, sp\n"
	"	str x3, [x2]\n"
	"	mov x3, x0\n"
	"	mov x0, x1\n"
	"	blr x3\n"
	"	mov w0, #1\n"
	"	b 1f\n"
	"gompi_try_call_end:\n"
	"	mov w0, #0\n"
	"1:	ldr x2, [sp, #160]\n"
	"	str xzr, [x2]\n"
	"	ldp x19, x20, [sp, #16]\n"
	"	ldp x21, x22, [sp, #32]\n"
	"	ldp x23, x24, [sp, #48]\n"
	"	ldp x25, x26, [sp, #64]\n"
	"	ldp x27, x28, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	ldp x29, x30, [sp], #176\n"
	"	ret\n"
	".size gompi_try_call, . - gompi_try_call\n");
/* clang-format on */

uintptr_t *gompi_counter(void *context)
{
	return (uintptr_t *)&((ucontext_t *)context)->uc_mcontext.pc;
}

static void set_stack(void *context, uintptr_t to)
{
	((ucontext_t *)context)->uc_mcontext.sp = to;
}
#endif

int gompi_try(void (*f)(void *), void *argument)
{
	return gompi_try_call(f, argument, &trying);
}

int gompi_try_faulted(void *context)
{
	uintptr_t *at = gompi_counter(context);

	if (*at - (uintptr_t)gompi_try_copy < (uintptr_t)gompi_try_copy_end - (uintptr_t)gompi_try_copy) {
		*at = (uintptr_t)gompi_try_copy_end;
		return 1;
	}
	if (trying == 0)
		return 0;
	set_stack(context, trying);
	*at = (uintptr_t)gompi_try_call_end;
	return 1;
}
