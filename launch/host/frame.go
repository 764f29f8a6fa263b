// Package host is how a launcher and its proxies on other hosts come together and what they say to each
// other: frames and their bodies, the commands that lead to hosts, the links over them, and the files that
// hosts are sent. It knows neither worlds nor ranks but by their numbers.
package host

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// What the launcher and its proxies on other hosts say to each other: frames of a fixed head and a body, in
// both directions of one byte stream. Ahead of its first frame a proxy writes one line, the greeting.

// FrameKind says what a frame is about.
type FrameKind uint8

// From the launcher to a proxy.
const (
	FrameSetup   FrameKind = iota + 1 // what holds for all that the proxy starts: see setup
	FrameStart                        // the ranks of a world on that host: see order
	FrameGo                           // all ranks of the world have been started, on all hosts
	FrameReply                        // lines of PMI for a rank
	FrameRelease                      // all ranks of the world are at the barrier; the values put since
	FrameSignal                       // a signal for all ranks; rank is its number
	FrameDead                         // a rank of the world is dead, wherever it was
	FrameEnd                          // the world is being ended
	FrameKill                         // its ranks are to be killed at once
	FrameInput                        // standard input for the rank that reads it; empty at its end
	FrameHold                         // the output of a rank has no room: it is not to be read
	FrameResume                       // it has room again
	FrameFailed                       // a rank of the world has failed, wherever it was, and the others go on
	FrameFinish                       // the job is over; flag: all that ranks have left behind is to go
	FrameNetwork                      // whether the world uses the network; rank is a shm.NetworkState
	FramePortion                      // of the file with that number among those of setup
	FrameDial                         // a command is to be run that leads to a host; rank is its number
	FramePass                         // text for that command
	FrameCut                          // it is to be ended
	FrameShove                        // it asks for the launcher, which the proxy is
	FrameGather                       // what the ranks wait for is wanted; rank is the number of the question
	FrameLook                         // what they do is; flag: with lines of code; rank numbers the look
	FrameTyped                        // a line for the debugger of a rank; flag: it is to stop its program
)

// From a proxy to the launcher.
const (
	FrameStarted   FrameKind = iota + 32 // a rank runs; the body has its process id
	FrameReady                           // all ranks of the world there do; the body names their segment
	FrameRefused                         // they cannot be started: see refusal
	FrameAsk                             // a line of PMI from a rank, to be answered
	FrameNote                            // a line of PMI from a rank that the proxy has answered
	FrameArrived                         // all ranks of the world there are at the barrier
	FrameOutput                          // text of a rank; flag: its standard error
	FrameClosed                          // no more of it comes
	FrameExited                          // a rank has ended: see exit
	FrameInner                           // the program below a wrapper script has; the body has its process
	FrameTaken                           // standard input has been taken; flag: nobody reads any more
	FrameSay                             // text for the user
	frameFetch                           // a portion of a file is wanted; the body says from which byte
	FramePassed                          // text from the command that leads to a host
	FrameComplaint                       // the same from its standard error
	FrameEnded                           // it has ended: see ExitStatus
	FrameStill                           // flag: all ranks that are in MPI sleep there
	FrameStates                          // what they wait for, see answer; rank is the number of the question
	FrameLooked                          // what they do; rank is the number of the look
)

// In both directions.
const FrameBeat FrameKind = 64 // a sign of life

// Frame is one of them.
type Frame struct {
	Kind  FrameKind
	Flag  bool
	World int
	Rank  int // in its world
	Body  []byte
}

// Sizes in bytes.
const (
	frameHead    = 16
	longestFrame = 64 << 20 // of a body; an environment may have some MiB
)

// ErrFrame is wrapped by the errors on frames that make no sense.
var ErrFrame = errors.New("malformed frame")

// Append writes a frame.
func (f *Frame) Append(dst []byte) []byte {
	var head [frameHead]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(f.Body)))
	head[4] = byte(f.Kind)
	if f.Flag {
		head[5] = 1
	}
	binary.LittleEndian.PutUint32(head[8:], uint32(f.World))
	binary.LittleEndian.PutUint32(head[12:], uint32(f.Rank))
	return append(append(dst, head[:]...), f.Body...)
}

// NextFrame takes the first frame off a stream; false when it has not arrived as a whole. The body lies in
// the stream.
func NextFrame(stream []byte) (f Frame, rest []byte, ok bool, err error) {
	if len(stream) < frameHead {
		return Frame{}, stream, false, nil
	}
	size := binary.LittleEndian.Uint32(stream)
	if size > longestFrame {
		return Frame{}, stream, false, fmt.Errorf("%w: %d bytes", ErrFrame, size)
	}
	if len(stream) < frameHead+int(size) {
		return Frame{}, stream, false, nil
	}
	f = Frame{Kind: FrameKind(stream[4]), Flag: stream[5] != 0,
		World: int(int32(binary.LittleEndian.Uint32(stream[8:]))),
		Rank:  int(int32(binary.LittleEndian.Uint32(stream[12:]))),
		Body:  stream[frameHead : frameHead+int(size)]}
	return f, stream[frameHead+int(size):], true, nil
}

// Packer writes the values of a body.
type Packer []byte

// Number appends a number.
func (p *Packer) Number(n int) { *p = binary.AppendVarint(*p, int64(n)) }

func (p *Packer) Truth(b bool) {
	n := 0
	if b {
		n = 1
	}
	p.Number(n)
}

// Text appends a text.
func (p *Packer) Text(s string) {
	p.Number(len(s))
	*p = append(*p, s...)
}

// Texts appends a list of texts.
func (p *Packer) Texts(all []string) {
	p.Number(len(all))
	for _, s := range all {
		p.Text(s)
	}
}

// Numbers appends a list of numbers.
func (p *Packer) Numbers(all []int) {
	p.Number(len(all))
	for _, n := range all {
		p.Number(n)
	}
}

// Unpacker reads them, in the same order. After a mistake, which err tells, all values are zero.
type Unpacker struct {
	Rest []byte
	Err  error
}

// Number takes a number off.
func (u *Unpacker) Number() int {
	v, n := binary.Varint(u.Rest)
	if n <= 0 {
		u.Rest, u.Err = nil, ErrFrame
		return 0
	}
	u.Rest = u.Rest[n:]
	return int(v)
}

func (u *Unpacker) Truth() bool { return u.Number() != 0 }

// Count is a number of things that take at least a byte each.
func (u *Unpacker) Count() int {
	n := u.Number()
	if n < 0 || n > len(u.Rest) {
		u.Rest, u.Err = nil, ErrFrame
		return 0
	}
	return n
}

// Text takes a text off.
func (u *Unpacker) Text() string {
	n := u.Count()
	s := string(u.Rest[:n])
	u.Rest = u.Rest[n:]
	return s
}

// Texts takes a list of texts off.
func (u *Unpacker) Texts() []string {
	all := make([]string, 0, u.Count())
	for range cap(all) {
		all = append(all, u.Text())
	}
	return all
}

// Numbers takes a list of numbers off.
func (u *Unpacker) Numbers() []int {
	all := make([]int, 0, u.Count())
	for range cap(all) {
		all = append(all, u.Number())
	}
	return all
}
