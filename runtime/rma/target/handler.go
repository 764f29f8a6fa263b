package target

import (
	"gompi/runtime/am"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/shm"
)

// Handler carries out the operations of other ranks in this one's part of a window. It implements am.Handler.
type Handler struct {
	*am.Window
	attachments *Attachments
	guards      *Guards
}

// NewHandler makes the handler of a window, which is given its messages.
func NewHandler(w *am.Window, a *Attachments, g *Guards) *Handler {
	h := &Handler{w, a, g}
	w.SetHandler(h, fast.PacketPut, fast.PacketGet, fast.PacketAccumulate, fast.PacketFetch, fast.PacketSwap,
		am.Check)
	return h
}

// SwapRoom is room for an element of MPI_Compare_and_swap, in bytes.
const SwapRoom = 64

// workRoom is room for the stream of the elements of an accumulate, the elements as they lie in memory,
// and the operands likewise, in bytes.
const workRoom = 5 * am.FarOperation

// Handle implements am.Handler. A packet's origin can write to it at any time, so everything is checked here.
func (h *Handler) Handle(m *am.Message) (done, ok bool) {
	for i := range m.Memory {
		if !h.attachments.Within(h.Rank(), uint64(m.Memory[i].Addr), m.Memory[i].Size) {
			return true, false
		}
	}
	switch {
	case m.Kind == am.Check:
		return true, true
	case !m.Whole():
		return true, false
	case m.Simple():
		return true, true
	case m.Kind == fast.PacketPut:
		return true, am.Scatter(m.Memory, m.Data, int64(m.Bytes))
	case m.Kind == fast.PacketGet:
		return true, m.Reply(m.Memory)
	}
	u := Update{Combination: Combination{Desc: h.Desc}, Memory: m.Memory, N: int64(m.Bytes)}
	if !u.Read(m) || !m.Guarded && !h.memory(&u) {
		return true, false
	}
	u.Old = m.Room()
	dense := m.Compare != 0 || u.Basic.Size() == u.Basic.Extent()
	if dense && m.Guarded {
		return true, u.plainly() == nil
	}
	chunk := h.Engine.Scratch.Take(workRoom)
	defer h.Engine.Scratch.Put(chunk)
	u.Work = chunk.Address()
	if dense {
		done, err := h.guards.Update(h.Rank(), &u, false, false)
		return done, err == nil
	}
	if !m.Guarded {
		if !h.guards.acquireSoon(h.Rank()) {
			return false, true
		}
		defer h.guards.Release(h.Rank())
	}
	return true, u.combineCells()
}

// Read takes what an accumulate or MPI_Compare_and_swap does from its message; false when that makes no
// sense.
func (c *Combination) Read(m *am.Message) bool {
	n := int64(m.Bytes)
	c.In, c.Compare = m.Data, m.Compare
	if m.Kind == fast.PacketSwap && m.Guarded {
		return true // of what type the element is does not matter
	}
	if c.Basic = datatype.ByHandle(m.Type); c.Basic == nil || c.Basic.Size() == 0 {
		return false
	}
	if m.Kind == fast.PacketSwap {
		return m.Runs == 0 && n == c.Basic.Size() && n <= SwapRoom
	}
	c.Op = op.ByHandle(m.Op)
	return c.Op != nil && n%c.Basic.Size() == 0 && n <= am.FarOperation &&
		(m.Op == fast.OpNoOp || m.Op == fast.OpReplace || c.Op.Valid(c.Basic))
}

// memory finds out whether the elements are changed by atomic instructions; false when some are and others
// are not.
func (h *Handler) memory(u *Update) bool {
	if !h.attachments.dynamic {
		u.Atomic = h.Own().Atomic != 0
		return true
	}
	for i := range u.Memory {
		a, parted, found := h.attachments.LookUp(h.Rank(), uint64(u.Memory[i].Addr), u.Memory[i].Size)
		if !found || parted || i > 0 && u.Atomic != a.Allocated() {
			return false
		}
		u.Atomic = a.Allocated()
	}
	return true
}

// combineCells combines elements with gaps, whose data comes and goes without. This rank has its guard. It is
// false when the memory is not there.
func (u *Update) combineCells() (ok bool) {
	defer am.Missing(&ok)
	stream, operands := u.Work, u.Elements(u.Work+3*am.FarOperation, u.N)
	if !am.Gather(u.Memory, stream) {
		return false
	}
	if u.Old != 0 {
		shm.Copy(u.Old, stream, u.N)
	}
	switch u.Op.Handle() {
	case fast.OpNoOp:
		return true
	case fast.OpReplace:
		return am.Scatter(u.Memory, u.In, u.N)
	}
	operands.Unpack(0, shm.Bytes(u.In, u.N))
	u.InCells(stream, u.Work+am.FarOperation, operands.Addr, u.N)
	return am.Scatter(u.Memory, stream, u.N)
}
