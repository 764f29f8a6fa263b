package timeline

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The form of the file, see trace/record.h and trace/file.c.
const (
	magic      = "GOMPITR1"
	headerSize = 128
	frontSize  = 1 << 20
	chunkSize  = 256 << 10
	recordSize = 48
)

// Kinds of records.
const (
	kindNothing = iota
	kindCall
	kindSend
	kindRecv
	kindSendInit
	kindRecvInit
	kindMatched
	kindTake
	kindCollective
	kindAccess
	kindData
	kindPoll
	kindAlsoRecv
	kindDone
	kindStarted
	kindStatus
	kindGroup
	kindMembers
	kinds
)

// Flags of records of calls, and of a status.
const (
	flagFailed = 1 << iota
	flagEnded
	flagPartitioned
)

// record is one record. Its words are what it has instead of what follows them where kind says so.
type record struct {
	begin, end, bytes      uint64
	call                   uint16
	kind, flags            uint8
	peer, tag              int32
	object, request, extra uint32
	words                  []byte
	thread                 int
	beginTime, endTime     int64
}

// pair is one moment on the clock of the records and in ns.
type pair struct{ ticks, nanoseconds uint64 }

// file is what one process has written.
type file struct {
	process Process
	cycles  bool
	pairs   [2]pair
	records []record // by time; those that belong to a call follow it
}

// chunksOf is how many chunks follow the front.
func chunksOf(data []byte) int { return int(binary.LittleEndian.Uint32(data[4:])) }

// parse reads the records of all processes, which may have been killed while they wrote.
func parse(data []byte) ([]*file, error) {
	if len(data) < frontSize {
		return nil, nil
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	files := make([]*file, min(word(0), frontSize/headerSize-1))
	var wrong error
	for i := range files {
		f, err := parseHeader(data[(1+i)*headerSize : (2+i)*headerSize])
		if err != nil {
			wrong = errors.Join(wrong, err)
		}
		files[i] = f
	}
	for n := range chunksOf(data) {
		if at := frontSize + n*chunkSize; at+chunkSize <= len(data) {
			chunk := data[at : at+chunkSize]
			if who := int(binary.LittleEndian.Uint32(chunk[12:])); who < len(files) && files[who] != nil {
				files[who].chunk(chunk)
			}
		}
	}
	files = slices.DeleteFunc(files, func(f *file) bool { return f == nil || len(f.records) == 0 })
	for _, f := range files {
		slices.SortStableFunc(f.records, func(a, b record) int {
			return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.thread, b.thread),
				cmp.Compare(a.order(), b.order()))
		})
	}
	slices.SortFunc(files, func(a, b *file) int {
		return cmp.Or(cmp.Compare(a.process.World, b.process.World),
			cmp.Compare(a.process.Rank, b.process.Rank), cmp.Compare(a.process.Pid, b.process.Pid))
	})
	return files, wrong
}

// parseHeader reads what a process says of itself; nil when it had not come to that.
func parseHeader(data []byte) (*file, error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, nil
	}
	word := func(at int) int { return int(int32(binary.LittleEndian.Uint32(data[at:]))) }
	long := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	if word(8) != len(calls) {
		return nil, fmt.Errorf("%d functions are known to the library, and %d here", word(8), len(calls))
	}
	return &file{
		process: Process{World: word(12), Rank: word(16), Size: word(20), Pid: word(64),
			Lost: int64(long(56))},
		cycles: word(68) != 0,
		pairs:  [2]pair{{long(24), long(40)}, {long(32), long(48)}},
	}, nil
}

// chunk adds the records of a chunk. Its first place says whose it is.
func (f *file) chunk(data []byte) {
	thread := int(binary.LittleEndian.Uint32(data[44:]))
	for at := recordSize; at+recordSize <= len(data); at += recordSize {
		b := data[at : at+recordSize]
		r := record{
			begin: binary.LittleEndian.Uint64(b), call: binary.LittleEndian.Uint16(b[8:]), kind: b[10],
			flags: b[11],
			peer:  int32(binary.LittleEndian.Uint32(b[12:])), thread: thread,
		}
		if r.kind == kindNothing {
			return
		}
		if r.kind >= kinds || int(r.call) >= len(calls) || r.begin == 0 {
			continue // it was being written
		}
		switch r.kind {
		case kindDone, kindStarted, kindMembers:
			r.words = b[16 : 16+4*min(int(r.flags), 8)]
		default:
			r.end, r.bytes = binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
			r.tag, r.object = int32(binary.LittleEndian.Uint32(b[32:])), binary.LittleEndian.Uint32(b[36:])
			r.request, r.extra = binary.LittleEndian.Uint32(b[40:]), binary.LittleEndian.Uint32(b[44:])
		}
		f.records = append(f.records, r)
	}
}

// list is the words of a record.
func (r *record) list() []uint32 {
	list := make([]uint32, len(r.words)/4)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(r.words[4*i:])
	}
	return list
}

// call reports whether the record is a call of its own.
func (r *record) isCall() bool { return r.kind < kindAlsoRecv }

// order is 0 for a call, and 1 for what belongs to it: chunks are used again, so that it may stand ahead of
// the call in the file.
func (r *record) order() int {
	if r.isCall() {
		return 0
	}
	return 1
}

// kept is the thread of records that outlive the chunks of their own.
const kept = 0

// setTimes turns the clock of all records into ns since the first call. All processes are of one machine, so
// that the two moments that lie furthest apart tell best how long a tick lasts.
func setTimes(files []*file, over int64) {
	first, last := pair{ticks: ^uint64(0)}, pair{}
	for _, f := range files {
		for _, p := range f.pairs {
			if f.cycles && p.ticks < first.ticks {
				first = p
			}
			if f.cycles && p.ticks > last.ticks {
				last = p
			}
		}
	}
	length := 1.0
	if last.ticks > first.ticks {
		length = float64(last.nanoseconds-first.nanoseconds) / float64(last.ticks-first.ticks)
	}
	start := int64(1<<63 - 1)
	for _, f := range files {
		at := func(ticks uint64) int64 {
			if !f.cycles {
				return int64(ticks)
			}
			return int64(first.nanoseconds) + int64(float64(int64(ticks-first.ticks))*length)
		}
		for i := range f.records {
			r := &f.records[i]
			r.beginTime = at(r.begin)
			if r.thread != kept {
				start = min(start, r.beginTime)
			}
			if r.isCall() && r.flags&flagEnded != 0 {
				r.endTime = at(r.end)
			}
			if r.kind == kindPoll {
				r.bytes = uint64(float64(r.bytes) * map[bool]float64{true: length, false: 1}[f.cycles])
			}
		}
	}
	end := over - start
	for _, f := range files {
		for i := range f.records {
			r := &f.records[i]
			r.beginTime -= start
			r.endTime -= start
			end = max(end, r.beginTime, r.endTime)
		}
	}
	for _, f := range files {
		for i := range f.records {
			if r := &f.records[i]; r.isCall() && r.flags&flagEnded == 0 {
				r.endTime = end
			}
		}
	}
}
