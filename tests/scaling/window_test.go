package scaling

import (
	"testing"

	"gompi/runtime/fast"
	"gompi/shm"
)

// win is the handle of the window of all ranks.
const win = 1

// windowSizes are the numbers of ranks of windows.
var windowSizes = []uint32{2, 5, 16, 64, 128}

// addWindow makes a window known in which each rank has a line of mapped memory.
func (w *world) addWindow(t testing.TB) {
	t.Helper()
	n := uintptr(w.n)
	size := fast.WindowHeader + n*fast.BlockSize(int(w.n)) + n*shm.FalseShare
	base, err := shm.Private(size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shm.Unmap(base, int64(size)) })
	w.machine.Share(base, size)
	block := func(r int) uintptr {
		return base + fast.WindowHeader + uintptr(r)*fast.BlockSize(int(w.n))
	}
	line := func(owner, r int) *uint32 {
		return shm.Word32(block(owner) + fast.BlockLines + uintptr(r)*fast.LineSize)
	}
	for me, e := range w.ends {
		d, err := fast.NewWindow(e, int(w.n))
		if err != nil {
			t.Fatal(err)
		}
		d.Handle, d.Me, d.Flags, d.Nodes = win, uint32(me), fast.OneThread, w.n
		d.Turns, d.Bells = fast.BlockTurns(int(w.n))-1, w.seg.Base+shm.RankOffset(0)+shm.RankSleeping
		for r := range int(w.n) {
			target := d.Target(uint32(r))
			target.Block, target.Own, target.Line = block(r), line(r, me), line(me, r)
			target.Base, target.Atomic = block(int(w.n))+uintptr(r)*shm.FalseShare, 1
			target.Size, target.Limit, target.Unit = 8, 8, 1
			target.Bell = w.machine.Bell(r)
		}
		e.Elements[1] = fast.ElementUint64
		if err := e.AddWindow(fast.Win{Handle: d.Handle, Window: d}); err != nil {
			t.Fatal(err)
		}
		w.windows = append(w.windows, d)
	}
}

// all is Done if all calls are, or the first other answer.
func all(calls ...func() fast.Reason) fast.Reason {
	for _, call := range calls {
		if how := call(); how != fast.Done {
			return how
		}
	}
	return fast.Done
}

// synchronization is calls of one epoch and its law: lines that a rank fetches and takes.
type synchronization struct {
	name           string
	call           func(w *world, r int, buf uintptr) fast.Reason
	fetched, taken func(n uint32) uint32
	shared         bool // locks are written by all who take them
}

// next is the rank to the right, whom a rank accesses.
func (w *world) next(r int) int32 { return int32((uint32(r) + 1) % w.n) }

// everyone is a line of each rank.
func everyone(n uint32) uint32 { return n }

var synchronizations = []synchronization{
	{"fence", func(w *world, r int, _ uintptr) fast.Reason {
		return fast.WinFence(w.ends[r], 0, win)
	}, each(1), constant(1), false},
	{"fence without epoch", func(w *world, r int, _ uintptr) fast.Reason {
		return fast.WinFence(w.ends[r], fast.NoPrecede|fast.NoSucceed, win)
	}, constant(0), constant(1), false},
	{"post start complete wait", func(w *world, r int, _ uintptr) fast.Reason {
		const group = 7
		e, d := w.ends[r], w.window(r)
		d.PostKey, d.StartKey, d.Exposes, d.Starts = group, group, 1, 1
		*d.Exposed, *d.Started = uint32(w.next(r)), (uint32(r)+w.n-1)%w.n
		return all(
			func() fast.Reason { return fast.WinPost(e, group, 0, win) },
			func() fast.Reason { return fast.WinStart(e, group, 0, win) },
			func() fast.Reason { return fast.WinComplete(e, win) },
			func() fast.Reason { return fast.WinWait(e, win) })
	}, constant(2), constant(2), false},
	{"lock put flush unlock", func(w *world, r int, buf uintptr) fast.Reason {
		e, to := w.ends[r], w.next(r)
		return all(
			func() fast.Reason { return fast.WinLock(e, fast.LockShared, to, 0, win) },
			func() fast.Reason { return fast.Put(e, buf, 1, number, to, 0, 1, number, win) },
			func() fast.Reason { return fast.WinFlush(e, to, win) },
			func() fast.Reason { return fast.WinUnlock(e, to, win) })
	}, constant(1), constant(1), true},
	{"lock accumulate unlock", func(w *world, r int, buf uintptr) fast.Reason {
		e, to := w.ends[r], w.next(r)
		return all(
			func() fast.Reason { return fast.WinLock(e, fast.LockShared, to, 0, win) },
			func() fast.Reason { return fast.FetchAndOp(e, buf, buf+8, number, to, 0, sum, win) },
			func() fast.Reason { return fast.WinUnlock(e, to, win) })
	}, constant(1), constant(1), true},
	{"lock_all flush_all unlock_all", func(w *world, r int, _ uintptr) fast.Reason {
		e := w.ends[r]
		return all(
			func() fast.Reason { return fast.WinLockAll(e, 0, win) },
			func() fast.Reason { return fast.WinFlushAll(e, win) },
			func() fast.Reason { return fast.WinUnlockAll(e, win) })
	}, everyone, everyone, true},
	{"lock_all unlock_all, nobody locks", func(w *world, r int, _ uintptr) fast.Reason {
		e := w.ends[r]
		return all(
			func() fast.Reason { return fast.WinLockAll(e, fast.NoCheck, win) },
			func() fast.Reason { return fast.WinUnlockAll(e, win) })
	}, constant(0), constant(0), false},
}

func (w *world) window(r int) *fast.Window { return w.windows[r] }

func TestWindows(t *testing.T) {
	for _, n := range windowSizes {
		for _, s := range synchronizations {
			w := newWorld(t, n)
			w.addWindow(t)
			bufs := w.buffers(t, 16)
			w.measure(t, func(r int) fast.Reason {
				how := s.call(w, r, bufs[r])
				if w.window(r).Mode == fast.ModeFence && s.name != "fence" {
					w.window(r).OpenAll(0, fast.ModeNone)
				}
				return how
			})
			most := w.machine.Most()
			if got, law := perCall(most.Fetched), int(s.fetched(n)); got > law {
				t.Errorf("%s among %d ranks: %d lines are fetched per epoch, the law is %d", s.name, n, got, law)
			}
			if got, law := perCall(most.Taken), int(s.taken(n)); got > law {
				t.Errorf("%s among %d ranks: %d lines are taken per epoch, the law is %d", s.name, n, got, law)
			}
			if writers := w.machine.Writers(); !s.shared && writers > 1 {
				t.Errorf("%s among %d ranks: one line is written by %d", s.name, n, writers)
			}
		}
	}
}
