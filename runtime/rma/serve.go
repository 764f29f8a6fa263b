package rma

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Where the kernel lets a rank not reach the private memory of another one, it asks. Every rank has a mailbox
// in the window's extent, with room for one request, and a helper that sleeps until there is one: a goroutine
// on a thread of its own, so that it works while the rank computes. A request is to read or write pieces of
// memory. Accumulates read and write under the guard, as they do with the kernel's help, so both ways may be
// used at once.
//
//	WinDoor    held by the origin from asking to having the answer
//	WinState   idle -> asked by the origin, who wakes the helper -> answered by the helper, who rings the
//	           origin ->
//	           idle by the origin; closing by the owner when the window is freed
const (
	mailIdle = iota
	mailAsked
	mailAnswered
	mailClosing
)

// Offsets in a mailbox, in bytes.
const (
	mailWrite  = 0  // uint32 1: to the owner's memory
	mailCount  = 4  // uint32 pieces
	mailFrom   = 8  // uint32 the origin's rank in the window
	mailFailed = 12 // uint32 1: the memory could not be touched
	mailPieces = 64 // the pieces, 16 bytes each
	mailData   = mailPieces + mostPieces*16
	mailRoom   = 64 << 10

	mailboxSize = (int64(mailData+mailRoom) + pageSize - 1) &^ (pageSize - 1)
)

func (w *Window) mailbox(rank int) uintptr {
	return w.extent.base + uintptr(w.mail+int64(rank)*mailboxSize)
}

// answered is the condition that the helper has done what it was asked for.
type answered struct{ state *uint32 }

// Ready implements p2p.Condition.
func (a *answered) Ready() bool { return atomic.LoadUint32(a.state) == mailAnswered }

// ask has the target read or write pieces of its memory; addr is where their data comes from or goes to here.
func (s *spot) ask(addr uintptr, pieces []shm.Piece, write bool) error {
	w := s.w
	if err := w.seize(w.word(s.rank, fast.BlockDoor)); err != nil {
		return err
	}
	defer shm.StoreRel32(w.word(s.rank, fast.BlockDoor), 0)
	for len(pieces) > 0 {
		n, size := 0, uint64(0)
		box := w.mailbox(s.rank)
		for n < len(pieces) && size < mailRoom {
			k := min(pieces[n].Size, mailRoom-size)
			at := box + mailPieces + uintptr(n)*16
			*shm.Word64(at), *shm.Word64(at + 8) = uint64(pieces[n].Addr), k
			size += k
			if k < pieces[n].Size {
				pieces[n].Addr += uintptr(k)
				pieces[n].Size -= k
				n++
				break
			}
			pieces[n].Size = 0
			n++
		}
		if err := s.post(box, n, addr, int64(size), write); err != nil {
			return err
		}
		addr += uintptr(size)
		if pieces[n-1].Size > 0 {
			n--
		}
		pieces = pieces[n:]
	}
	return nil
}

// post puts one request into the mailbox and waits for its answer.
func (s *spot) post(box uintptr, n int, addr uintptr, size int64, write bool) error {
	w := s.w
	state := w.word(s.rank, fast.BlockState)
	*shm.Word32(box + mailCount), *shm.Word32(box + mailFrom) = uint32(n), uint32(w.me)
	*shm.Word32(box + mailWrite) = 0
	if write {
		*shm.Word32(box + mailWrite) = 1
		shm.Copy(box+mailData, addr, size)
	}
	atomic.StoreUint32(state, mailAsked) // pairs with helper.run
	shm.FutexWake(state, math.MaxInt32)
	if err := w.space.engine.WaitFor(&answered{state}); err != nil {
		return err
	}
	failed := *shm.Word32(box + mailFailed) != 0
	if !write && !failed {
		shm.Copy(addr, box+mailData, size)
	}
	atomic.StoreUint32(state, mailIdle)
	if failed {
		return mpierr.New(mpierr.ErrRMARange, "%d bytes of rank %d's window cannot be accessed there", size, s.rank)
	}
	return nil
}

// helper serves the mailbox of a rank.
type helper struct {
	w    *Window
	list []shm.Piece // room for the pieces of a request
	done chan struct{}
}

// serve starts the helper of this rank.
func (w *Window) serve() *helper {
	h := &helper{w: w, done: make(chan struct{})}
	go h.run()
	return h
}

func (h *helper) run() {
	runtime.LockOSThread()
	defer close(h.done)
	w := h.w
	state, box := w.word(w.me, fast.BlockState), w.mailbox(w.me)
	for {
		switch v := atomic.LoadUint32(state); v {
		case mailClosing:
			return
		case mailAsked:
			*shm.Word32(box + mailFailed) = 0
			if !h.work(box) {
				*shm.Word32(box + mailFailed) = 1
			}
			from := atomic.LoadUint32(shm.Word32(box + mailFrom))
			atomic.StoreUint32(state, mailAnswered) // pairs with answered.Ready
			if from < uint32(w.n) {
				w.peers[from].bell.Ring()
			}
		default:
			shm.FutexWait(state, v, 0)
		}
	}
}

// work carries a request out; it is false when the memory cannot be touched, or is not the window's.
func (h *helper) work(box uintptr) (ok bool) {
	pieces, ok := h.pieces(box)
	if !ok {
		return false
	}
	debug.SetPanicOnFault(true)
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	write, data := atomic.LoadUint32(shm.Word32(box+mailWrite)) != 0, box+mailData
	for _, p := range pieces {
		if write {
			shm.Copy(p.Addr, data, int64(p.Size))
		} else {
			shm.Copy(data, p.Addr, int64(p.Size))
		}
		data += uintptr(p.Size)
	}
	return true
}

// pieces reads what a request is about, once; ok is false when that is too much, or not all in the window.
func (h *helper) pieces(box uintptr) (pieces []shm.Piece, ok bool) {
	count, room := atomic.LoadUint32(shm.Word32(box+mailCount)), uint64(mailRoom)
	if count > mostPieces {
		return nil, false
	}
	h.list = h.list[:0]
	for i := range count {
		at := box + mailPieces + uintptr(i)*16
		p := shm.Piece{Addr: uintptr(atomic.LoadUint64(shm.Word64(at))),
			Size: atomic.LoadUint64(shm.Word64(at + 8))}
		if p.Size > room || !h.w.holds(uint64(p.Addr), p.Size) {
			return nil, false
		}
		room -= p.Size
		h.list = append(h.list, p)
	}
	return h.list, true
}

// stop ends the helper. All ranks have come to the end of the window, so nobody asks any more.
func (h *helper) stop() {
	state := h.w.word(h.w.me, fast.BlockState)
	atomic.StoreUint32(state, mailClosing)
	shm.FutexWake(state, math.MaxInt32)
	<-h.done
}
