package pmi

import (
	"bytes"
	"fmt"
)

// Lines cuts a byte stream into lines. The zero value is ready for use.
type Lines struct {
	Longest int // bytes that a line may have; 0 for MaxInput

	buf  []byte
	next int // where the first byte not yet returned stands in buf
}

// Feed adds bytes that arrived. It keeps a copy.
func (l *Lines) Feed(b []byte) {
	if l.next == len(l.buf) {
		l.buf, l.next = l.buf[:0], 0
	} else if l.next > MaxInput {
		l.buf = append(l.buf[:0], l.buf[l.next:]...)
		l.next = 0
	}
	l.buf = append(l.buf, b...)
}

// Next returns the next whole line without its newline, or false when none has arrived. The error wraps
// [ErrTooLong]: the peer sent more bytes than a line may have without a newline, and nothing after that can
// be trusted.
func (l *Lines) Next() (string, bool, error) {
	most := l.Longest
	if most == 0 {
		most = MaxInput
	}
	rest := l.buf[l.next:]
	i := bytes.IndexByte(rest, '\n')
	if i > most || (i < 0 && len(rest) > most) {
		return "", false, fmt.Errorf("%w: no newline within %d bytes", ErrTooLong, most)
	}
	if i < 0 {
		return "", false, nil
	}
	l.next += i + 1
	return string(rest[:i]), true, nil
}
