package rma

import (
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// core is what all parts of a window need: its name, its ranks, and what package fast knows of it. It does
// not change once the window has been made.
type core struct {
	object.Base
	Desc *fast.Window // what the C stubs know of it

	space   *Space
	group   *group.Group
	flavor  Flavor
	me, n   int
	targets []fast.Target // Desc's
	peers   []peer
	far     *far // nil unless the window has ranks that only packets reach
}

// peer is one rank of the group.
type peer struct {
	job     int
	process *shm.Process // by which its private memory is reached; nil when the rank has to do it itself
	addr    uintptr      // where its private memory begins, in its own address space
	bell    shm.Bell
	summons *uint32 // of its progress thread
}

// Rank is this rank's number in the window's group.
func (c *core) Rank() int { return c.me }

// Size is the number of ranks of the window's group.
func (c *core) Size() int { return c.n }

// Unit is the displacement unit of a rank, in bytes.
func (c *core) Unit(rank int) int64 { return c.targets[rank].Unit }

// Group is the group of the window (MPI_Win_get_group).
func (c *core) Group() *group.Group { return c.group }

// Flavor says how the window was made.
func (c *core) Flavor() Flavor { return c.flavor }

// word is a word in the block of a rank.
func (c *core) word(rank int, offset uintptr) *uint32 {
	return shm.Word32(c.targets[rank].Block + offset)
}

// line is the line of a rank in the block of another one.
func (c *core) line(owner, rank int) *uint32 {
	return c.word(owner, fast.BlockLines+uintptr(rank)*fast.LineSize)
}

// ProcNull is MPI_PROC_NULL as the target of an operation.
const ProcNull = -3

// checkRank refuses what is no rank of the window.
func (c *core) checkRank(rank int) error {
	if uint(rank) >= uint(c.n) {
		return mpierr.New(mpierr.ErrRank, "rank %d is not in the window's group of size %d", rank, c.n)
	}
	return nil
}

// away reports whether a rank is far.
func (c *core) away(rank int) bool { return c.far != nil && c.far.ranks[rank].away }

// sharers is the number of ranks that share the allocation, and the lowest of them.
func (c *core) sharers() (n, first int) {
	if c.far == nil {
		return c.n, 0
	}
	return c.far.near, c.far.first
}

// look takes in what far ranks want. The program may ask again and again for what they are to change, or to
// wait for.
func (c *core) look() {
	if c.far != nil {
		c.space.engine.Progress()
	}
}

// waitFor waits for something that other ranks of the window bring about.
func (c *core) waitFor(condition p2p.Condition) error {
	if c.far == nil {
		return c.space.engine.WaitFor(condition)
	}
	return c.space.engine.WaitIn(c.far.ctx, condition)
}

// hasFailedRanks reports whether a process of the window has failed, and the job goes on.
func (c *core) hasFailedRanks() bool {
	return c.space.engine.Alive() == nil && c.space.engine.AliveIn(c.group) != nil
}

// called is what reports call a window, and its ranks.
func (c *core) called() (name string, g *group.Group) {
	if name = c.Name(); name == "" {
		name = "a window from " + c.Origin
	}
	return name, c.group
}

// broke tells of a promise of the program's that is not kept. It changes nothing else: the library relies on
// none.
func (c *core) broke(text string) {
	if c.space.broken != nil {
		c.space.broken(&c.Base, text)
	}
}
