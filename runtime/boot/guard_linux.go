package boot

import (
	"os"
	"syscall"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// Ranks of other nodes hear of a death by the launcher alone, and Slurm's may keep quiet about it. Where a
// rank dies with nobody left on its node who would tell the launcher, as one does that is alone there, a
// guard does: a shell that the first rank of each node starts. It waits for the end of a pipe that this rank
// holds. When that comes without a word, the rank has died, and the shell cancels the step.

// guardScript is what the guard does. Descriptor 3 is the pipe, its argument Slurm's name of the step. It
// keeps none of the rank's streams: Slurm would wait for it. Slurm itself tells the user of the task and its
// node.
const guardScript = `{
read -r word <&3 || exec scancel "$1"
} &`

// guard starts the guard of this node. Without one a job is as safe as its launcher makes it, so no error
// ends it.
func (j *Job) guard(env environ) {
	if j.NodeRank != 0 || j.OnOneNode() || !slurmStep(env) {
		return
	}
	var pipe [2]int
	if unix.Pipe2(pipe[:], unix.O_CLOEXEC) != nil {
		return
	}
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		unix.Close(pipe[0])
		unix.Close(pipe[1])
		return
	}
	files := []uintptr{uintptr(null), uintptr(null), uintptr(null), uintptr(pipe[0])}
	argv := []string{"sh", "-c", guardScript, "gompi-guard", stepName(env)}
	pid, err := syscall.ForkExec("/bin/sh", argv, &syscall.ProcAttr{Env: os.Environ(), Files: files})
	unix.Close(null)
	unix.Close(pipe[0])
	if err != nil {
		unix.Close(pipe[1])
		return
	}
	// The guard is no child of this process, whose program may wait for children of its own.
	for {
		if _, err := unix.Wait4(pid, nil, 0, nil); err != unix.EINTR {
			break
		}
	}
	j.guarded = shm.MoveUp(pipe[1])
}

// dismissGuard tells the guard of this node that the rank has left MPI, or ends the job itself.
func (j *Job) dismissGuard() {
	if j.guarded > 0 {
		_, _ = unix.Write(j.guarded, []byte("left\n")) // one that is gone needs no telling
		unix.Close(j.guarded)
		j.guarded = 0
	}
}
