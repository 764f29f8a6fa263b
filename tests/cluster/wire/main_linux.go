// Wire is a switch that delays what goes over it: a command for tests, which pretends hosts at a distance
// from each other. Many kernels, those of CI machines and of small virtual machines among them, cannot delay
// packets themselves.
//
//	wire DELAY NAMESPACE...
//
// Each network name space, given by its file, gets an interface eth0. A frame arrives after the delay (such
// as 5ms) at the host that it is for, or at all others where that is not known. wire goes on until it is
// killed.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// frame is one that is under way.
type frame struct {
	due  time.Time
	from int
	data []byte
}

// Sizes of frames in bytes.
const (
	shortest = 14    // the addresses and the kind
	longest  = 65536 // of a read; the interfaces have the usual 1500 and the head
)

// ahead is how many frames may be under way. A switch drops those for which it has no room.
const ahead = 1 << 14

// address is that of an interface.
type address [6]byte

// network is what the ports of the switch have in common.
type network struct {
	ports []int // descriptors
	queue chan frame
	mu    sync.Mutex
	at    map[address]int // the port behind which an address has been seen
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: wire DELAY NAMESPACE NAMESPACE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "wire: %v\n", err)
		os.Exit(1)
	}
}

// run joins the name spaces. It does not return without an error.
func run(wanted string, spaces []string) error {
	delay, err := time.ParseDuration(wanted)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // a name space is a thread's
	n := &network{queue: make(chan frame, ahead), at: map[address]int{}}
	for _, space := range spaces {
		port, err := open(space)
		if err != nil {
			return fmt.Errorf("%s: %w", space, err)
		}
		n.ports = append(n.ports, port)
	}
	failed := make(chan error)
	for i := range n.ports {
		go func() { failed <- n.take(i, delay) }()
	}
	go n.deliver()
	return <-failed
}

// open makes the interface of a name space, into which the calling thread goes.
func open(space string) (int, error) {
	ns, err := unix.Open(space, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	defer unix.Close(ns)
	if err := unix.Setns(ns, unix.CLONE_NEWNET); err != nil {
		return -1, err
	}
	port, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("/dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq("eth0")
	if err != nil {
		return -1, err
	}
	request.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI)
	return port, unix.IoctlIfreq(port, unix.TUNSETIFF, request)
}

// take takes what a host sends.
func (n *network) take(port int, delay time.Duration) error {
	buffer := make([]byte, longest)
	for {
		size, err := unix.Read(n.ports[port], buffer)
		switch {
		case err == unix.EINTR || err == unix.EIO: // the interface is not up
			time.Sleep(time.Millisecond)
			continue
		case err != nil:
			return err
		case size < shortest:
			continue
		}
		f := frame{time.Now().Add(delay), port, append([]byte(nil), buffer[:size]...)}
		n.mu.Lock()
		n.at[address(f.data[6:12])] = port
		n.mu.Unlock()
		select {
		case n.queue <- f:
		default:
		}
	}
}

// deliver hands on frames in the order in which they are due, which is that in which they were sent.
func (n *network) deliver() {
	for f := range n.queue {
		time.Sleep(time.Until(f.due))
		n.mu.Lock()
		to, known := n.at[address(f.data[:6])]
		n.mu.Unlock()
		for i, port := range n.ports {
			if i == f.from || known && i != to {
				continue
			}
			// A host that has no room, or no interface that is up, loses it.
			_, _ = unix.Write(port, f.data)
		}
	}
}
