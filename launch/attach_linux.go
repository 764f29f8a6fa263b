package launch

import (
	"fmt"
	"os"
	"strconv"
	"syscall"

	"gompi/launch/process"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// Attach serves a process that runs already, was started without a launcher, and wants to start programs. Its
// end of the PMI socket and its segment are open where a rank has them. The process is no child of ours: it
// is served, watched and told of failures, but neither waited for nor killed. Spec has one program of one
// rank: what new programs are like unless their request says otherwise.
//
// The first call, not yet detached, starts the program anew as a process that is no child of the caller's,
// and returns.
func Attach(spec *Spec, detached bool) int {
	if !detached {
		files := []uintptr{0, 1, 2, rankPMI, rankSegment}
		if _, err := syscall.ForkExec("/proc/self/exe", append(os.Args, "detached"),
			&syscall.ProcAttr{Env: os.Environ(), Files: files}); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", spec.Name, err)
			return process.ExitSetup
		}
		return 0
	}
	j, err := newJob(spec)
	if err == nil {
		err = j.adopt()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", spec.Name, err)
		return process.ExitSetup
	}
	return j.toEnd()
}

// adopt makes the world of the process that we serve.
func (j *job) adopt() error {
	unix.CloseOnExec(rankPMI)
	unix.SetNonblock(rankPMI, false)
	segment, err := shm.Open(rankSegment)
	if err != nil {
		return err
	}
	if err := shm.CheckJob(segment, 1); err != nil {
		return err
	}
	cred, err := unix.GetsockoptUcred(rankPMI, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return fmt.Errorf("descriptor %d is no socket of a rank: %w", rankPMI, err)
	}
	if int(cred.Uid) != os.Geteuid() {
		return fmt.Errorf("the process belongs to another user")
	}
	w := newWorld(0, j.spec.Apps, j.spec.UniverseSize)
	here := &node{segment: segment, size: 1}
	r := &rank{world: w, node: here, pid: int(cred.Pid), innerfd: -1, guest: true, begun: true}
	if r.pidfd, err = unix.PidfdOpen(r.pid, 0); err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	r.conn = newConn(j, r, rankPMI)
	w.nodes, w.ranks, w.inside = []*node{here}, []*rank{r}, 1
	j.worlds, j.ranks, j.living = []*world{w}, []*rank{r}, 1
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	j.oom.Begin()
	if err := j.loop.Watch(r.pidfd, unix.EPOLLIN, guestWatch{j, r}); err != nil {
		return err
	}
	r.conn.reply("gompi_attached", "pid", strconv.Itoa(os.Getpid()))
	return j.loop.Watch(r.conn.fd, unix.EPOLLIN, r.conn)
}

// guestWatch hears when the process that we serve has ended.
type guestWatch struct {
	job *job
	r   *rank
}

// Ready ends what is connected to the process, unless it has ended MPI before.
func (g guestWatch) Ready(uint32) {
	j, r := g.job, g.r
	j.loop.Forget(r.pidfd)
	unix.Close(r.pidfd)
	r.pidfd = -1
	r.conn.receive()
	r.conn.close()
	r.exited = true
	j.living--
	if !r.inMPI() || r.world.failing {
		return
	}
	r.markDead()
	if j.living > 0 {
		j.Say("the process that had others started (pid %d) left without MPI_Finalize", r.pid)
	}
	j.fail(r.world, process.ExitSetup)
}
