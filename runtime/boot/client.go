package boot

import (
	"errors"
	"fmt"
	"sync"

	"gompi/wire/pmi"
)

// client speaks PMI 1.1 with the launcher, one request at a time. Several threads may use it.
type client struct {
	fd      int
	turn    sync.Mutex // held from a request to its reply
	writing sync.Mutex // held while a text is written; below turn
	owed    int        // replies to come that nobody wants; guarded by writing
	lines   pmi.Lines
	buf     [pmi.MaxLine]byte
	facts   map[string]string // what lines "cmd=set" have said
}

// errDenied is wrapped by the error for a request that the launcher does not grant.
var errDenied = errors.New("the launcher refused it")

// errLauncherGone is what a closed socket means.
var errLauncherGone = errors.New("the launcher has gone")

// tell sends a request whose reply nobody will look at. Only gompi's own launcher may be spoken to like this:
// others want to be read before the next line.
func (c *client) tell(m pmi.Message) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.owed++
	return c.write(m)
}

// send writes one line that has no reply.
func (c *client) send(m pmi.Message) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.write(m)
}

// write writes one line. writing is held.
func (c *client) write(m pmi.Message) error {
	line, err := m.Append(nil)
	if err != nil {
		return err
	}
	return writeAll(c.fd, line)
}

// request sends a line and returns the reply, whose command must be the given one and whose rc, if any, must
// be 0.
func (c *client) request(m pmi.Message, want string) (pmi.Message, error) {
	line, err := m.Append(nil)
	if err != nil {
		return pmi.Message{}, fmt.Errorf("PMI %s: %w", m.Cmd, err)
	}
	return c.exchange(line, m.Cmd, want)
}

// exchange is request for a text of any number of lines; cmd is its command in messages.
func (c *client) exchange(text []byte, cmd, want string) (pmi.Message, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	reply, err := c.ask(text)
	if err != nil {
		return pmi.Message{}, fmt.Errorf("PMI %s: %w", cmd, err)
	}
	if reply.Cmd != want {
		return reply, fmt.Errorf("PMI %s: the launcher answered %q instead of %q", cmd, reply.Cmd, want)
	}
	if rc, ok := reply.Get("rc"); ok && rc != "0" {
		text, _ := reply.Get("msg")
		return reply, fmt.Errorf("PMI %s: %w: %s (rc=%s)", cmd, errDenied, text, rc)
	}
	return reply, nil
}

// ask writes a text and reads its reply, after those that nobody wants.
func (c *client) ask(text []byte) (pmi.Message, error) {
	c.writing.Lock()
	unwanted := c.owed
	c.owed = 0
	err := writeAll(c.fd, text)
	c.writing.Unlock()
	for ; err == nil && unwanted > 0; unwanted-- {
		_, err = c.receive()
	}
	if err != nil {
		return pmi.Message{}, err
	}
	return c.receive()
}

// word is a request of whose reply one word matters.
func (c *client) word(m pmi.Message, want, key string) (string, error) {
	reply, err := c.request(m, want)
	if err != nil {
		return "", err
	}
	value, ok := reply.Get(key)
	if !ok {
		return "", fmt.Errorf("PMI %s: the reply lacks %s", m.Cmd, key)
	}
	return value, nil
}

// number is a request of whose reply one number matters.
func (c *client) number(m pmi.Message, want, key string) (int, error) {
	reply, err := c.request(m, want)
	if err != nil {
		return 0, err
	}
	return reply.Int(key)
}

// receive returns the next line, leaving out those that only tell facts.
func (c *client) receive() (pmi.Message, error) {
	for {
		line, ok, err := c.lines.Next()
		if err != nil {
			return pmi.Message{}, err
		}
		if !ok {
			n, err := readSome(c.fd, c.buf[:])
			if err != nil {
				return pmi.Message{}, err
			}
			c.lines.Feed(c.buf[:n])
			continue
		}
		m, err := pmi.Parse(line)
		if err != nil {
			return m, err
		}
		if m.Cmd != "set" {
			return m, nil
		}
		c.learn(&m)
	}
}

// learn keeps the words of a line.
func (c *client) learn(m *pmi.Message) {
	if c.facts == nil {
		c.facts = map[string]string{}
	}
	for _, a := range m.Args {
		c.facts[a.Key] = a.Value
	}
}
