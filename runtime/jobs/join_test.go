package jobs_test

import (
	"strings"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/jobs"
	"gompi/runtime/mpierr"

	"golang.org/x/sys/unix"
)

// Who joins with a process of another machine hears so, whichever of the two would have called, before it is
// given up as one that does not come.
func TestJoinWithAnotherMachine(t *testing.T) {
	for _, digit := range []string{"0", "f"} { // the other side's address is the lower one, or the higher
		testjob.Run(t, 1, testjob.Options{}, func(p *runtime.Process) error {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			defer unix.Close(pair[0])
			defer unix.Close(pair[1])
			note := make([]byte, jobs.NoteSize)
			copy(note, jobs.MeetPrefix+strings.Repeat(digit, 32))
			if _, err := unix.Write(pair[1], note); err != nil {
				return err
			}
			_, err = jobs.Join(p.Comms, p.Self, pair[0])
			return one(err, mpierr.ErrUnsupportedOperation)
		})
	}
}
