package launch

import (
	"encoding/hex"
	"time"

	"gompi/launch/host"
	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// What is left of spawned worlds when they end, while the job goes on.

// Kill ends the ranks of a world at once, and nobody else.
func (j *job) Kill(w *world) {
	w.failing, w.asked = true, true
	if w.living == 0 {
		return
	}
	w.killAt = time.Now().Add(killAgain)
	w.tell(&host.Frame{Kind: host.FrameKill})
	var roots []int
	for _, r := range w.ranks {
		if r.child() {
			roots = append(roots, r.pid)
		}
	}
	for _, pid := range append(roots, process.Descendants(roots, nil)...) {
		unix.Kill(pid, unix.SIGKILL)
	}
}

// is reports whether the world is the job of that identity, in hexadecimal digits.
func (w *world) is(identity string) bool {
	for _, n := range w.nodes {
		if n.identity() == identity {
			return true
		}
	}
	return false
}

// identity is that of the node's segment, in hexadecimal digits; "" when there is none.
func (n *node) identity() string {
	if n.segment == nil {
		return n.id
	}
	id := n.segment.ID()
	return hex.EncodeToString(id[:])
}

// retire gives up what belongs to spawned worlds that have ended: a job may spawn without end.
func (j *job) retire() {
	if len(j.worlds) < 2 {
		return
	}
	kept := j.worlds[:1]
	for _, w := range j.worlds[1:] {
		if w.living > 0 || w.victim != nil || !w.close() {
			kept = append(kept, w)
			continue
		}
		if !w.failing {
			j.retired += len(w.ranks)
		}
		for _, other := range j.worlds {
			for _, r := range other.ranks {
				delete(r.links, w)
			}
			if other.parent == w {
				other.parent, other.port = nil, ""
			}
		}
	}
	if len(kept) == len(j.worlds) {
		return
	}
	clear(j.worlds[len(kept):])
	j.worlds = kept
	j.ranks = nil
	for _, w := range kept {
		j.ranks = append(j.ranks, w.ranks...)
	}
}

// close gives up the memory and the descriptors of a world that has ended. It returns false as long as a
// process that one of its ranks has left behind may still write.
func (w *world) close() bool {
	all := true
	for _, r := range w.ranks {
		r.conn.close()
		for s := range r.streams {
			if s.Pending() {
				all = false
			}
		}
	}
	for _, n := range w.nodes {
		if n.segment != nil {
			n.segment.Close()
			n.segment = nil
		}
	}
	return all
}
