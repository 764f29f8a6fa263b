package recovery_test

import (
	"errors"
	"testing"
	"time"

	"gompi/internal/testjob"
	"gompi/runtime"
	"gompi/runtime/tool"
)

// The leader of an agreement dies after it has told one member the outcome. Another member hears of that
// before the first one has decided, and asks it. The first one decides then, gives the communicator up, and
// hears last that it leads: it owes the other one the outcome all the same.
func TestMembersAnswerForCommunicatorsThatAreGone(t *testing.T) {
	asked, gone := make(chan bool, 1), make(chan bool, 1)
	o := testjob.Options{Settings: tool.Settings{Recovery: true}, Abandon: true}
	testjob.Run(t, 3, o, func(p *runtime.Process) error {
		c, err := p.Comms.Dup(p.World, "MPI_Comm_dup")
		if err != nil {
			return err
		}
		hear := func() { c.Recovery.Lose(0) }
		if p.Rank == 0 {
			<-asked
			c.Recovery.Lead(1, 3)
			gone <- true
			return nil
		}
		var flag int
		q, err := c.Recovery.Iagree(3, func(f int) { flag = f })
		if err != nil {
			return err
		}
		if p.Rank == 2 {
			hear()
			limit := time.Now().Add(20 * time.Second)
			for !p.Engine.Done(q) {
				if p.Engine.Progress(); time.Now().After(limit) {
					return errors.New("a member waits in vain for an agreement that another one has ended")
				}
			}
			if flag != 3 {
				return errors.New("another outcome")
			}
			return p.Engine.Wait(q, nil)
		}
		for !c.Recovery.HasHeard(2) {
			p.Engine.Progress()
		}
		asked <- true
		<-gone
		if err := p.Engine.Wait(q, nil); err != nil {
			return err
		}
		p.Comms.Free(c)
		hear()
		return nil
	})
}
