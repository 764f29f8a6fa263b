package pmi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Limits that both sides keep to, in bytes. They are the ones that MPICH's process managers announce.
const (
	MaxLine    = 1024  // one line as we send it, newline included
	MaxInput   = 16384 // one line as we accept it
	MaxKVSName = 256
	MaxKey     = 64
	MaxValue   = 1024

	// MaxSpawnInput is for the lines of spawn requests: an argument has up to 128 KiB, each byte written as
	// three.
	MaxSpawnInput = 512 << 10
)

// Version of the protocol that gompi speaks. With 1.1 no client ever asks for the group barriers of 1.2.
const (
	Version    = 1
	Subversion = 1
)

// Errors of [Parse], [Message.Append] and [Message.Int]; they come wrapped with the text in question.
var (
	ErrNoCommand = errors.New("the line does not begin with cmd= or mcmd=")
	ErrTooLong   = errors.New("the line is too long")
	ErrBadText   = errors.New("a key or value holds a character that the protocol cannot carry")
	ErrNoKey     = errors.New("the line lacks a word")
	ErrNotNumber = errors.New("the word is not a number")
)

// Arg is one key=value word of a line.
type Arg struct{ Key, Value string }

// Message is one line of the protocol.
type Message struct {
	Cmd   string
	Multi bool // the line opened a block (mcmd=) that ends with the line "endcmd"
	Args  []Arg
}

// New makes a message from a command and alternating keys and values. It panics when a value is missing,
// which is a mistake in the calling code.
func New(cmd string, words ...string) Message {
	if len(words)%2 != 0 {
		panic("pmi.New: key without value: " + words[len(words)-1])
	}
	m := Message{Cmd: cmd, Args: make([]Arg, 0, len(words)/2)}
	for i := 0; i < len(words); i += 2 {
		m.Args = append(m.Args, Arg{words[i], words[i+1]})
	}
	return m
}

// Parse reads one line, with or without its newline. Words may stand in any order; a word without "=" belongs
// to the value before it, because some clients send a message text with spaces in it.
func Parse(line string) (Message, error) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) > MaxInput {
		return Message{}, fmt.Errorf("%w: %d bytes", ErrTooLong, len(line))
	}
	var m Message
	for word, rest := nextWord(line); word != ""; word, rest = nextWord(rest) {
		key, value, found := strings.Cut(word, "=")
		switch {
		case m.Cmd == "":
			if !found || (key != "cmd" && key != "mcmd") || value == "" {
				return Message{}, fmt.Errorf("%w: %q", ErrNoCommand, clip(line))
			}
			m.Cmd, m.Multi = value, key == "mcmd"
		case found:
			m.Args = append(m.Args, Arg{key, value})
		case len(m.Args) > 0:
			m.Args[len(m.Args)-1].Value += " " + word
		}
	}
	if m.Cmd == "" {
		return Message{}, fmt.Errorf("%w: %q", ErrNoCommand, clip(line))
	}
	return m, nil
}

// nextWord cuts the first blank-separated word off a line; the word is empty at the end of the line.
func nextWord(line string) (word, rest string) {
	line = strings.TrimLeft(line, " \t")
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], line[i+1:]
	}
	return line, ""
}

// Get returns the value of a key and whether the line has it.
func (m *Message) Get(key string) (string, bool) {
	for i := range m.Args {
		if m.Args[i].Key == key {
			return m.Args[i].Value, true
		}
	}
	return "", false
}

// Int returns the value of a key as a decimal number; the error wraps [ErrNoKey] or [ErrNotNumber].
func (m *Message) Int(key string) (int, error) {
	text, ok := m.Get(key)
	if !ok {
		return 0, fmt.Errorf("%w: %s in cmd=%s", ErrNoKey, key, m.Cmd)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%w: %s=%q in cmd=%s", ErrNotNumber, key, clip(text), m.Cmd)
	}
	return n, nil
}

// Append adds the line, newline included, to dst. The error wraps [ErrBadText] or [ErrTooLong]; dst comes
// back unchanged then.
func (m *Message) Append(dst []byte) ([]byte, error) {
	start := len(dst)
	if !carries(m.Cmd) || m.Cmd == "" {
		return dst, fmt.Errorf("%w: cmd=%q", ErrBadText, clip(m.Cmd))
	}
	out := append(dst, "cmd="...)
	out = append(out, m.Cmd...)
	for _, a := range m.Args {
		if a.Key == "" || !carries(a.Key) || strings.Contains(a.Key, "=") || !carries(a.Value) {
			return dst, fmt.Errorf("%w: %s=%q", ErrBadText, clip(a.Key), clip(a.Value))
		}
		out = append(out, ' ')
		out = append(out, a.Key...)
		out = append(out, '=')
		out = append(out, a.Value...)
	}
	out = append(out, '\n')
	if n := len(out) - start; n > MaxLine {
		return dst, fmt.Errorf("%w: %d bytes of at most %d", ErrTooLong, n, MaxLine)
	}
	return out, nil
}

// carries reports whether the protocol can carry a text within one word.
func carries(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\n', '\r', 0:
			return false
		}
	}
	return true
}

// Word makes any text fit to be a value: what the protocol cannot carry becomes an underscore.
func Word(text string) string {
	if carries(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r == 0 || r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			return '_'
		}
		return r
	}, text)
}

// clip shortens foreign text for an error message.
func clip(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
