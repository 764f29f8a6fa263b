package jobs

import (
	"encoding/hex"
	"hash/fnv"
	"strconv"
	"strings"

	"gompi/runtime/mpierr"
)

// service is a name that this process has published. A goroutine of its own answers those who look for it.
type service struct {
	name, port string
	at         *listener
	ended      chan struct{}
}

// addressOf is where the process listens that has published a name. Each user has names of their own.
func addressOf(name string) string {
	h := fnv.New128a()
	_, _ = h.Write([]byte(name)) // never fails
	return "gompi-name-" + strconv.Itoa(user()) + "-" + hex.EncodeToString(h.Sum(nil))
}

// mostName bounds the length of a name: an answer has to fit into a socket's buffer.
const mostName = 64 << 10

// Publish lets processes of the same user on this machine find a port by a name (MPI_Publish_name, MPI 5.0,
// 11.8.4).
func (p *Ports) Publish(name, port string) error {
	if len(port) >= MaxPort {
		return mpierr.New(mpierr.ErrPort, "port_name has %d characters, at most %d are allowed", len(port), MaxPort-1)
	}
	if len(name) > mostName {
		return mpierr.New(mpierr.ErrService, "service_name is %q, which has %d characters, at most %d can be published", short(name), len(name), mostName)
	}
	at, err := listen(addressOf(name))
	switch {
	case isTaken(err):
		return mpierr.New(mpierr.ErrService, "service_name is %q, which has been published already", short(name))
	case err != nil:
		return mpierr.New(mpierr.ErrService, "service_name %q cannot be published: %v", short(name), err)
	}
	s := &service{name: name, port: port, at: at, ended: make(chan struct{})}
	go s.serve()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.names == nil {
		p.names = map[string]*service{}
	}
	p.names[name] = s
	return nil
}

// Unpublish takes a name back that this process has published for a port (MPI_Unpublish_name, MPI 5.0,
// 11.8.4).
func (p *Ports) Unpublish(name, port string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.names[name]
	switch {
	case s == nil:
		return mpierr.New(mpierr.ErrService, "service_name is %q, which this process has not published", short(name))
	case s.port != port:
		return mpierr.New(mpierr.ErrService, "service_name %q is published for port %q, not for %q", short(name), short(s.port), short(port))
	}
	delete(p.names, name)
	s.end()
	return nil
}

// answer is what those get who ask for a service: its name, because addresses do not hold all of it, and the
// port. It ends with a zero, by which one that was cut off is known.
func (s *service) answer() []byte { return []byte(s.name + "\x00" + s.port + "\x00") }

// serve answers until the service ends.
func (s *service) serve() {
	defer close(s.ended)
	for {
		c, ok := s.at.accept()
		if !ok {
			return
		}
		if c.sameUser() {
			c.send(s.answer())
		}
		c.close()
	}
}

// end returns when nobody can find the service any more.
func (s *service) end() {
	s.at.wake()
	<-s.ended
	s.at.close()
}

// Lookup is the port that a process of the same user has published under a name (MPI_Lookup_name, MPI 5.0,
// 11.8.4).
func Lookup(name string) (string, error) {
	unknown := mpierr.New(mpierr.ErrName, "service_name is %q, which nobody has published", short(name))
	c, err := dial(addressOf(name))
	if err != nil {
		return "", unknown
	}
	defer c.close()
	if !c.sameUser() {
		return "", unknown
	}
	answer, err := c.receive()
	if err != nil {
		return "", mpierr.New(mpierr.ErrName, "the process that has published %q does not answer: %v", short(name), err)
	}
	whole, ok := strings.CutSuffix(answer, "\x00")
	published, port, found := strings.Cut(whole, "\x00")
	if !ok || !found || published != name {
		return "", unknown
	}
	return port, nil
}
