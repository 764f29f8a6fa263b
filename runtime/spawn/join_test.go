package spawn_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/mpierr"
	"gompi/runtime/spawn"

	"golang.org/x/sys/unix"
)

// Who joins with a process of another machine hears so at once, whichever of the two would have called.
func TestJoinWithAnotherMachine(t *testing.T) {
	for _, digit := range []string{"0", "f"} { // the other side's address is the lower one, or the higher
		testjob.Run(t, 1, testjob.Options{}, func(p *runtime.Process) error {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			defer unix.Close(pair[0])
			defer unix.Close(pair[1])
			note := make([]byte, spawn.NoteSize)
			copy(note, spawn.MeetPrefix+strings.Repeat(digit, 32))
			if _, err := unix.Write(pair[1], note); err != nil {
				return err
			}
			begin := time.Now()
			_, err = spawn.Join(p.Comms, p.Self, pair[0])
			if took := time.Since(begin); took > 10*time.Second {
				return fmt.Errorf("it took %v", took)
			}
			return one(err, mpierr.ErrUnsupportedOperation)
		})
	}
}
