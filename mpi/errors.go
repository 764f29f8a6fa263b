package mpi

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/shm"
)

// Error codes are error classes (MPI 5.0, 9.4), so programs that compare the two work. The detailed text of
// the most recent error of each class is kept for MPI_Error_string.
var texts struct {
	mu   sync.Mutex
	last map[mpierr.Class]string
}

// Results of a call that are no error codes: its stub is to call an error handler of the program's, and the
// call succeeds (errCalled); its stub is to call a function of an attribute key and start again (errAgain).
const (
	CodeCalled = math.MinInt32
	CodeAgain  = CodeCalled + 1
)

// raise reports an error to the handler of the object it happened on, MPI_COMM_SELF's when there is none (MPI
// 5.0, 9.3). It returns the code for C. A handler of the program's is called from there.
func raise(name string, on *object.Base, err error) int32 {
	switch {
	case err == errCalled:
		return CodeCalled
	case errors.Is(err, errAgain):
		return CodeAgain
	}
	if b := object.Of(err); b != nil {
		on = b
	}
	if on == nil {
		on = self()
	}
	code := record(name, err)
	if isTool(name) {
		return code
	}
	switch handler := on.Errhandler(); handler.Mode {
	case object.Return:
	case object.Call:
		host.SetHandler(handler.Function, baseHandle(on), code)
	default:
		if k := checking.Load(); k != nil && library.Load() != nil {
			k.hearOut()
		}
		die(int(code), textOf(classOf(int(code))))
	}
	return code
}

// record keeps an error's text for MPI_Error_string and returns its code.
func record(name string, err error) int32 {
	var e *mpierr.Error
	if !errors.As(err, &e) {
		e = mpierr.New(mpierr.ErrIntern, "%v", err)
	}
	detailed := *e
	if detailed.Func == "" {
		detailed.Func = name
	}
	if n := call(); n != nil && detailed.Func == n.place.Function {
		detailed.Func = n.Spell(n.place)
	}
	texts.mu.Lock()
	if texts.last == nil {
		texts.last = map[mpierr.Class]string{}
	}
	texts.last[e.Class] = detailed.Error()
	texts.mu.Unlock()
	if l := library.Load(); l != nil {
		l.process.Endpoint.Tell(int32(e.Class))
	}
	return int32(e.Code)
}

// textOf is what MPI_Error_string says: the last error of the class in detail, otherwise the class.
func textOf(c mpierr.Class) string {
	texts.mu.Lock()
	defer texts.mu.Unlock()
	if t, ok := texts.last[c]; ok {
		return t
	}
	if c == 0 {
		return c.Text()
	}
	return fmt.Sprintf("%s (%s)", c.Text(), c.Name())
}

// launcherActs is how long a rank waits for its launcher to end a job in which another rank has died.
const launcherActs = 3 * time.Second

// launcherNotices is the same when the launcher has not told of a death yet. The dead one may be a process of
// another job, which is another launcher's.
const launcherNotices = time.Second

// launcherReads is how long another launcher than gompi's gets to pass on what this process has said last,
// before it is asked to end the job: MPICH's drops what it has not read by then.
const launcherReads = 20 * time.Millisecond

// die ends the job: one line for the user, then everybody is told. After the death of another rank the
// launcher tells the user, ends the job, and gives it the dead rank's exit code, if nobody is faster; under
// other launchers another rank has told the user.
func die(code int, why string) {
	l := library.Load()
	if l != nil && l.job.Reports && code == int(mpierr.ErrProcAborted) {
		lastWords("", code)
		if l.process.Engine.Alive() != nil {
			time.Sleep(launcherActs)
		} else {
			time.Sleep(launcherNotices)
		}
	}
	if l != nil && !l.job.Reports && code == int(mpierr.ErrProcAborted) {
		if first, ending := l.job.Ending(); ending {
			lastWords("", first)
			host.Exit(first)
		}
	}
	lastWords(fmt.Sprintf("gompi: %s: %s\n", whoami(), why), code)
	if l != nil {
		if !l.job.Reports && l.job.Size > 1 {
			time.Sleep(launcherReads)
		}
		l.job.Fail(exitCode(code))
	}
	host.Exit(exitCode(code))
}

// abort ends the job because the program wants it. The launcher tells the user, if it can.
func abort(code int) {
	why := fmt.Sprintf("MPI_Abort with code %d", code)
	l := library.Load()
	if l == nil || !l.job.Reports {
		die(code, why)
	}
	lastWords("", code)
	if !l.job.Abort(code, "") {
		host.Say(fmt.Sprintf("gompi: %s: %s\n", whoami(), why))
	}
	host.Exit(exitCode(code))
}

// lastWords tells the user why the process ends, after all that the program has written.
func lastWords(line string, code int) {
	shm.Told(exitCode(code))
	host.LastWords(line, exitCode(code))
}

// whoami names this process: "rank 2 of 4 (pid 123)".
func whoami() string {
	if l := library.Load(); l != nil {
		return fmt.Sprintf("rank %d of %d (pid %d)", l.job.Rank, l.job.Size, os.Getpid())
	}
	return fmt.Sprintf("pid %d", os.Getpid())
}

// exitCode is the code as a process can report it; an error never looks like success.
func exitCode(code int) int {
	if code != 0 && code&0xff == 0 {
		return 1
	}
	return code & 0xff
}

// Untimely is the end of a call that is not legal before MPI_Init or after MPI_Finalize.
func Untimely(name uintptr, finished bool) (rc int32) {
	a := Args{Name: cString(name)}
	defer a.Leave(&rc)
	if finished {
		a.wrong(mpierr.ErrOther, "called after MPI_Finalize")
	} else {
		a.wrong(mpierr.ErrOther, "called before MPI_Init")
	}
	return raise(a.Name, nil, a.Err)
}

// RefuseAddress is the end of a call that C has refused because an address is below lowest.
func RefuseAddress(name, argument, addr uintptr) (rc int32) {
	a := Args{Name: cString(name)}
	defer a.Leave(&rc)
	a.Cell(cString(argument), addr)
	return a.Fail()
}

// What an unsupported function was called with, as in stub.h.
const (
	onComm    = 1
	onFile    = 3
	onSession = 4
	onTool    = 5
)

// Unsupported is the end of a call of a function that is not written yet.
func Unsupported(name uintptr, object int32, handle uintptr) (rc int32) {
	a := Args{Name: cString(name)}
	defer a.Leave(&rc)
	switch object {
	case onTool:
		// Functions of the tool interface call no error handler (MPI 5.0, 15.3.10).
		return record(a.Name, mpierr.New(mpierr.TErrNotSupported, "gompi does not offer this function yet"))
	case onComm:
		if c := lookupComm(handle); c != nil {
			a.on = &c.Base
		}
	case onFile:
		a.on = noFile
	case onSession:
		if s := sessions.get(handle); s != nil {
			a.on = &s.Base
		}
	}
	a.wrong(mpierr.ErrUnsupportedOperation, "gompi does not offer this function yet")
	return a.Fail()
}
