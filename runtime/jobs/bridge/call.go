package bridge

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"

	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/shm"
)

// Two processes of different jobs that have no communicator in common may have several bridges between them.
// Which of them the other one still has is not known for sure: communicators are freed without waiting, by
// several threads perhaps. So a note goes over the first bridge, and again over the next one when the other
// end turns out to have left that. Notes are numbered: a copy that comes late is known by that.

// callee is a process of another job, as it is talked with in a context that belongs to no CID.
type callee struct {
	process int
	context uint32
}

// route is a bridge to a process, the process's number among the members, and the engine's number for it.
type route struct {
	bridge       *Bridge
	member, peer int
}

// left reports whether the process at the other end has left the bridge.
func (w route) left() bool { return shm.Left(w.bridge.Segment, w.member) }

// Ready implements p2p.Condition: the process at the other end has left the bridge.
func (w route) Ready() bool { return w.left() }

// noteHead is the length of the number ahead of each note, in bytes.
const noteHead = 8

// Call exchanges notes with a process, of this one's job or one that it is connected with, that calls this
// one as well: in x, a context that belongs to no CID, under a tag, where it is rank with. Both notes have
// the same length. The error is of class MPI_ERR_GROUP when the two are not connected.
func (bs *Bridges) Call(x p2p.Context, with, tag, process int, out, in []byte) error {
	if process < bs.processes.job.Size() {
		x.Peers = p2p.Peers{Base: process}
		return Exchange(bs.engine, &x, out, with, in, with, tag)
	}
	to := callee{process, x.ID}
	routes, used, number, cut := bs.routes(to)
	defer bs.Drop(used)
	needs := make([]Need, len(routes))
	for i, w := range routes {
		needs[i] = Need{w.bridge, w.peer}
	}
	bs.Settle(x.ID, needs)
	defer bs.Unsettle(x.ID)
	note := append(binary.NativeEndian.AppendUint64(nil, number), out...)
	answer := &answer{engine: bs.engine, x: x, with: with, tag: tag, number: number,
		b: make([]byte, len(note))}
	defer runtime.KeepAlive(note)
	for _, w := range routes {
		if w.left() {
			continue
		}
		x.Peers = p2p.Peers{Base: w.peer}
		send, err := bs.engine.Isend(&x, Raw(note), with, tag)
		if err == nil {
			err = answer.await(w)
		}
		if err == nil && (!answer.got || w.left()) {
			// Over this bridge it has perhaps not been heard.
			err = bs.engine.Free(send)
		} else if err == nil {
			err = bs.engine.Wait(send, nil)
			answer.heard = true
		}
		if err != nil {
			return err
		}
		if answer.heard {
			break
		}
	}
	if !answer.got {
		if err := answer.withdraw(); err != nil {
			return err
		}
		// Who has left may have done so because a process at the bridge has died.
		for i := 0; i < len(routes) && cut == nil; i++ {
			cut = bs.lost(routes[i])
		}
		if cut != nil {
			return cut
		}
		rank := bs.processes.Identity(process).Rank
		return mpierr.New(mpierr.ErrGroup, "rank %d of the job of this process and rank %d of another one are not connected with each other, or no more", bs.processes.rank, rank)
	}
	copy(in, answer.b[noteHead:])
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.calls[to]++
	return nil
}

// answer is the note that comes from the other side of a call.
type answer struct {
	engine    *p2p.Engine
	x         p2p.Context
	with, tag int
	number    uint64
	b         []byte
	recv      *request.Request // nil when there is none under way
	got       bool
	heard     bool // the other side has this one's
}

// await waits until the answer has come, or the process at the other end of w has left.
func (a *answer) await(w route) error {
	for !a.got {
		var err error
		if a.recv == nil {
			if a.recv, err = a.engine.Irecv(&a.x, Raw(a.b), a.with, a.tag); err != nil {
				return err
			}
		}
		done, err := a.engine.WaitOr(a.recv, w)
		if err != nil || !done {
			return err
		}
		recv := a.recv
		a.recv = nil
		if err := a.engine.Wait(recv, nil); err != nil {
			return err
		}
		a.got = binary.NativeEndian.Uint64(a.b) == a.number
	}
	return nil
}

// withdraw gives up to wait for the answer.
func (a *answer) withdraw() error {
	if a.recv == nil {
		return nil
	}
	if err := a.engine.Cancel(a.recv); err != nil {
		return err
	}
	return a.engine.Wait(a.recv, nil)
}

// routes lists the bridges to a process that are not cut, in an order that is the same at both ends. Each
// counts a user more. number is that of the next note, cut why there is one bridge less.
func (bs *Bridges) routes(to callee) (all []route, used []*Bridge, number uint64, cut error) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.all {
		i := slices.Index(b.Processes, int32(to.process))
		if i < 0 || b.Peers[i] < 0 || b.lingers {
			continue
		}
		if err := bs.cut([]Need{{b, b.Peers[i]}}); err != nil {
			cut = err
			continue
		}
		b.users++
		all, used = append(all, route{b, i, b.Peers[i]}), append(used, b)
	}
	slices.SortFunc(all, func(v, w route) int {
		a, b := v.bridge.Segment.ID(), w.bridge.Segment.ID()
		return bytes.Compare(a[:], b[:])
	})
	if bs.calls == nil {
		bs.calls = map[callee]uint64{}
	}
	return all, used, bs.calls[to], cut
}

// lost is why a process cannot be reached any more over a bridge, after a look at whether it lives.
func (bs *Bridges) lost(w route) error {
	err := bs.engine.Severed(w.bridge.Segment)
	if bs.recovery.Survives {
		bs.engine.HandleFailures()
		bs.mu.Lock()
		defer bs.mu.Unlock()
		return bs.cut([]Need{{w.bridge, w.peer}})
	}
	if err != nil {
		return mpierr.New(mpierr.ErrProcAborted, "%v", err)
	}
	return nil
}

// Settle notes which bridges are used in a context that belongs to no CID: when one is cut, what is under
// way there fails.
func (bs *Bridges) Settle(context uint32, used []Need) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if bs.settled == nil {
		bs.settled = map[uint32][]Need{}
	}
	bs.settled[context] = used
}

// Unsettle undoes Settle.
func (bs *Bridges) Unsettle(context uint32) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	delete(bs.settled, context)
}
