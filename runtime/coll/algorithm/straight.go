package algorithm

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/p2p"
	"gompi/runtime/tool"
	"gompi/runtime/topo"
)

// Straight: data goes from where it is to where it is wanted, in one message.

// BcastStraight has the root send to everybody.
func BcastStraight(x *schedule.Exchange, data datatype.Buffer, root int) {
	x.CountAlgorithm(tool.Straight)
	if x.Rank != root {
		x.Recv(data, root)
		return
	}
	w := schedule.Window{Exchange: x}
	for i := 1; i < x.Size; i++ {
		w.Send(data, (root+i)%x.Size)
	}
	w.Wait()
}

// GatherStraight has everybody send to the root.
func GatherStraight(x *schedule.Exchange, send datatype.Buffer, recv *partition.Blocks, root int) {
	x.CountAlgorithm(tool.Straight)
	switch schedule.RoleOf(x.Comm, root) {
	case schedule.IsRoot:
		w := schedule.Window{Exchange: x}
		for rank := range x.Context.Size {
			if !x.IsSelf(rank) {
				w.Recv(recv.Of(rank), rank)
				w.Room()
			}
		}
		w.Wait()
	case schedule.IsPeer:
		if !x.LeavesOut(send) {
			x.Send(send, root)
		}
	}
}

// ScatterStraight has the root send to everybody.
func ScatterStraight(x *schedule.Exchange, send *partition.Blocks, recv datatype.Buffer, root int) {
	x.CountAlgorithm(tool.Straight)
	switch schedule.RoleOf(x.Comm, root) {
	case schedule.IsRoot:
		Deal(x, send)
	case schedule.IsPeer:
		if !x.LeavesOut(recv) {
			x.Recv(recv, root)
		}
	}
}

// Deal sends a block to each other rank.
func Deal(x *schedule.Exchange, send *partition.Blocks) {
	w := schedule.Window{Exchange: x}
	for rank := range x.Context.Size {
		if !x.IsSelf(rank) {
			w.Send(send.Of(rank), rank)
			w.Room()
		}
	}
	w.Wait()
}

// AllgatherStraight has everybody send to everybody.
func AllgatherStraight(x *schedule.Exchange, recv *partition.Blocks) {
	x.CountAlgorithm(tool.Straight)
	own := recv.Of(x.Rank)
	Pairwise(x, schedule.SentToFew, func(int) datatype.Buffer { return own }, recv.Of)
}

// Neighbors receives all blocks, in the order in which a rank that is a source several times sends them,
// and sends out(i) to destination i.
func Neighbors(x *schedule.Exchange, n topo.Neighborhood, out func(i int) datatype.Buffer,
	recv *partition.Blocks) {
	x.Algorithm = tool.Straight // even to itself
	w := schedule.Window{Exchange: x, Empty: schedule.SentAlways}
	for i := range n.Sources {
		if n.Crossed {
			i ^= 1
		}
		if from := n.Sources[i]; from != p2p.ProcNull {
			w.Recv(recv.Of(i), int(from))
		}
	}
	for i, to := range n.Destinations {
		if to != p2p.ProcNull {
			w.Send(out(i), int(to))
		}
	}
	w.Wait()
}
