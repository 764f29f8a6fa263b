//fast:go

package fast

// What package p2p asks about handles of requests.

// NumberOf is the number of the request behind a handle, whatever its state; NoRequest when there is none.
func (t *RequestTable) NumberOf(handle uintptr) uint32 {
	r := t.named(handle)
	if r == nil {
		return NoRequest
	}
	return t.index(r)
}

// HandleOf is the handle of request i.
func (t *RequestTable) HandleOf(i uint32) uintptr { return t.handle(i) }

// ReadHandle is element i of the handles at an address.
func ReadHandle(handles uintptr, i int32) uintptr { return *handleAt(wordAt(handles), i) }

// IsPending reports whether this package goes on with the request behind a handle, and it is not done.
func (t *RequestTable) IsPending(handle uintptr) bool {
	r := t.find(handle)
	return r != nil && r.pending()
}

// AllPending reports whether this package goes on with each of the requests with the handles at an address
// that completion calls do not pass over, of which there are some, and none is done.
func (e *Endpoint) AllPending(count int32, handles uintptr) bool {
	return e.firstDone(count, wordAt(handles)) == noneYet
}
