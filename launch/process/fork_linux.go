package process

import (
	"os"
	"runtime"
	"syscall"
)

// UsableCores is how many processes can run at a time: the affinity mask and the control group's share, which
// Go looks at too, unless its own variable speaks of something else.
func UsableCores() int {
	if os.Getenv("GOMAXPROCS") != "" {
		return runtime.NumCPU()
	}
	return runtime.GOMAXPROCS(0)
}

// Start starts the process. It must run on the launcher's main thread: the kernel kills the rank when the
// thread that started it ends.
func Start(path string, app *App, env []string, files []uintptr) (pid, pidfd int, err error) {
	pidfd = -1
	attr := &syscall.ProcAttr{
		Dir:   app.Dir,
		Env:   env,
		Files: files,
		Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, PidFD: &pidfd, Setpgid: app.Apart},
	}
	pid, err = fork(path, app.Argv, attr)
	if err == syscall.ENOEXEC && isScript(path, app.Dir) {
		pid, err = fork("/bin/sh", append([]string{"/bin/sh", path}, app.Argv[1:]...), attr)
	}
	return pid, pidfd, err
}

// fork does without a pidfd where one is refused, as by emulators of other processors.
func fork(path string, argv []string, attr *syscall.ProcAttr) (int, error) {
	pid, err := syscall.ForkExec(path, argv, attr)
	if err == syscall.EINVAL && attr.Sys.PidFD != nil {
		attr.Sys.PidFD = nil
		return syscall.ForkExec(path, argv, attr)
	}
	return pid, err
}
