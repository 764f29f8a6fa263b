package builtin

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"gompi/fabric"
	"gompi/shm"
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

// opens reports whether a key is that of the address. It takes as long for each that is not.
func (a *address) opens(key *[keySize]byte) bool {
	differ := byte(0)
	for i := range key {
		differ |= key[i] ^ a.key[i]
	}
	return differ == 0
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
	if err = shm.Random(a.key[:]); err != nil {
		return a, err
	}
	if o.Wish.Loopback && !o.Forced {
		var name [8]byte
		err = shm.Random(name[:])
		a.name = "@gompi-" + hex.EncodeToString(name[:])
		return a, err
	}
	ip, err := Interface(o)
	a.at = netip.AddrPortFrom(ip, 0)
	return a, err
}

// Interface is the address at which an endpoint would listen for other machines: the one that is asked for,
// or one that leads to others where that does not and the user has not named it.
func Interface(o *fabric.Opening) (netip.Addr, error) {
	ip, err := netip.ParseAddr(o.Source)
	ip = ip.Unmap()
	switch leads := err == nil && isOwn(ip) && (o.Wish.Loopback || !ip.IsLoopback()); {
	case leads:
		return ip, nil
	case o.Forced:
		return ip, fmt.Errorf("%q is no address of this machine that others can reach", o.Source)
	}
	return interfaceAddress()
}

// isOwn reports whether an address is one of this machine's.
func isOwn(ip netip.Addr) bool {
	_, err := source(netip.AddrPortFrom(ip, 0), unix.Bind)
	return err == nil
}

// interfaceAddress is the address of the interface of the first route to other machines.
func interfaceAddress() (netip.Addr, error) {
	for _, to := range destinations() {
		const discard = 9 // any port will do
		ip, err := source(netip.AddrPortFrom(to, discard), unix.Connect)
		if err == nil && !ip.IsLoopback() {
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

// source is the address of a socket for datagrams once it is bound or connected to another one.
func source(at netip.AddrPort, to func(fd int, sa unix.Sockaddr) error) (netip.Addr, error) {
	a := address{at: at}
	family, sa := a.socket()
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return netip.Addr{}, err
	}
	defer unix.Close(fd)
	if err := to(fd, sa); err != nil {
		return netip.Addr{}, err
	}
	own, err := ownAddress(fd)
	return own.Addr(), err
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
