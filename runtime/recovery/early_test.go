package recovery_test

import (
	"errors"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
)

// A communicator that was revoked before a member had made it is revoked there too, also where nothing has
// failed or was revoked before: a receive ends at once.
func TestRevokedBeforeItIsMade(t *testing.T) {
	o := testjob.Options{Settings: tool.Settings{Recovery: true}, Abandon: true}
	testjob.Run(t, 1, o, func(p *runtime.Process) error {
		c, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		c.Recovery.MakeRevoked()
		r, err := p.Engine.Irecv(&c.P2P, datatype.Raw(0, 0), 0, 1)
		if err != nil {
			return err
		}
		if !p.Engine.Done(r) {
			return errors.New("the receive waits")
		}
		if err := p.Engine.Wait(r, nil); mpierr.CodeOf(err) != int(mpierr.ErrRevoked) {
			return errors.New("the receive does not end as one on a revoked communicator")
		}
		return nil
	})
}
