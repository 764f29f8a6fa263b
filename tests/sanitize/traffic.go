// Package sanitize runs the fast engine in C, capi/zz_fast.h, with ranks that are threads of one process, so
// that gcc's sanitizer of threads sees what they share, which it cannot between processes. scripts/sanitize
// runs its test with -fsanitize=thread in CGO_CFLAGS and CGO_LDFLAGS.
package sanitize

// #cgo CFLAGS: -Wall -Wextra -Wno-unused-parameter
// #include "traffic.h"
import "C"

import (
	"errors"

	"gompi/runtime/fast"
)

// place is a window by its handle, and where this rank's memory in it is.
type place struct{ handle, memory uintptr }

// othersHandle is that of the group of all ranks but the own one, which nothing else has here.
const othersHandle = 0x2000

// traffic does random operations over an endpoint as rank me of n and checks what arrives. The endpoint knows
// the world and the windows, and its rings are open.
func traffic(e *fast.Endpoint, windows [2]place, me, n int, seed uint64, steps int) error {
	who := C.struct_sanitize_rank{endpoint: C.uintptr_t(e.Address()), others: othersHandle, me: C.int(me),
		n: C.int(n)}
	for i, w := range windows {
		who.windows[i], who.memory[i] = C.uintptr_t(w.handle), C.uintptr_t(w.memory)
	}
	wrong := C.sanitize_traffic(&who, C.uint64_t(seed), C.int(steps))
	if wrong == nil {
		return nil
	}
	text := C.GoString(wrong)
	C.sanitize_free(wrong)
	return errors.New(text)
}

// windowSize is what a window has of each rank, in bytes.
const windowSize = C.SANITIZE_WORDS * 8
