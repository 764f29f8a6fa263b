package shm

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

func TestReadProcess(t *testing.T) {
	from := bytes.Repeat([]byte{1, 2, 3}, 1000)
	to := make([]byte, len(from)+1)
	err := ReadProcess(os.Getpid(), Address(to), Address(from), int64(len(from)))
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skip("single copy is denied here:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(to[:len(from)], from) || to[len(from)] != 0 {
		t.Error("wrong bytes")
	}
}

// An address that is not mapped, and a process that is gone, are errors and nothing else.
func TestReadProcessFails(t *testing.T) {
	to := make([]byte, 8)
	if ReadProcess(os.Getpid(), Address(to), 4096, 8) == nil {
		t.Error("an unmapped address can be read")
	}
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	if err := ReadProcess(gone.Process.Pid, Address(to), Address(to), 8); !errors.Is(err, unix.ESRCH) && !errors.Is(err, unix.EPERM) {
		t.Errorf("a process that is gone: %v", err)
	}
}
