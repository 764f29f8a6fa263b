package builtin

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"gompi/fabric"
)

// address is where an endpoint listens.
type address struct {
	key [keySize]byte // by which a connection to it begins
	at  netip.AddrPort
	// name is that of a unix socket, where at is not valid. It is in no file system, so it goes with the
	// process
	name string
}

const keySize = 16

// Kinds of address, the first byte of one.
const (
	overTCP  = 't'
	overUnix = 'u'
)

// bytes is the address as others get it: its kind, the key, and where it is.
func (a *address) bytes() []byte {
	if !a.at.IsValid() {
		return append(append([]byte{overUnix}, a.key[:]...), a.name...)
	}
	at, _ := a.at.MarshalBinary() // which has no error
	return append(append([]byte{overTCP}, a.key[:]...), at...)
}

func readAddress(b []byte) (a address, err error) {
	if len(b) <= 1+keySize {
		return a, fmt.Errorf("% x is no address", b)
	}
	copy(a.key[:], b[1:])
	switch at := b[1+keySize:]; b[0] {
	case overUnix:
		a.name = string(at)
		return a, nil
	case overTCP:
		return a, a.at.UnmarshalBinary(at)
	}
	return a, fmt.Errorf("% x is no address", b)
}

// socket is the address as the kernel has it.
func (a *address) socket() (family int, sa unix.Sockaddr) {
	switch ip := a.at.Addr(); {
	case !a.at.IsValid():
		return unix.AF_UNIX, &unix.SockaddrUnix{Name: a.name}
	case ip.Is4():
		return unix.AF_INET, &unix.SockaddrInet4{Port: int(a.at.Port()), Addr: ip.As4()}
	default:
		return unix.AF_INET6, &unix.SockaddrInet6{Port: int(a.at.Port()), Addr: ip.As16()}
	}
}

// listenAt is where an endpoint shall listen. Where the job stays on this machine and the user has named no
// interface, that is a unix socket, otherwise a port that the kernel chooses.
func listenAt(o *fabric.Opening) (a address, err error) {
	rand.Read(a.key[:])
	if o.Wish.Loopback && !o.Forced {
		var name [8]byte
		rand.Read(name[:])
		a.name = "@gompi-" + hex.EncodeToString(name[:])
		return a, nil
	}
	source, err := Interface(o)
	a.at = netip.AddrPortFrom(source, 0)
	return a, err
}

// Interface is the address at which an endpoint would listen for other machines: the one that is asked for,
// or one that leads to others where that does not and the user has not named it.
func Interface(o *fabric.Opening) (netip.Addr, error) {
	source, err := netip.ParseAddr(o.Source)
	source = source.Unmap()
	switch leads := err == nil && isOwn(source) && (o.Wish.Loopback || !source.IsLoopback()); {
	case leads:
		return source, nil
	case o.Forced:
		return source, fmt.Errorf("%q is no address of this machine that others can reach", o.Source)
	}
	return interfaceAddress()
}

// isOwn reports whether an address is one of this machine's.
func isOwn(ip netip.Addr) bool {
	a := address{at: netip.AddrPortFrom(ip, 0)}
	family, sa := a.socket()
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return unix.Bind(fd, sa) == nil
}

// interfaceAddress is the address of the interface of the first route to other machines.
func interfaceAddress() (netip.Addr, error) {
	for _, to := range destinations() {
		if ip, ok := sourceFor(to); ok && !ip.IsLoopback() {
			return ip, nil
		}
	}
	return netip.Addr{},
		errors.New("this machine has no route to others (GOMPI_FABRIC_ADDRESS names an interface)")
}

// destinations are addresses, one behind each route; nobody is sent anything.
func destinations() []netip.Addr {
	beyond := []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	f, err := os.Open("/proc/net/route")
	if err != nil {
		return beyond
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		b, err := hex.DecodeString(fields[1])
		if err != nil || len(b) != 4 {
			continue
		}
		var network [4]byte
		binary.BigEndian.PutUint32(network[:], binary.NativeEndian.Uint32(b))
		beyond = append(beyond, netip.AddrFrom4(network).Next())
	}
	return beyond
}

// sourceFor is the address from which this machine would send to another one.
func sourceFor(to netip.Addr) (netip.Addr, bool) {
	const discard = 9 // any port will do
	a := address{at: netip.AddrPortFrom(to, discard)}
	family, sa := a.socket()
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return netip.Addr{}, false
	}
	defer unix.Close(fd)
	if unix.Connect(fd, sa) != nil {
		return netip.Addr{}, false
	}
	from, err := ownAddress(fd)
	return from.Addr(), err == nil
}

// ownAddress is the address of a socket's own end.
func ownAddress(fd int) (netip.AddrPort, error) {
	sa, err := unix.Getsockname(fd)
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port)), nil
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr), uint16(sa.Port)), nil
	}
	return netip.AddrPort{}, err
}
