package launch

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// What the launcher and its proxies on other hosts say to each other: frames of a fixed head and a body, in
// both directions of one byte stream. Ahead of its first frame a proxy writes one line, the greeting.

// frameKind says what a frame is about.
type frameKind uint8

// From the launcher to a proxy.
const (
	frameSetup   frameKind = iota + 1 // what holds for all that the proxy starts: see setup
	frameStart                        // the ranks of a world on that host: see order
	frameGo                           // all ranks of the world have been started, on all hosts
	frameReply                        // lines of PMI for a rank
	frameRelease                      // all ranks of the world are at the barrier; the values put since
	frameSignal                       // a signal for all ranks; rank is its number
	frameDead                         // a rank of the world is dead, wherever it was
	frameEnd                          // the world is being ended
	frameKill                         // its ranks are to be killed at once
	frameInput                        // standard input for the rank that reads it; empty at its end
	frameHold                         // the output of a rank has no room: it is not to be read
	frameResume                       // it has room again
	frameFailed                       // a rank of the world has failed, wherever it was, and the others go on
	frameFinish                       // the job is over; flag: all that ranks have left behind is to go
	frameNetwork                      // whether the world uses the network; rank is a shm.NetworkState
	framePortion                      // of the file with that number among those of setup
	frameDial                         // a command is to be run that leads to a host; rank is its number
	framePass                         // text for that command
	frameCut                          // it is to be ended
	frameShove                        // it asks for the launcher, which the proxy is
	frameGather                       // what the ranks wait for is wanted; rank is the number of the question
)

// From a proxy to the launcher.
const (
	frameStarted   frameKind = iota + 32 // a rank runs; the body has its process id
	frameReady                           // all ranks of the world there do; the body names their segment
	frameRefused                         // they cannot be started: see refusal
	frameAsk                             // a line of PMI from a rank, to be answered
	frameNote                            // a line of PMI from a rank that the proxy has answered
	frameArrived                         // all ranks of the world there are at the barrier
	frameOutput                          // text of a rank; flag: its standard error
	frameClosed                          // no more of it comes
	frameExited                          // a rank has ended: see exit
	frameInner                           // the program below a wrapper script has; the body has its process
	frameTaken                           // standard input has been taken; flag: nobody reads any more
	frameSay                             // text for the user
	frameFetch                           // a portion of a file is wanted; the body says from which byte
	framePassed                          // text from the command that leads to a host
	frameComplaint                       // the same from its standard error
	frameParted                          // it has ended: see fate
	frameStill                           // flag: all ranks that are in MPI sleep there
	frameStates                          // what they wait for, see answer; rank is the number of the question
)

// In both directions.
const frameBeat frameKind = 64 // a sign of life

// frame is one of them.
type frame struct {
	kind  frameKind
	flag  bool
	world int
	rank  int // in its world
	body  []byte
}

// Sizes in bytes.
const (
	frameHead    = 16
	longestFrame = 64 << 20 // of a body; an environment may have some MiB
)

// errFrame is wrapped by the errors on frames that make no sense.
var errFrame = errors.New("malformed frame")

// append writes a frame.
func (f *frame) append(dst []byte) []byte {
	var head [frameHead]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(f.body)))
	head[4] = byte(f.kind)
	if f.flag {
		head[5] = 1
	}
	binary.LittleEndian.PutUint32(head[8:], uint32(f.world))
	binary.LittleEndian.PutUint32(head[12:], uint32(f.rank))
	return append(append(dst, head[:]...), f.body...)
}

// nextFrame takes the first frame off a stream; false when it has not arrived as a whole. The body lies in
// the stream.
func nextFrame(stream []byte) (f frame, rest []byte, ok bool, err error) {
	if len(stream) < frameHead {
		return frame{}, stream, false, nil
	}
	size := binary.LittleEndian.Uint32(stream)
	if size > longestFrame {
		return frame{}, stream, false, fmt.Errorf("%w: %d bytes", errFrame, size)
	}
	if len(stream) < frameHead+int(size) {
		return frame{}, stream, false, nil
	}
	f = frame{kind: frameKind(stream[4]), flag: stream[5] != 0,
		world: int(int32(binary.LittleEndian.Uint32(stream[8:]))),
		rank:  int(int32(binary.LittleEndian.Uint32(stream[12:]))),
		body:  stream[frameHead : frameHead+int(size)]}
	return f, stream[frameHead+int(size):], true, nil
}

// packer writes the values of a body.
type packer []byte

func (p *packer) number(n int) { *p = binary.AppendVarint(*p, int64(n)) }

func (p *packer) truth(b bool) {
	n := 0
	if b {
		n = 1
	}
	p.number(n)
}

func (p *packer) text(s string) {
	p.number(len(s))
	*p = append(*p, s...)
}

func (p *packer) texts(all []string) {
	p.number(len(all))
	for _, s := range all {
		p.text(s)
	}
}

func (p *packer) numbers(all []int) {
	p.number(len(all))
	for _, n := range all {
		p.number(n)
	}
}

// unpacker reads them, in the same order. After a mistake, which err tells, all values are zero.
type unpacker struct {
	rest []byte
	err  error
}

func (u *unpacker) number() int {
	v, n := binary.Varint(u.rest)
	if n <= 0 {
		u.rest, u.err = nil, errFrame
		return 0
	}
	u.rest = u.rest[n:]
	return int(v)
}

func (u *unpacker) truth() bool { return u.number() != 0 }

// count is a number of things that take at least a byte each.
func (u *unpacker) count() int {
	n := u.number()
	if n < 0 || n > len(u.rest) {
		u.rest, u.err = nil, errFrame
		return 0
	}
	return n
}

func (u *unpacker) text() string {
	n := u.count()
	s := string(u.rest[:n])
	u.rest = u.rest[n:]
	return s
}

func (u *unpacker) texts() []string {
	all := make([]string, 0, u.count())
	for range cap(all) {
		all = append(all, u.text())
	}
	return all
}

func (u *unpacker) numbers() []int {
	all := make([]int, 0, u.count())
	for range cap(all) {
		all = append(all, u.number())
	}
	return all
}

// frame is a frame that concerns the rank.
func (r *rank) frame(kind frameKind, body []byte) *frame {
	return &frame{kind: kind, world: r.world.id, rank: r.number, body: body}
}

// outputFrame is a frame that concerns an output of the rank.
func (r *rank) outputFrame(kind frameKind, isErr bool, body []byte) *frame {
	f := r.frame(kind, body)
	f.flag = isErr
	return f
}
