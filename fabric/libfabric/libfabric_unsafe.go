// Package libfabric has the endpoints of package fabric by the library libfabric, which is opened when it is
// needed and not before: few jobs span nodes, and programs start without it. What gompi uses of its binary
// interface is declared in abi.h, so no header of it is needed to build.
//
// The library gets memory of this package and of the program alone, never Go's: it may keep addresses, and
// caches registrations.
package libfabric

// #cgo CFLAGS: -O2 -Wall -Wextra
// #cgo LDFLAGS: -ldl
// #cgo noescape fabric_arm
// #cgo nocallback fabric_arm
// #cgo noescape fabric_sleep
// #cgo nocallback fabric_sleep
// #include <stdlib.h>
// #include "fabric.h"
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"gompi/fabric"
	"gompi/native"
)

// Library is libfabric, opened.
type Library struct{}

// Prepare puts what gompi wants of the providers into the environment, where the user has not said otherwise.
// Open does so as well; where that is called while other threads run, they may not like it.
func Prepare() {
	for name, value := range fabric.Settings() {
		setDefault(name, value)
	}
}

// Open opens the library: that of the system, or the file at path if that is not "".
func Open(path string) (*Library, error) {
	Prepare()
	var file *C.char
	if path != "" {
		file = C.CString(path)
		defer C.free(unsafe.Pointer(file))
	}
	var why [512]C.char
	if C.fabric_load(file, &why[0], C.size_t(len(why))) != 0 {
		return nil, fmt.Errorf("%w: %s (Debian's package is libfabric1; GOMPI_LIBFABRIC names a file)",
			fabric.ErrNoLibrary, C.GoString(&why[0]))
	}
	return &Library{}, nil
}

func setDefault(name, value string) {
	n, v := C.CString(name), C.CString(value)
	C.fabric_default(n, v)
	C.free(unsafe.Pointer(n))
	C.free(unsafe.Pointer(v))
}

// Version is that of the library.
func (*Library) Version() fabric.Version { return fabric.Version(C.fabric_version()) }

// Offers are the endpoints that can be had here, to be closed. Of the list of libfabric they have all that
// sends to an address, at an interface or, if source is "", at any.
type Offers struct {
	List  []fabric.Offer
	first *C.struct_ofi_info
	infos []*C.struct_ofi_info
}

// Offers asks for what can be had. A provider that knows no addresses of interfaces is asked without.
func (*Library) Offers(source string) (*Offers, error) {
	o := new(Offers)
	var from *C.char
	if source != "" {
		from = C.CString(source)
		defer C.free(unsafe.Pointer(from))
	}
	const noData = -61
	switch n := C.fabric_offers(from, &o.first); {
	case n == noData:
		return o, nil
	case n != 0:
		return nil, failed("fi_getinfo", n)
	}
	for info := o.first; info != nil; {
		var c C.struct_fabric_offer
		o.infos = append(o.infos, info)
		info = C.fabric_look(info, &c)
		o.List = append(o.List, fabric.Offer{
			Provider: C.GoString(c.provider), Domain: C.GoString(c.domain), Network: C.GoString(c.fabric),
			Version: fabric.Version(c.version), Protocol: uint32(c.protocol),
			Address: C.GoBytes(c.address, C.int(c.address_size)),
			Inject:  int(c.inject), Most: int(c.most), Parts: int(c.parts),
			Registers: c.registration&localRegistration != 0, Automatic: c.progress == automaticProgress,
		})
	}
	return o, nil
}

// Values of libfabric's in an offer.
const (
	localRegistration = 1 << 2
	automaticProgress = 1
)

// Close gives the list back.
func (o *Offers) Close() {
	if o.first != nil {
		C.fabric_free_offers(o.first)
		o.first = nil
	}
}

// failed is the error of a call.
func failed(call string, number C.int) error {
	return fmt.Errorf("%s: %s", call, C.GoString(C.fabric_error(number)))
}

// endpoint implements fabric.Endpoint.
type endpoint struct {
	c         *C.struct_fabric_endpoint
	found     *fabric.Completion        // what a look finds
	operation C.struct_fabric_operation // that is begun
}

var _ fabric.Endpoint = (*endpoint)(nil)

// Endpoint opens an endpoint, of the offer with that index.
func (o *Offers) Endpoint(i int, with fabric.Options) (fabric.Endpoint, error) {
	t := fabric.TraitsOf(o.List[i].Provider)
	c := C.struct_fabric_options{
		peers: C.size_t(with.Peers), least: C.size_t(with.Least), chunk: C.size_t(with.Chunk),
		chunks: C.uint32_t(with.Chunks), numbers: C.uint32_t(with.Numbers),
	}
	if with.Alone {
		c.alone = 1
	}
	if t.Automatic {
		c.automatic = 1
	}
	if t.Signals {
		c.signals = 1
	}
	if !t.NoWatch {
		c.bell = (*C.uint32_t)(with.Bell)
	}
	e := new(endpoint)
	var step *C.char
	if n := C.fabric_open(o.infos[i], &c, &e.c, &step); n != 0 {
		return nil, fmt.Errorf("provider %s: %w", o.List[i].Provider, failed(C.GoString(step), n))
	}
	e.operation.endpoint, e.found = e.c, (*fabric.Completion)(unsafe.Pointer(C.fabric_found(e.c)))
	return e, nil
}

// Address implements fabric.Endpoint.
func (e *endpoint) Address() []byte {
	const most = 256
	var a [most]byte
	n := C.fabric_address(e.c, unsafe.Pointer(&a[0]), most)
	if n < 0 {
		return nil
	}
	return slices.Clone(a[:min(n, most)])
}

// Insert implements fabric.Endpoint.
func (e *endpoint) Insert(address []byte) (fabric.Peer, error) {
	var peer C.uint64_t
	if n := C.fabric_insert(e.c, unsafe.Pointer(unsafe.SliceData(address)), &peer); n != 0 {
		return 0, failed("fi_av_insert", n)
	}
	return fabric.Peer(peer), nil
}

// Memory implements fabric.Endpoint.
func (e *endpoint) Memory() uintptr { return uintptr(C.fabric_memory(e.c)) }

// Register implements fabric.Endpoint.
func (e *endpoint) Register(chunk int) error {
	if n := C.fabric_register(e.c, C.uint32_t(chunk)); n != 0 {
		return failed("fi_mr_reg", n)
	}
	return nil
}

// SendsTwo implements fabric.Endpoint.
func (e *endpoint) SendsTwo() bool { return C.fabric_sends_two(e.c) != 0 }

// begin begins an operation.
func (e *endpoint) begin(f unsafe.Pointer, number uint32, at uintptr, n int) fabric.Result {
	o := &e.operation
	o.number, o.at, o.n = C.uint32_t(number), C.uintptr_t(at), C.size_t(n)
	return fabric.Result(native.Call(f, unsafe.Pointer(o)))
}

// Receive implements fabric.Endpoint.
func (e *endpoint) Receive(number uint32, at uintptr, n int) fabric.Result {
	return e.begin(unsafe.Pointer(C.fabric_receive), number, at, n)
}

// Send implements fabric.Endpoint.
func (e *endpoint) Send(number uint32, to fabric.Peer, at uintptr, n int) fabric.Result {
	return e.SendTwo(number, to, at, n, 0, 0)
}

// SendTwo implements fabric.Endpoint.
func (e *endpoint) SendTwo(number uint32, to fabric.Peer, at uintptr, n int, from uintptr,
	more int) fabric.Result {
	e.operation.peer, e.operation.from, e.operation.more = C.uint64_t(to), C.uintptr_t(from), C.size_t(more)
	return e.begin(unsafe.Pointer(C.fabric_send), number, at, n)
}

// Done implements fabric.Endpoint.
func (e *endpoint) Done() []fabric.Completion {
	n := native.Call(unsafe.Pointer(C.fabric_look_done), unsafe.Pointer(e.c))
	if n <= 0 {
		return nil
	}
	return unsafe.Slice(e.found, int(n))
}

// A completion is read as C has written it.
var _ [unsafe.Sizeof(C.struct_fabric_done{})]byte = [unsafe.Sizeof(fabric.Completion{})]byte{}

// Arm implements fabric.Endpoint.
func (e *endpoint) Arm() fabric.Watch { return fabric.Watch(C.fabric_arm(e.c)) }

// Sleep implements fabric.Endpoint.
func (e *endpoint) Sleep(mark uint32, most time.Duration) bool {
	return C.fabric_sleep(e.c, C.uint32_t(mark), C.uint64_t(most)) != 0
}

// Close implements fabric.Endpoint.
func (e *endpoint) Close() { C.fabric_close(e.c) }

// begin has threads that end the process or fork it wait until end.
func begin() {
	runtime.LockOSThread() // which holds a lock
	C.fabric_begin()
}

func end() {
	C.fabric_end()
	runtime.UnlockOSThread()
}

// Connect opens the library and an endpoint of the provider that fabric.Wish chooses. It is a fabric.Opener.
func Connect(o fabric.Opening) (fabric.Opened, error) {
	begin()
	defer end()
	l, err := Open(o.File)
	if err != nil {
		return fabric.Opened{}, err
	}
	o.Wish.Library = l.Version()
	offers, i, err := l.choose(&o)
	if err != nil {
		return fabric.Opened{}, err
	}
	defer offers.Close()
	e, err := offers.Endpoint(i, o.Options)
	return fabric.Opened{Endpoint: e, Provider: offers.List[i].Provider, Version: offers.List[i].Version}, err
}

// choose is the offer to take, among those at the interface that is wanted. Unless the user has named that
// interface, all count where none there can be taken: not every name of a machine is one of its addresses.
func (l *Library) choose(o *fabric.Opening) (*Offers, int, error) {
	offers, err := l.Offers(o.Source)
	if err != nil {
		return nil, -1, err
	}
	i, err := o.Wish.Choose(offers.List)
	if err == nil {
		return offers, i, nil
	}
	offers.Close()
	if o.Source == "" || o.Forced {
		return nil, -1, err
	}
	o.Source = ""
	return l.choose(o)
}
