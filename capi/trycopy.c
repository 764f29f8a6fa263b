/* Copies that notice addresses without memory: a fault between two labels continues at the one behind them.
 * These are in assembly because no instruction but the ones here may be the faulting one, and because the
 * stack and the registers of the caller have to be as they were. */
#define _GNU_SOURCE
#include <ucontext.h>

#include "trycopy.h"

extern const char gompi_try_copy_end[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)
/* Two overlapping moves copy what is between one and two of them long, and three bytes at most go by one
 * each. All of a part is loaded before any of it is stored. */
__asm__(".text\n"
	".p2align 5\n"
	".hidden gompi_try_copy, gompi_try_copy_end\n"
	".globl gompi_try_copy, gompi_try_copy_end\n"
	".type gompi_try_copy, @function\n"
	"gompi_try_copy:\n"
	"	cmp $16, %rdx\n"
	"	jae 3f\n"
	"	cmp $8, %edx\n"
	"	jae 2f\n"
	"	cmp $4, %edx\n"
	"	jae 1f\n"
	"	test %edx, %edx\n"
	"	jz 9f\n"
	"	mov %edx, %ecx\n"
	"	shr %ecx\n"
	"	movzbl (%rsi), %eax\n"
	"	movzbl (%rsi,%rcx), %r8d\n"
	"	movzbl -1(%rsi,%rdx), %r9d\n"
	"	mov %al, (%rdi)\n"
	"	mov %r8b, (%rdi,%rcx)\n"
	"	mov %r9b, -1(%rdi,%rdx)\n"
	"	jmp 9f\n"
	"1:	mov (%rsi), %eax\n"
	"	mov -4(%rsi,%rdx), %ecx\n"
	"	mov %eax, (%rdi)\n"
	"	mov %ecx, -4(%rdi,%rdx)\n"
	"	jmp 9f\n"
	"2:	mov (%rsi), %rax\n"
	"	mov -8(%rsi,%rdx), %rcx\n"
	"	mov %rax, (%rdi)\n"
	"	mov %rcx, -8(%rdi,%rdx)\n"
	"	jmp 9f\n"
	"3:	cmp $512, %rdx\n"
	"	jae 5f\n"
	"	xor %eax, %eax\n"
	"	lea -16(%rdx), %rcx\n"
	"	movdqu (%rsi,%rcx), %xmm1\n"
	"4:	movdqu (%rsi,%rax), %xmm0\n"
	"	movdqu %xmm0, (%rdi,%rax)\n"
	"	add $16, %rax\n"
	"	cmp %rcx, %rax\n"
	"	jb 4b\n"
	"	movdqu %xmm1, (%rdi,%rcx)\n"
	"	jmp 9f\n"
	"5:	mov %rdx, %rcx\n"
	"	rep movsb\n"
	"9:	mov $1, %eax\n"
	"	ret\n"
	"gompi_try_copy_end:\n"
	"	xor %eax, %eax\n"
	"	ret\n"
	".size gompi_try_copy, . - gompi_try_copy\n");

uintptr_t *gompi_counter(void *context)
{
	return (uintptr_t *)&((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
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

uintptr_t *gompi_counter(void *context) { return (uintptr_t *)&((ucontext_t *)context)->uc_mcontext.pc; }
#endif

int gompi_try_copy_faulted(void *context)
{
	uintptr_t *at = gompi_counter(context);

	if (*at - (uintptr_t)gompi_try_copy >= (uintptr_t)gompi_try_copy_end - (uintptr_t)gompi_try_copy)
		return 0;
	*at = (uintptr_t)gompi_try_copy_end;
	return 1;
}
