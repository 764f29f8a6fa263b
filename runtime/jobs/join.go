package jobs

import (
	"encoding/binary"
	"time"

	"gompi/runtime/boot"
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// Two processes, or the leaders of two groups, that can talk with each other already: over a socket of the
// program's, or by messages. Each opens an address to meet at and tells the other its name; whose name is the
// lower one accepts.

// noteSize is what each of them tells the other, in bytes: the address of a socket, filled up with zeros. A
// note of zeros says that there will be no connection. At noteMachine stands a number of the machine where
// the other side is not surely on this one.
const (
	noteSize    = comm.NoteSize
	noteMachine = noteSize - 8
)

// introduction exchanges notes of noteSize bytes with the other side.
type introduction func(own, other []byte) error

// pair connects the group of c with that of whom the root knows how to talk to.
func pair(r *comm.Registry, c *comm.Comm, root int, origin string, class mpierr.Class, until time.Time,
	introduce func(x *wire) introduction) (*comm.Comm, error) {
	m := meeting{registry: r, c: c, root: root, origin: origin, until: until,
		awaits: "the process at the other end, which has not called the same function"}
	return m.run(func(x *wire, own *hello) (*agreement, error) {
		name, err := secret()
		if err != nil {
			return nil, err
		}
		l, err := openPort(meetPrefix + name)
		if err != nil {
			return nil, err
		}
		defer l.close()
		mine, other := make([]byte, noteSize), make([]byte, noteSize)
		copy(mine, meetPrefix+name)
		machine, err := boot.MachineNumber()
		if err != nil {
			return nil, err
		}
		binary.LittleEndian.PutUint64(mine[noteMachine:], machine)
		if err := introduce(x)(mine, other); err != nil {
			return nil, err
		}
		address := text(other)
		if len(address) != len(meetPrefix)+len(name) || address[:len(meetPrefix)] != meetPrefix {
			return nil, mpierr.New(class, "the process at the other end does not call the same function of gompi")
		}
		if binary.LittleEndian.Uint64(other[noteMachine:]) != machine {
			return nil, mpierr.New(mpierr.ErrUnsupportedOperation,
				"the process at the other end is on another machine; gompi connects processes of one")
		}
		t, err := x.either(l, text(mine), address, own)
		switch err {
		case errRefused:
			err = mpierr.New(class, "the process at the other end has given up")
		case errLate, errHungUp:
			err = mpierr.New(class, "the process at the other end has given up, or does not come")
		}
		return t, err
	})
}

// either accepts at the address of one's own, or goes to that of the other side.
func (w *wire) either(l *listener, mine, other string, own *hello) (*agreement, error) {
	if mine < other {
		return w.agree(l, own)
	}
	if err := w.dial(other); err != nil {
		return nil, err
	}
	return w.ask(own)
}

// meetPrefix begins an address to meet at.
const meetPrefix = "gompi-meet-"

// text is a note without the zeros at its end.
func text(note []byte) string {
	for i, b := range note {
		if b == 0 {
			return string(note[:i])
		}
	}
	return string(note)
}

// JoinTimeout is how long MPI_Comm_join waits for the process at the other end of the socket.
const JoinTimeout = 180 * time.Second

// Join connects this process with that at the other end of a stream socket, of which nothing else may be
// under way in either direction; both call it (MPI_Comm_join, MPI 5.0, 11.10.5). self is MPI_COMM_SELF. The
// socket can be used as before afterwards.
func Join(r *comm.Registry, self *comm.Comm, fd int) (*comm.Comm, error) {
	if err := isStream(fd); err != nil {
		return nil, mpierr.New(mpierr.ErrArg, "fd is %d, which is no connected stream socket: %v", fd, err)
	}
	until := time.Now().Add(JoinTimeout)
	return pair(r, self, 0, "MPI_Comm_join", mpierr.ErrOther, until, func(x *wire) introduction {
		return func(own, other []byte) error {
			over := &wire{connection: connection{fd}, until: until, stop: x.stop}
			err := over.plainWrite(own)
			if err == nil {
				err = over.plainRead(other)
			}
			if err == errHungUp || err == errLate {
				err = mpierr.New(mpierr.ErrOther, "the process at the other end of the socket has closed it, or does not call MPI_Comm_join")
			}
			return err
		}
	})
}

// Meet connects the group of c with that of a process with which the root of c can exchange notes by
// messages, as MPI_Intercomm_create does where the two groups are not of one job.
func Meet(r *comm.Registry, c *comm.Comm, root int, swap func(own, other []byte) error,
	origin string) (*comm.Comm, error) {
	mine, other := make([]byte, noteSize), make([]byte, noteSize)
	name, err := secret()
	if c.Rank() != root {
		m := meeting{registry: r, c: c, root: root, origin: origin}
		return m.run(nil)
	}
	var l *listener
	if err == nil {
		copy(mine, meetPrefix+name)
		l, err = openPort(meetPrefix + name)
	}
	if err != nil {
		clear(mine)
	}
	if e := swap(mine, other); err == nil {
		err = e
	}
	if err == nil && text(other) == "" {
		err = mpierr.New(mpierr.ErrOther, "the leader of the other group has given up")
	}
	if l != nil {
		defer l.close()
	}
	m := meeting{registry: r, c: c, root: root, origin: origin, refused: known(err),
		until: time.Now().Add(exchangeTimeout)}
	return m.run(func(x *wire, own *hello) (*agreement, error) {
		return x.either(l, text(mine), text(other),
			own)
	})
}
