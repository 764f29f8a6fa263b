/* Runs a command to which the kernel refuses copies between processes, as
 * docker's filter of system calls does: process_vm_readv and process_vm_writev
 * fail with EPERM, and so does ptrace. With the first argument "odd" only ranks
 * with an odd PMI_RANK are refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_readv, 3, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_writev, 2, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ptrace, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
	int odd = strcmp(argv[1], "odd") == 0;
	const char *rank = getenv("PMI_RANK");
	if (!odd || (rank != NULL && atoi(rank) % 2 == 1)) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
			perror("refuse");
			return 77;
		}
		char byte = 0;
		struct iovec at = {&byte, 1};
		if (process_vm_readv(getpid(), &at, 1, &at, 1, 0) != -1 || errno != EPERM)
			return 76;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
