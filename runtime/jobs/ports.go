// Package jobs is how jobs that were started separately find each other and are connected: ports, names
// under which ports are published, and the start of programs (MPI 5.0, chapter 11). Package comm makes
// communicators over the connection.
//
// Ports and names are abstract unix sockets: no file is left behind, whatever happens to the process, and no
// network is needed.
package jobs

import (
	"os"
	"strings"
	"sync"

	"gompi/runtime/mpierr"
)

// MaxPort is the room for the name of a port, the final zero included (MPI_MAX_PORT_NAME).
const MaxPort = 1024

// Ports holds the ports and names of one process. The zero Ports has none. Several threads may use it.
type Ports struct {
	mu    sync.Mutex
	ports map[string]*listener // by name
	names map[string]*service  // by name
}

// portPrefix begins the name of every port. Behind it come the name of the machine and, after a slash, the
// address of its socket.
const portPrefix = "gompi://"

// portOf is the name of the port with an address on this machine.
func portOf(address string) string {
	host, _ := os.Hostname()
	return portPrefix + host + "/" + address
}

// parsePort takes the name of a port apart.
func parsePort(port string) (host, address string, err error) {
	rest, ok := strings.CutPrefix(port, portPrefix)
	if host, address, _ = strings.Cut(rest, "/"); !ok || address == "" || len(address) >= maxAddress {
		return "", "", mpierr.New(mpierr.ErrPort, "port_name is %q, which no MPI_Open_port has given", short(port))
	}
	return host, address, nil
}

// unheard is the error where nobody listens at a port of a host.
func unheard(port, host string) error {
	if own, _ := os.Hostname(); host != own {
		return mpierr.New(mpierr.ErrUnsupportedOperation,
			"port %q is on %s, and this process on %s; gompi connects processes of one machine",
			short(port), host, own)
	}
	return mpierr.New(mpierr.ErrPort,
		"port_name is %q, where nobody listens: it was closed, or its process has ended", short(port))
}

// OpenPort makes a port to which others can connect, and returns its name (MPI_Open_port, MPI 5.0, 11.8.2).
func (p *Ports) OpenPort() (string, error) {
	secret, err := secret()
	if err != nil {
		return "", mpierr.New(mpierr.ErrOther, "no port can be opened: %v", err)
	}
	address := "gompi-port-" + secret
	l, err := openPort(address)
	if err != nil {
		return "", mpierr.New(mpierr.ErrOther, "no port can be opened: %v", err)
	}
	name := portOf(address)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ports == nil {
		p.ports = map[string]*listener{}
	}
	p.ports[name] = l
	return name, nil
}

// ClosePort gives up a port of this process (MPI_Close_port, MPI 5.0, 11.8.2).
func (p *Ports) ClosePort(name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.ports[name]
	if l == nil {
		return mpierr.New(mpierr.ErrPort, "port_name is %q, which is no open port of this process", short(name))
	}
	delete(p.ports, name)
	p.shut(l)
	return nil
}

// shut closes a port for those who come, and for those who wait at it. The lock is held.
func (p *Ports) shut(l *listener) {
	if l.wake(); l.waiting == 0 {
		l.close()
	}
	l.shut = true
}

// enter finds an open port to wait at; leave ends that.
func (p *Ports) enter(name string) (*listener, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.ports[name]
	if l == nil {
		return nil, mpierr.New(mpierr.ErrPort, "port_name is %q, which is no open port of this process", short(name))
	}
	l.waiting++
	return l, nil
}

func (p *Ports) leave(l *listener) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.waiting--; l.waiting == 0 && l.shut {
		l.close()
	}
}

// Close gives up all ports and names.
func (p *Ports) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.ports {
		p.shut(l)
	}
	for _, s := range p.names {
		s.end()
	}
	p.ports, p.names = nil, nil
}

// short cuts a text for a message.
func short(text string) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
