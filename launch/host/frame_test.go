package host

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"gompi/launch/process"
)

func TestFrames(t *testing.T) {
	all := []Frame{
		{Kind: FrameStart, World: 3, Body: []byte("order")},
		{Kind: FrameOutput, Flag: true, World: 1 << 20, Rank: 7, Body: []byte{0, 255}},
		{Kind: FrameBeat, Rank: -1, Body: []byte{}},
	}
	var stream []byte
	for i := range all {
		stream = all[i].Append(stream)
	}
	// Whatever the pieces are in which the stream comes.
	for cut := range stream {
		var got []Frame
		rest := stream[:cut]
		take := func() {
			for {
				f, after, ok, err := NextFrame(rest)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					return
				}
				got, rest = append(got, f), after
			}
		}
		take()
		rest = append(append([]byte(nil), rest...), stream[cut:]...)
		take()
		if !reflect.DeepEqual(got, all) {
			t.Fatalf("cut at %d: %+v", cut, got)
		}
	}
	if _, _, _, err := NextFrame(bytes.Repeat([]byte{255}, frameHead)); !errors.Is(err, ErrFrame) {
		t.Errorf("an endless frame: %v", err)
	}
}

func TestBodies(t *testing.T) {
	s := Setup{Name: "mpiexec", MergeStderr: true, Terminal: true, Rows: 24, Cols: 80,
		Binding: "Core;;1;", Silence: 10, Address: "10.1.2.3",
		Files: []pushed{{path: "/bin/a", mode: 0o755, size: 7, sum: "\x00\xff"}, {path: "/lib/b", library: true}}}
	if got, err := UnpackSetup(s.Pack()); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, %v", got, err)
	}
	o := Order{Universe: -1, Spawned: true, Port: "port", Values: map[string]string{"k": "v"},
		Apps: []process.App{{Argv: []string{"a", "\xff\n"}, Ranks: 2, Path: "/p", Dir: "/d", File: "/f",
			Env: []string{"A=b"}},
			{Argv: []string{}, Ranks: 3, Env: []string{}}},
		Ranks: []Place{{Number: 1, Stdin: true, Files: [2]string{"out", "err"}, Cpus: []int{0, 3}},
			{Number: 4, App: 1}}}
	if got, err := UnpackOrder(o.Pack()); err != nil || !reflect.DeepEqual(got, o) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, ranks := range [][]Place{{{Number: 5}}, {{Number: 2}, {Number: 1}},
		{{Number: 0, App: 2}}, {{Number: -1}}} {
		bad := o
		bad.Ranks = ranks
		if got, err := UnpackOrder(bad.Pack()); !errors.Is(err, ErrFrame) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	r := Refusal{Text: "why", Code: 127, Program: -1, Started: 2}
	if got, err := UnpackRefusal(r.Pack()); err != nil || got != r {
		t.Errorf("%+v, %v", got, err)
	}
	e := Exit{Status: 9, Inner: 77, Memory: "much"}
	if got, err := UnpackExit(e.Pack()); err != nil || got != e {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whatever comes is taken for what it is, or refused.
func FuzzBodies(f *testing.F) {
	o := Order{Apps: []process.App{{Argv: []string{"a"}, Ranks: 2}}, Ranks: []Place{{Number: 1}}}
	f.Add(o.Pack())
	f.Add((&Setup{}).Pack())
	f.Add((&Exit{}).Pack())
	f.Fuzz(func(t *testing.T, body []byte) {
		if o, err := UnpackOrder(body); err == nil {
			for _, r := range o.Ranks {
				if r.App >= len(o.Apps) {
					t.Fatalf("%+v", o)
				}
			}
		}
		_, _ = UnpackSetup(body)
		_, _ = UnpackRefusal(body)
		_, _ = UnpackExit(body)
	})
}
