// Package pmix is a client of PMIx servers, by a library that is loaded at run time: srun --mpi=pmix and Open
// MPI's mpiexec are such servers. It knows that library and nothing of MPI.
package pmix

// #cgo CFLAGS: -O2 -Wall -Wextra
// #cgo LDFLAGS: -ldl
// #include <stdlib.h>
// #include "client.h"
import "C"

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Client is the process as a client of its PMIx server. A process has one at most. Several threads may use
// it.
type Client struct {
	c    *C.struct_gompi_pmix // never freed: threads of the library know it to the end
	lost int
}

// Open loads the library from a file, which the loader looks for if its name has no slash.
func Open(file string) (*Client, error) {
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))
	var reason [512]C.char
	c := (*C.struct_gompi_pmix)(C.calloc(1, C.sizeof_struct_gompi_pmix))
	if C.gompi_pmix_open(c, name, &reason[0], C.size_t(len(reason))) != 0 {
		C.free(unsafe.Pointer(c))
		return nil, fmt.Errorf("%s", C.GoString(&reason[0]))
	}
	return &Client{c: c, lost: -1}, nil
}

// failed is the error for a status of the library.
func (p *Client) failed(function string, status C.int) error {
	return fmt.Errorf("%s: %s (%d)", function, C.GoString(C.gompi_pmix_text(p.c, status)), int(status))
}

// Begin connects to the server and returns the rank of this process.
func (p *Client) Begin() (rank int, err error) {
	if p.lost, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return 0, fmt.Errorf("eventfd: %w", err)
	}
	if status := C.gompi_pmix_begin(p.c, C.int(p.lost)); status != C.GOMPI_PMIX_SUCCESS {
		return 0, p.failed("PMIx_Init", status)
	}
	return int(p.c.self.rank), nil
}

// Lost is a descriptor that can be read once the server has gone.
func (p *Client) Lost() int { return p.lost }

// End leaves the server for good.
func (p *Client) End() error {
	if status := C.gompi_pmix_end(p.c); status != C.GOMPI_PMIX_SUCCESS {
		return p.failed("PMIx_Finalize", status)
	}
	return nil
}

// Number is what the server has said of the job from the start.
func (p *Client) Number(key string) (int, error) {
	name := C.CString(key)
	defer C.free(unsafe.Pointer(name))
	var n C.unsigned
	if status := C.gompi_pmix_number(p.c, name, &n); status != C.GOMPI_PMIX_SUCCESS {
		return 0, p.failed("PMIx_Get of "+key, status)
	}
	return int(n), nil
}

// Text is what the server has said of the job from the start.
func (p *Client) Text(key string) (string, error) {
	name := C.CString(key)
	defer C.free(unsafe.Pointer(name))
	var text *C.char
	if status := C.gompi_pmix_string(p.c, name, &text); status != C.GOMPI_PMIX_SUCCESS {
		return "", p.failed("PMIx_Get of "+key, status)
	}
	defer C.free(unsafe.Pointer(text))
	return C.GoString(text), nil
}

// Put publishes a value, which others can get after the next Fence.
func (p *Client) Put(key, value string) error {
	name, text := C.CString(key), C.CString(value)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(text))
	if status := C.gompi_pmix_put(p.c, name, text); status != C.GOMPI_PMIX_SUCCESS {
		return p.failed("PMIx_Put of "+key, status)
	}
	return nil
}

// Fence waits until all ranks of the job have called it.
func (p *Client) Fence() error {
	if status := C.gompi_pmix_fence(p.c); status != C.GOMPI_PMIX_SUCCESS {
		return p.failed("PMIx_Fence", status)
	}
	return nil
}

// Get returns what a rank has put; any rank, if the number is negative.
func (p *Client) Get(rank int, key string) (string, error) {
	name := C.CString(key)
	defer C.free(unsafe.Pointer(name))
	from := C.uint32_t(C.GOMPI_PMIX_RANK_UNDEF)
	if rank >= 0 {
		from = C.uint32_t(rank)
	}
	var text *C.char
	if status := C.gompi_pmix_get(p.c, from, name, &text); status != C.GOMPI_PMIX_SUCCESS {
		return "", p.failed("PMIx_Get of "+key, status)
	}
	defer C.free(unsafe.Pointer(text))
	return C.GoString(text), nil
}

// Abort asks the server to end the job.
func (p *Client) Abort(code int, why string) error {
	text := C.CString(why)
	defer C.free(unsafe.Pointer(text))
	if status := C.gompi_pmix_abort(p.c, C.int(code), text); status != C.GOMPI_PMIX_SUCCESS {
		return p.failed("PMIx_Abort", status)
	}
	return nil
}
