package timeline

import (
	"bytes"
	"encoding/binary"
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

// A program may write anything to its records. What comes of that is no picture, but nothing worse.
func TestWildRecords(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 20 {
		data := make([]byte, frontSize+2*chunkSize)
		binary.LittleEndian.PutUint32(data, uint32(random.Intn(4)))
		binary.LittleEndian.PutUint32(data[4:], uint32(random.Intn(4)))
		for i := range 3 {
			head := data[(1+i)*headerSize:]
			copy(head, magic)
			binary.LittleEndian.PutUint32(head[8:], uint32(len(calls)))
			_, _ = random.Read(head[12:64])
		}
		for at := frontSize; at < len(data); at += recordSize {
			r := data[at:min(at+recordSize, len(data))]
			_, _ = random.Read(r)
			if len(r) == recordSize {
				binary.LittleEndian.PutUint16(r[8:], uint16(random.Intn(len(calls)+1)))
				r[10] = byte(1 + random.Intn(kinds))
				binary.LittleEndian.PutUint32(r[12:], uint32(random.Intn(4)))
				binary.LittleEndian.PutUint32(r[36:], uint32(random.Intn(4)))
			}
		}
		run, err := read(data, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := run.Write(&text); err != nil {
			t.Fatal(err)
		}
		if err := run.Profile().Text(&text); err != nil {
			t.Fatal(err)
		}
	}
	if run, err := read(make([]byte, 100), 0); err != nil || len(run.Processes) != 0 {
		t.Errorf("%v, %v", run, err)
	}
}

// What is written is read again, to the nanosecond.
func TestWriteAndLoad(t *testing.T) {
	run := &Run{
		Processes: []Process{{Rank: 0, Size: 2, Pid: 7}, {World: 1, Rank: 0, Size: 1, Pid: 8, Lost: 3}},
		Events: []Event{
			{Name: "MPI_Send", Group: Send, Thread: 1, Begin: 1, End: 12345678901, Peer: 1, Tag: 0, Bytes: 8,
				Calls: 1, Inside: 12345678900, For: -1},
			{Name: "MPI_Recv", Group: Receive, Process: 1, Thread: 2, Begin: 5, End: 2005, Peer: 0, Tag: 4, Calls: 1,
				Inside: 2000, Wait: 1000, For: 0, Why: LateSender, Unfinished: true},
			{Name: "MPI_Test", Group: Polling, Process: 1, Thread: 2, Begin: 3000, End: 9000, Peer: -1, Tag: -1,
				Calls: 9, Inside: 500, For: -1, Failed: true, Instance: 3},
		},
		Messages: []Message{{From: 0, To: 1, Sender: 0, Target: 1, Begin: 1, End: 2004, Bytes: 8, Tag: 4}},
	}
	var text bytes.Buffer
	if err := run.Write(&text); err != nil {
		t.Fatal(err)
	}
	got, err := Load(&text)
	if err != nil {
		t.Fatal(err)
	}
	run.Messages[0].From, run.Messages[0].To = -1, -1 // the file has no numbers of events
	if !reflect.DeepEqual(got, run) {
		t.Errorf("got\n%+v\nwant\n%+v", got, run)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", "[1]", `{"traceEvents":[]}`, `{"traceEvents":7}`, `{"traceEvents":[7]}`,
		`{"traceEvents":[{"ph":"M","name":"process_name"},{"ph":"X","pid":1}]}`,
		`{"traceEvents":[{"ph":"M","name":"process_name"},{"ph":"X","dur":-1}]}`,
		`{"traceEvents":[{"ph":"M","name":"process_name"},{"ph":"s","pid":0}]}`} {
		if _, err := Load(strings.NewReader(text)); err == nil {
			t.Errorf("%s is a run", text)
		}
	}
}
