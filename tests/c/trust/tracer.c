// A rank lets its launcher and what descends from it read its memory, and nobody else; with single copy off
// it lets nobody. A filter of system calls kills the process if it names another one.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define ARGUMENT(i) (offsetof(struct seccomp_data, args[i]))

static void allow_tracer(uint32_t pid)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PTRACER, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(1)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, pid, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};

        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
            exit(CHECK_SKIP);
}

int main(int argc, char **argv)
{
	enum { SIZE = 1 << 20 };
	static char buf[SIZE];

	allow_tracer(argc > 1 ? 0 : (uint32_t)getppid());
	check_init(&argc, &argv);
	if (me == 0) {
		check_fill(buf, SIZE, 1);
		CHECK_MPI(MPI_Send(buf, SIZE, MPI_CHAR, 1, 0, MPI_COMM_WORLD));
	} else if (me == 1) {
		CHECK_MPI(MPI_Recv(buf, SIZE, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		CHECK_DATA(buf, SIZE, 1);
	}
	return check_finish();
}
