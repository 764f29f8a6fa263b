package launch

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"gompi/launch/process"
)

func TestFrames(t *testing.T) {
	all := []frame{
		{kind: frameStart, world: 3, body: []byte("order")},
		{kind: frameOutput, flag: true, world: 1 << 20, rank: 7, body: []byte{0, 255}},
		{kind: frameBeat, rank: -1, body: []byte{}},
	}
	var stream []byte
	for i := range all {
		stream = all[i].append(stream)
	}
	// Whatever the pieces are in which the stream comes.
	for cut := range stream {
		var got []frame
		rest := stream[:cut]
		take := func() {
			for {
				f, after, ok, err := nextFrame(rest)
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
	if _, _, _, err := nextFrame(bytes.Repeat([]byte{255}, frameHead)); !errors.Is(err, errFrame) {
		t.Errorf("an endless frame: %v", err)
	}
}

// A world that ends elsewhere before its ranks have been started here does not begin.
func TestEndAheadOfStart(t *testing.T) {
	u := &uplink{job: &job{}}
	for _, f := range []frame{{kind: frameStart, world: 1}, {kind: frameStart, world: 2},
		{kind: frameEnd, world: 1}} {
		if err := u.take(&f); err != nil {
			t.Fatal(err)
		}
	}
	if len(u.orders) != 1 || u.orders[0].world != 2 {
		t.Errorf("%+v", u.orders)
	}
}

func TestBodies(t *testing.T) {
	s := setup{name: "mpiexec", mergeStderr: true, terminal: true, rows: 24, cols: 80,
		binding: "Core;;1;", silence: 10, address: "10.1.2.3",
		files: []pushed{{path: "/bin/a", mode: 0o755, size: 7, sum: "\x00\xff"}, {path: "/lib/b", library: true}}}
	if got, err := unpackSetup(s.pack()); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, %v", got, err)
	}
	o := order{universe: -1, spawned: true, port: "port", values: map[string]string{"k": "v"},
		apps: []process.App{{Argv: []string{"a", "\xff\n"}, Ranks: 2, Path: "/p", Dir: "/d", File: "/f", Env: []string{"A=b"}},
			{Argv: []string{}, Ranks: 3, Env: []string{}}},
		ranks: []place{{number: 1, stdin: true, files: [2]string{"out", "err"}, cpus: []int{0, 3}},
			{number: 4, app: 1}}}
	if got, err := unpackOrder(o.pack()); err != nil || !reflect.DeepEqual(got, o) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, ranks := range [][]place{{{number: 5}}, {{number: 2}, {number: 1}},
		{{number: 0, app: 2}}, {{number: -1}}} {
		bad := o
		bad.ranks = ranks
		if got, err := unpackOrder(bad.pack()); !errors.Is(err, errFrame) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	r := refusal{text: "why", code: 127, program: -1, started: 2}
	if got, err := unpackRefusal(r.pack()); err != nil || got != r {
		t.Errorf("%+v, %v", got, err)
	}
	e := exit{status: 9, inner: 77, memory: "much"}
	if got, err := unpackExit(e.pack()); err != nil || got != e {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whatever comes is taken for what it is, or refused.
func FuzzBodies(f *testing.F) {
	o := order{apps: []process.App{{Argv: []string{"a"}, Ranks: 2}}, ranks: []place{{number: 1}}}
	f.Add(o.pack())
	f.Add((&setup{}).pack())
	f.Add((&exit{}).pack())
	f.Fuzz(func(t *testing.T, body []byte) {
		if o, err := unpackOrder(body); err == nil {
			for _, r := range o.ranks {
				if r.app >= len(o.apps) {
					t.Fatalf("%+v", o)
				}
			}
		}
		_, _ = unpackSetup(body)
		_, _ = unpackRefusal(body)
		_, _ = unpackExit(body)
	})
}
