package boot

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"gompi/shm"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// joinByPort joins through a TCP port: the launcher names it, and tells rank and size after we have said who
// we are.
func joinByPort(env environ, config Config) (*Job, error) {
	fd, err := dial(env(pmi.EnvPort))
	if err != nil {
		return nil, fmt.Errorf("the launcher's port (PMI_PORT=%s): %w", env(pmi.EnvPort), err)
	}
	c := &client{fd: shm.MoveUp(fd)}
	reply, err := c.request(pmi.New("initack", "pmiid", env(pmi.EnvID)), "initack")
	if err != nil {
		return nil, err
	}
	c.learn(&reply)
	j := &Job{client: c, AppNum: -1, UniverseSize: -1}
	// What has not come by now comes in lines of its own, ahead of the answer to the next request.
	if err := joinPMI(j, env, config, func() error {
		facts := environ(func(name string) string { return c.facts[name] })
		if j.Rank, err = facts.number("rank", 0); err != nil {
			return err
		}
		if j.Size, err = facts.number("size", 1); err != nil {
			return err
		}
		if j.Rank >= j.Size {
			return fmt.Errorf("the launcher says rank %d of %d", j.Rank, j.Size)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return j, nil
}

// dial connects to host:port. No name service is asked: a host is an address, or a name of this machine.
func dial(port string) (int, error) {
	i := strings.LastIndexByte(port, ':')
	number, err := strconv.ParseUint(port[i+1:], 10, 16)
	if i < 0 || err != nil {
		return -1, fmt.Errorf("it is not of the form host:port")
	}
	host := port[:i]
	address, ok := parseIPv4(host)
	if !ok {
		if own, _ := os.Hostname(); host != own && host != "localhost" {
			return -1, fmt.Errorf("host %q is not this machine, and gompi looks no names up; have the launcher give an IPv4 address", host)
		}
		address = [4]byte{127, 0, 0, 1}
	}
	to := &unix.SockaddrInet4{Port: int(number), Addr: address}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("socket: %w", err)
	}
	if err := connectTCP(fd, to); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("connect: %w", err)
	}
	unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	return fd, nil
}

// connectTCP connects a socket. A signal in between leaves the connection under way: it is waited for.
func connectTCP(fd int, to unix.Sockaddr) error {
	err := unix.Connect(fd, to)
	for err == unix.EINTR {
		_, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, -1)
	}
	if err != nil {
		return err
	}
	code, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err == nil && code != 0 {
		err = unix.Errno(code)
	}
	return err
}

// parseIPv4 reads an address of four numbers.
func parseIPv4(host string) (address [4]byte, ok bool) {
	parts := strings.Split(host, ".")
	if len(parts) != len(address) {
		return address, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return address, false
		}
		address[i] = byte(n)
	}
	return address, true
}
