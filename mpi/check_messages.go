package mpi

import (
	"fmt"

	"gompi/runtime/p2p"
	"gompi/runtime/tool"
)

// mostUnreceived bounds the messages that are listed.
const mostUnreceived = 64

// reportUnreceived lists the messages that nobody has received (GOMPI_CHECK=messages), when neither
// MPI_COMM_WORLD nor a session is left. Where a communicator is revoked or has lost a rank, the messages of
// operations that have failed are left over.
func (k *checks) reportUnreceived() {
	at, left := k.here(), 0
	var found []p2p.Unexpected
	engine().Unreceived(func(m *p2p.Unexpected) bool {
		if len(found) < mostUnreceived {
			found = append(found, *m)
		} else {
			left++
		}
		return true
	})
	for _, m := range found {
		c, _, own := registry().InContext(m.Ctx)
		if c == nil || !own || c.Recovery.Abandoned() {
			continue
		}
		what := fmt.Sprintf("%d bytes", m.Bytes)
		if m.Text != "" {
			what = m.Text
		}
		k.Say(tool.CheckMessages.Name(), fmt.Sprintf("%s: nobody has received a message from rank %d with tag %d on %s: %s", k.Spell(at), m.Src, m.Tag, c.Label(), what))
	}
	if left > 0 {
		k.Say(tool.CheckMessages.Name(), fmt.Sprintf("%s: nobody has received %d more messages", k.Spell(at), left))
	}
}
