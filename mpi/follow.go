package mpi

// follower is a C function that goes along with an operation, for libraries of other languages
// (request.Follower).
type follower struct{ function, arg uintptr }

// What a follower is called for, as in capi/callers.h.
const (
	FollowBegin = iota
	FollowEnd
	FollowRelease
)

func (f follower) Begin()   { host.Follow(f.function, f.arg, FollowBegin) }
func (f follower) End()     { host.Follow(f.function, f.arg, FollowEnd) }
func (f follower) Release() { host.Follow(f.function, f.arg, FollowRelease) }

// Follow has a C function go along with the operation that a request stands for.
func Follow(request, function, arg uintptr) {
	f := follower{function, arg}
	if r := lookupRequest(request); r != nil {
		engine().Ops.Follow(r, f)
		return
	}
	f.Release()
}
