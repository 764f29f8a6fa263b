package boot

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// A process that was started without a launcher gets one of its own when it needs one: gompi's mpiexec, told
// by AttachWord that its first rank runs already. It ends when that rank and all that it has had started have
// ended.

// AttachWord is the argument of such an mpiexec. The socket and the segment come on the descriptors that a
// rank has them on.
const AttachWord = "--gompi-attach"

// attachTimeout is how long a launcher may take to say that it is there.
const attachTimeout = 10 * time.Second

// attachGreeting is the line by which it does.
const attachGreeting = "gompi_attached"

// StartLauncher makes sure that a process that was started alone has a launcher: the first of the given files
// that is gompi's mpiexec. It returns true when there was none before. Several threads may call it.
func (j *Job) StartLauncher(files []string) (began bool, err error) {
	j.starting.Lock()
	defer j.starting.Unlock()
	if j.client != nil || !j.Singleton {
		return false, nil
	}
	for _, file := range files {
		if unix.Access(file, unix.X_OK) != nil {
			continue
		}
		if err = j.attach(file); err == nil {
			return true, nil
		}
		err = fmt.Errorf("%s: %w", file, err)
	}
	if err != nil {
		return false, fmt.Errorf("no launcher could be started: %w", err)
	}
	return false, errors.New("this process has no launcher, and gompi's mpiexec is neither beside the library nor in PATH")
}

// attach starts one launcher and waits for its greeting.
func (j *Job) attach(file string) error {
	if j.Segment.FD() < 0 {
		return errors.New("the shared memory of this process has no descriptor any more")
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("socketpair: %w", err)
	}
	c := &client{fd: shm.MoveUp(pair[0])}
	err = startDetached(file, pair[1], j.Segment.FD())
	unix.Close(pair[1])
	launcher := 0
	if err == nil {
		launcher, err = c.greeted()
	}
	if err != nil {
		unix.Close(c.fd)
		return err
	}
	j.client, j.ours, j.attached = c, true, launcher
	return nil
}

// startDetached starts a launcher that is no child of this process, whose program may wait for children of
// its own: the process that is started starts another one and ends.
func startDetached(file string, socket, segment int) error {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/null: %w", err)
	}
	defer unix.Close(null)
	files := []uintptr{uintptr(null), 1, 2, uintptr(socket), uintptr(segment)}
	for i := 1; i <= 2; i++ {
		if _, err := unix.FcntlInt(uintptr(i), unix.F_GETFD, 0); err != nil {
			files[i] = uintptr(null)
		}
	}
	var env []string
	for _, v := range os.Environ() {
		// Those are words of some launcher to some other process.
		if !strings.HasPrefix(v, "PMI_") && !strings.HasPrefix(v, "MPIEXEC_TIMEOUT=") {
			env = append(env, v)
		}
	}
	pid, err := syscall.ForkExec(file, []string{"mpiexec", AttachWord}, &syscall.ProcAttr{Env: env, Files: files})
	if err != nil {
		return err
	}
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(pid, &status, 0, nil)
		if err == unix.EINTR {
			continue
		}
		if err == nil && (!status.Exited() || status.ExitStatus() != 0) {
			return errors.New("it is not gompi's, or it could not start")
		}
		return nil // or the program has waited for it, which is as well
	}
}

// greeted waits for the launcher's first line, which says what process it is.
func (c *client) greeted() (launcher int, err error) {
	if err := awaitReadable(c.fd, -1, int(attachTimeout/time.Millisecond)); err != nil {
		return 0, err
	}
	m, err := c.receive()
	if err == nil && m.Cmd != attachGreeting {
		err = fmt.Errorf("it says %q", m.Cmd)
	}
	pid, _ := m.Get("pid")
	return processNumber(pid), err
}
