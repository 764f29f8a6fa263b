package launch

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// verdict is what becomes of the whole job.
type verdict struct {
	begun     bool // some world has failed
	code      int
	signal    unix.Signal // the signal by which the user ended the job, 0 for none
	impatient bool        // the user asked a second time
}

// counts reports whether the end of a world's ranks decides on the exit code of the job.
func (j *job) counts(w *world) bool { return w.id == 0 || !j.spec.PrimaryOnly }

// exitCodes tells how the ranks of the command line have ended, as MPICH's launcher does.
func (j *job) exitCodes() {
	if !j.spec.ExitCodes || len(j.worlds) == 0 {
		return
	}
	codes := map[*node][]string{}
	for _, r := range j.worlds[0].ranks {
		if r.pid == 0 {
			continue
		}
		code := r.status.ExitStatus()
		if r.status.Signaled() {
			code = process.ExitSignal + int(r.status.Signal())
		}
		codes[r.node] = append(codes[r.node], strconv.Itoa(code))
	}
	own, _ := os.Hostname()
	text := fmt.Sprintf("[%s@%s] Exit codes:", j.spec.Name, own)
	for _, n := range j.worlds[0].nodes {
		host := own
		if n.host != nil {
			host = n.host.Name
		}
		text += fmt.Sprintf(" [%s] %s", host, strings.Join(codes[n], ","))
	}
	j.out.Print(text + "\n")
}

// deathMessage is the one line on a rank's death.
func (j *job) deathMessage(r *rank) string {
	who := fmt.Sprintf("%s (%s)", r, r.where())
	switch status := r.status; {
	case status.Signaled():
		text := fmt.Sprintf("%s was killed by signal %d (%s)", who, status.Signal(), process.SignalName(status.Signal()))
		if status.CoreDump() {
			text += ", core dumped"
		}
		return text + j.memory(r)
	case status.ExitStatus() != 0 && r.inMPI():
		text := fmt.Sprintf("%s exited with code %d", who, status.ExitStatus())
		if sig := unix.Signal(status.ExitStatus() - process.ExitSignal); r.inner != 0 && unix.SignalName(sig) != "" {
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
func (j *job) memory(r *rank) string {
	if r.away() {
		return r.memory
	}
	sig := r.status.Signal()
	if !r.status.Signaled() {
		sig = unix.Signal(r.status.ExitStatus() - process.ExitSignal) // as shells tell it
	}
	if sig == unix.SIGKILL && j.oom.Grew() {
		return ": likely out of memory, the kernel killed a process of this container or session for that"
	}
	return ""
}
