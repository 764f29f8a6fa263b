package recovery_test

import (
	"fmt"
	"testing"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/comm"
)

// A rank that gives up a communicator after MPIX_Comm_shrink, and that has not heard yet of what another rank
// knows, does not use its contexts again, not even alone: the other one's last messages may still come.
func TestContextsOfShrunkCommunicators(t *testing.T) {
	for harmed, want := range map[bool]bool{false: true, true: false} {
		t.Run(fmt.Sprintf("harmed=%t", harmed), func(t *testing.T) {
			testjob.Run(t, 2, testjob.Options{}, func(p *runtime.Process) error {
				old, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
				if err != nil {
					return err
				}
				if p.Rank == 1 && harmed {
					old.Recovery.Harm()
				}
				id := old.P2P.ID
				r, err := p.Comms.Ishrink(old, "MPIX_Comm_shrink", true, func(*comm.Comm, error) {})
				if err == nil {
					err = p.Engine.Wait(r, nil)
				}
				if err != nil {
					return err
				}
				p.Comms.Free(old)
				if p.Rank == 1 {
					return nil
				}
				alone, err := p.Comms.Dup(p.Self, "MPI_Comm_dup")
				if err != nil {
					return err
				}
				if again := alone.P2P.ID == id; again != want {
					return fmt.Errorf("the contexts are used again: %t, want %t", again, want)
				}
				return nil
			})
		})
	}
}
