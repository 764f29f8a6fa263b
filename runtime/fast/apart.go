//fast:go

package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// SetApart says after how many looks a wait sees whether another rank is on its processor; 0 for never. It is
// made a number of looks after which the clock is read, too.
func (n *Node) SetApart(looks uint32) {
	n.Apart = (looks + clocked - 1) / clocked * clocked
}

// MoveApart moves this thread, whose processor is another rank's, to one on which no rank waits. Where there
// is none it reports false, and this rank had better sleep; the processor counts as its own then, because the
// other one may have left it long ago.
func (n *Node) MoveApart() bool {
	moved := shm.MoveThread(func(core uint32) bool { return atomic.LoadUint32(n.coreWord(core)) == 0 })
	if !moved {
		atomic.StoreUint32(n.coreWord(shm.Core()), n.Me+1)
	}
	return moved
}

// coreWord is where a rank notes that it waits on that processor.
func (n *Node) coreWord(core uint32) *uint32 { return shm.Next32(n.Cores, core%shm.CoreWords) }
