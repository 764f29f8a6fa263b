// Package sanitize runs the fast engine in C, capi/zz_fast.h, with ranks that are threads of one process, so
// that gcc's sanitizer of threads sees what they share, which it cannot between processes. scripts/sanitize
// runs its test with -fsanitize=thread in CGO_CFLAGS and CGO_LDFLAGS.
package sanitize

// #cgo CFLAGS: -I${SRCDIR}/../../include -Wall -Wextra -Wno-unused-parameter
// #include "traffic.h"
import "C"

import (
	"errors"

	"gompi/runtime/fast"
)

// traffic does random operations over an endpoint as rank me of n and checks what arrives. The endpoint knows
// the world, and its rings are open.
func traffic(e *fast.Endpoint, me, n int, seed uint64, steps int) error {
	wrong := C.sanitize_traffic(C.uintptr_t(e.Address()), C.int(me), C.int(n), C.uint64_t(seed), C.int(steps))
	if wrong == nil {
		return nil
	}
	text := C.GoString(wrong)
	C.sanitize_free(wrong)
	return errors.New(text)
}
