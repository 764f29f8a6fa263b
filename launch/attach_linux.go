package launch

import (
	"fmt"
	"os"
	"strconv"
	"syscall"

	"gompi/launch/process"
	"gompi/launch/world"
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
		files := []uintptr{0, 1, 2, world.RankPMI, world.RankSegment}
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
	unix.CloseOnExec(world.RankPMI)
	unix.SetNonblock(world.RankPMI, false)
	segment, err := shm.Open(world.RankSegment)
	if err != nil {
		return err
	}
	if err := shm.CheckJob(segment, 1); err != nil {
		return err
	}
	cred, err := unix.GetsockoptUcred(world.RankPMI, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return fmt.Errorf("descriptor %d is no socket of a rank: %w", world.RankPMI, err)
	}
	if int(cred.Uid) != os.Geteuid() {
		return fmt.Errorf("the process belongs to another user")
	}
	w := world.New(0, j.spec.Apps, j.spec.UniverseSize)
	here := &world.Node{Segment: segment, Size: 1}
	r := &world.Rank{World: w, Node: here, Pid: int(cred.Pid), Innerfd: -1, Guest: true, Begun: true}
	if r.Pidfd, err = unix.PidfdOpen(r.Pid, 0); err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	r.Conn = world.NewConn(j.user, r, world.RankPMI)
	w.Nodes, w.Ranks, w.Inside = []*world.Node{here}, []*world.Rank{r}, 1
	j.Worlds, j.Ranks, j.living = []*world.World{w}, []*world.Rank{r}, 1
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	j.oom.Begin()
	if err := j.loop.Watch(r.Pidfd, unix.EPOLLIN, guestWatch{j, r}); err != nil {
		return err
	}
	r.Conn.Reply("gompi_attached", "pid", strconv.Itoa(os.Getpid()))
	return j.loop.Watch(r.Conn.Fd, unix.EPOLLIN, r.Conn)
}

// guestWatch hears when the process that we serve has ended.
type guestWatch struct {
	job *job
	r   *world.Rank
}

// Ready ends what is connected to the process, unless it has ended MPI before.
func (g guestWatch) Ready(uint32) {
	j, r := g.job, g.r
	j.loop.Forget(r.Pidfd)
	unix.Close(r.Pidfd)
	r.Pidfd = -1
	r.Conn.Receive()
	r.Conn.Close()
	r.Exited = true
	j.living--
	if !r.InMPI() || r.World.Failing {
		return
	}
	r.MarkDead()
	if j.living > 0 {
		j.Say("the process that had others started (pid %d) left without MPI_Finalize", r.Pid)
	}
	j.fail(r.World, process.ExitSetup)
}
