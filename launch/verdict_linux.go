package launch

import (
	"fmt"
	"os"
	"strconv"
	"strings"

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
	var codes []string
	for _, r := range j.worlds[0].ranks {
		code := r.status.ExitStatus()
		if r.status.Signaled() {
			code = ExitSignal + int(r.status.Signal())
		}
		codes = append(codes, strconv.Itoa(code))
	}
	host, _ := os.Hostname()
	text := fmt.Sprintf("[%s@%s] Exit codes: [%[2]s] %s\n", j.spec.Name, host, strings.Join(codes, ","))
	(&stream{job: j, sink: j.stdout}).emit([]byte(text))
}

// obituary is the one line on a rank's death.
func (j *job) obituary(r *rank) string {
	who := fmt.Sprintf("%s (pid %d)", r, r.pid)
	switch status := r.status; {
	case status.Signaled():
		text := fmt.Sprintf("%s was killed by signal %d (%s)", who, status.Signal(), signalName(status.Signal()))
		if status.CoreDump() {
			text += ", core dumped"
		}
		return text + j.memory(status.Signal())
	case status.ExitStatus() != 0 && r.inMPI():
		text := fmt.Sprintf("%s exited with code %d", who, status.ExitStatus())
		if sig := unix.Signal(status.ExitStatus() - ExitSignal); r.inner != 0 && unix.SignalName(sig) != "" {
			// Shells tell in this way how a program has ended.
			text += fmt.Sprintf(", that is killed by signal %d (%s)%s,", sig, signalName(sig), j.memory(sig))
		}
		return text + " without MPI_Finalize"
	case status.ExitStatus() != 0:
		return fmt.Sprintf("%s exited with code %d", who, status.ExitStatus())
	}
	return who + " left without MPI_Finalize"
}

// memory explains a signal that the kernel may have sent for want of memory.
func (j *job) memory(sig unix.Signal) string {
	if sig == unix.SIGKILL && j.oom.grew() {
		return ": likely out of memory, the kernel killed a process of this container or session for that"
	}
	return ""
}

// signalName is the name of a signal.
func signalName(s unix.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "a real-time signal"
}
