package boot

import (
	"errors"
	"fmt"

	"gompi/launch/pmi"
)

// client speaks PMI 1.1 with the launcher, one request at a time.
type client struct {
	fd    int
	lines pmi.Lines
	owed  int // replies to come that nobody wants
	buf   [pmi.MaxLine]byte
	facts map[string]string // what lines "cmd=set" have said
}

// errLauncherGone is what a closed socket means.
var errLauncherGone = errors.New("the launcher has gone")

// tell sends a request whose reply nobody will look at. Only gompi's own launcher may be spoken to like this: others
// want to be read before the next line.
func (c *client) tell(m pmi.Message) error {
	c.owed++
	return c.send(m)
}

// send writes one line.
func (c *client) send(m pmi.Message) error {
	line, err := m.Append(c.buf[:0])
	if err != nil {
		return err
	}
	return writeAll(c.fd, line)
}

// request sends a line and returns the reply, whose command must be the given one and whose rc, if any, must be 0.
func (c *client) request(m pmi.Message, want string) (pmi.Message, error) {
	if err := c.send(m); err != nil {
		return pmi.Message{}, fmt.Errorf("PMI %s: %w", m.Cmd, err)
	}
	for ; c.owed > 0; c.owed-- {
		if _, err := c.receive(); err != nil {
			return pmi.Message{}, fmt.Errorf("PMI %s: %w", m.Cmd, err)
		}
	}
	reply, err := c.receive()
	if err != nil {
		return pmi.Message{}, fmt.Errorf("PMI %s: %w", m.Cmd, err)
	}
	if reply.Cmd != want {
		return reply, fmt.Errorf("PMI %s: the launcher answered %q instead of %q", m.Cmd, reply.Cmd, want)
	}
	if rc, ok := reply.Get("rc"); ok && rc != "0" {
		text, _ := reply.Get("msg")
		return reply, fmt.Errorf("PMI %s: the launcher refused it: %s (rc=%s)", m.Cmd, text, rc)
	}
	return reply, nil
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

// get asks for a published value.
func (c *client) get(kvs, key string) (string, error) {
	return c.word(pmi.New("get", "kvsname", kvs, "key", key), "get_result", "value")
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
