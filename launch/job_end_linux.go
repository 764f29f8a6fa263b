package launch

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"gompi/launch/process"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// jobEnd is what becomes of the whole job.
type jobEnd struct {
	begun     bool // some world has failed
	code      int
	signal    unix.Signal // the signal by which the user ended the job, 0 for none
	impatient bool        // the user asked a second time
}

// counts reports whether the end of a world's ranks decides on the exit code of the job.
func (j *job) counts(w *world.World) bool { return w.ID == 0 || !j.spec.PrimaryOnly }

// exitCodes tells how the ranks of the command line have ended, as MPICH's launcher does.
func (j *job) exitCodes() {
	if !j.spec.ExitCodes || len(j.Worlds) == 0 {
		return
	}
	codes := map[*world.Node][]string{}
	for _, r := range j.Worlds[0].Ranks {
		if r.Pid == 0 {
			continue
		}
		code := r.Status.ExitStatus()
		if r.Status.Signaled() {
			code = process.ExitSignal + int(r.Status.Signal())
		}
		codes[r.Node] = append(codes[r.Node], strconv.Itoa(code))
	}
	own, _ := os.Hostname()
	text := fmt.Sprintf("[%s@%s] Exit codes:", j.spec.Name, own)
	for _, n := range j.Worlds[0].Nodes {
		host := own
		if n.Host != nil {
			host = n.Host.Name
		}
		text += fmt.Sprintf(" [%s] %s", host, strings.Join(codes[n], ","))
	}
	j.out.Print(text + "\n")
}

// deathMessage is the one line on a rank's death.
func (j *job) deathMessage(r *world.Rank) string {
	who := fmt.Sprintf("%s (%s)", r, r.Where())
	switch status := r.Status; {
	case status.Signaled():
		text := fmt.Sprintf("%s was killed by signal %d (%s)", who, status.Signal(), process.SignalName(status.Signal()))
		if status.CoreDump() {
			text += ", core dumped"
		}
		return text + j.memory(r)
	case status.ExitStatus() != 0 && r.InMPI():
		text := fmt.Sprintf("%s exited with code %d", who, status.ExitStatus())
		sig := unix.Signal(status.ExitStatus() - process.ExitSignal)
		if r.Inner != 0 && unix.SignalName(sig) != "" {
			// Shells tell in this way how a program has ended.
			text += fmt.Sprintf(", that is killed by signal %d (%s)%s,", sig, process.SignalName(sig), j.memory(r))
		}
		return text + " without MPI_Finalize"
	case status.ExitStatus() != 0:
		return fmt.Sprintf("%s exited with code %d", who, status.ExitStatus())
	}
	return who + " left without MPI_Finalize"
}

// memory explains a signal that the kernel may have sent for want of memory.
func (j *job) memory(r *world.Rank) string {
	if r.Away() {
		return r.Memory
	}
	sig := r.Status.Signal()
	if !r.Status.Signaled() {
		sig = unix.Signal(r.Status.ExitStatus() - process.ExitSignal) // as shells tell it
	}
	if sig == unix.SIGKILL && j.oom.Grew() {
		return ": likely out of memory, the kernel killed a process of this container or session for that"
	}
	return ""
}
