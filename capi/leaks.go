package main

// #include <stdint.h>
// #include "life.h"
import "C"

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/file"
	"gompi/runtime/group"
	"gompi/runtime/info"
	"gompi/runtime/op"
	"gompi/runtime/request"
	"gompi/runtime/rma"
	"gompi/runtime/session"
)

// GOMPI_CHECK=leaks: what the program never freed, listed when MPI ends.

// makers is which function made the object of each handle, and each attribute key, whose number is none of a
// handle. It is noted with GOMPI_CHECK=leaks alone.
var makers struct {
	mu sync.Mutex
	of map[uintptr]string
}

// made notes who made the object with a handle. Exports call it for each handle that they give to the
// program.
func (a *args) made(handle uintptr) {
	l := library.Load()
	if l == nil || !l.settings.CheckLeaks || handle <= maxPredefined {
		return
	}
	makers.mu.Lock()
	defer makers.mu.Unlock()
	if makers.of == nil {
		makers.of = map[uintptr]string{}
	}
	makers.of[handle] = a.called()
}

// leaked describes an object: its kind, its name if it has one, and who made it.
func leaked(kind, name string, handle uintptr) string {
	if name != "" {
		kind += fmt.Sprintf(" %q", name)
	}
	makers.mu.Lock()
	defer makers.mu.Unlock()
	if maker := makers.of[handle]; maker != "" {
		kind += " made by " + maker
	}
	return kind
}

// leaks describes all that the program has made and not freed.
func leaks() (all []string) {
	wins.each(func(h uintptr, w *rma.Window) { all = append(all, leaked("window", w.Name(), h)) })
	files.each(func(h uintptr, f *file.File) { all = append(all, leaked("file", f.Path(), h)) })
	comms.each(func(h uintptr, c *comm.Comm) { all = append(all, leaked("communicator", c.Name(), h)) })
	groups.each(func(h uintptr, _ *group.Group) { all = append(all, leaked("group", "", h)) })
	datatypes.each(func(h uintptr, t *datatype.Type) { all = append(all, leaked("datatype", t.Label(), h)) })
	infos.each(func(h uintptr, _ *info.Info) { all = append(all, leaked("info object", "", h)) })
	errhandlers.table.each(func(h uintptr, _ *errhandler) { all = append(all, leaked("error handler", "", h)) })
	messages.each(func(h uintptr, _ *matched) { all = append(all, leaked("matched message", "", h)) })
	files.each(func(h uintptr, f *file.File) { all = append(all, leaked("file", f.Name(), h)) })
	ops.each(func(h uintptr, _ *op.Op) { all = append(all, leaked("reduction operation", "", h)) })
	sessions.each(func(h uintptr, s *session.Session) { all = append(all, leaked("session", s.Name(), h)) })
	for _, number := range keyvals.Live() {
		all = append(all, leaked("attribute key", "", uintptr(number)))
	}
	engine().Requests(func(r *request.Request) { all = append(all, "request of "+requestKind(r)) })
	return all
}

// requestKind names the operation of a request.
func requestKind(r *request.Request) string {
	names := map[request.Kind]string{request.Send: "a send", request.Recv: "a receive", request.Pair: "a send and receive",
		request.Flush: "a flush of buffered messages"}
	name, ok := names[r.BegunAs()]
	if !ok {
		name = "an operation"
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
	say(b.String())
}

// say tells the user something when MPI ends, in one piece. Nobody needs the memory any more.
func say(text string) { C.gompi_say(C.CString(text)) }
