package mpi

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gompi/runtime/attr"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/group"
	"gompi/runtime/info"
	"gompi/runtime/op"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/request"
	"gompi/runtime/rma"
	"gompi/runtime/session"
)

// GOMPI_CHECK=leaks: what the program never freed, listed when MPI ends.

// Made notes which call made the object with a handle. Exports call it for each that they give to the
// program.
func (a *Args) Made(handle uintptr) {
	if a.noted != nil {
		a.noted.makes(handle)
	}
}

func (n *noted) makes(handle uintptr) {
	if handle <= maxPredefined {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.made[handle] = n.place
}

// leaked describes an object: its kind, its name if it has one, and who made it.
func leaked(kind, name string, handle uintptr) string {
	if name != "" {
		kind += fmt.Sprintf(" %q", name)
	}
	return kind + maker(handle)
}

// maker names the call that has made what a handle, or an address, names.
func maker(handle uintptr) string {
	k := checking.Load()
	if k == nil {
		return ""
	}
	k.mu.Lock()
	place, known := k.made[handle]
	k.mu.Unlock()
	if !known {
		return ""
	}
	return " made by " + k.Spell(place)
}

// leaks describes all that the program has made and not freed.
func leaks() (all []string) {
	wins.each(func(h uintptr, w *rma.Window) {
		what := leaked("window", w.Name(), h)
		if err := w.Idle(); err != nil {
			what += fmt.Sprintf(", in an epoch (%v)", err)
		}
		all = append(all, what)
	})
	files.each(func(h uintptr, f *file.File) { all = append(all, leaked("file", f.Path(), h)) })
	comms.each(func(h uintptr, c *comm.Comm) { all = append(all, leaked("communicator", c.Name(), h)) })
	groups.each(func(h uintptr, _ *group.Group) { all = append(all, leaked("group", "", h)) })
	datatypes.each(func(h uintptr, t *datatype.Type) { all = append(all, leaked("datatype", t.Label(), h)) })
	infos.each(func(h uintptr, _ *info.Info) { all = append(all, leaked("info object", "", h)) })
	errhandlers.each(func(h uintptr, _ *Errhandler) { all = append(all, leaked("error handler", "", h)) })
	engine().EachMatched(func(h uintptr) { all = append(all, leaked("matched message", "", h)) })
	ops.each(func(h uintptr, _ *op.Op) { all = append(all, leaked("reduction operation", "", h)) })
	sessions.each(func(h uintptr, s *session.Session) { all = append(all, leaked("session", s.Name(), h)) })
	keyvals.each(func(h uintptr, k *attr.Keyval) {
		if !k.Freed() {
			all = append(all, leaked("attribute key", "", h))
		}
	})
	var requests []*request.Request
	engine().Requests(func(r *request.Request) { requests = append(requests, r) })
	for _, r := range requests {
		all = append(all, leakedRequest("request of "+requestKind(r), requestHandle(r)))
	}
	for _, size := range buffers().Sizes() {
		all = append(all, fmt.Sprintf("attached buffer of %d bytes", size))
	}
	if k := checking.Load(); k != nil {
		k.mu.Lock()
		memory := maps.Clone(k.memory)
		k.mu.Unlock()
		for address, size := range memory {
			all = append(all, leaked(fmt.Sprintf("memory of %d bytes", size), "", address))
		}
	}
	return all
}

// requestKind names the operation of a request.
func requestKind(r *request.Request) string {
	names := map[request.Kind]string{request.Send: "a send", request.Recv: "a receive", request.Pair: "a send and receive"}
	name, ok := names[r.BegunAs()]
	if !ok {
		name = "an operation"
	}
	if _, flush := r.Op.(*buffered.Flush); flush {
		name = "a flush of buffered messages"
	}
	if r.Persistent() {
		name += ", persistent"
	}
	return name
}

// reportLeaks tells the user what was never freed, in one piece.
func reportLeaks() {
	count := map[string]int{}
	total := 0
	for _, what := range leaks() {
		count[what]++
		total++
	}
	if total == 0 {
		return
	}
	var b strings.Builder
	line := func(format string, a ...any) {
		fmt.Fprintf(&b, "gompi: %s: "+format+"\n", append([]any{whoami()}, a...)...)
	}
	never := "objects were never freed"
	if total == 1 {
		never = "object was never freed"
	}
	line("%d %s (GOMPI_CHECK=leaks):", total, never)
	for _, what := range slices.Sorted(maps.Keys(count)) {
		line("  %d x %s", count[what], what)
	}
	host.Say(b.String())
}
