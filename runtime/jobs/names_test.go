package jobs

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"gompi/runtime/mpierr"
)

func want(t *testing.T, err error, class mpierr.Class) {
	t.Helper()
	if mpierr.CodeOf(err) != int(class) {
		t.Errorf("error %v, want class %d", err, int(class))
	}
}

// unique keeps tests that run at the same time apart.
func unique(name string) string { return fmt.Sprintf("%s of test %d", name, os.Getpid()) }

func TestPorts(t *testing.T) {
	var d Ports
	seen := map[string]bool{}
	for range 10 {
		name, err := d.OpenPort()
		if err != nil || len(name) >= MaxPort || seen[name] {
			t.Fatalf("%q, %v", name, err)
		}
		seen[name] = true
		c, err := dial(socketOf(name))
		if err != nil {
			t.Fatal(err)
		}
		if !c.sameUser() {
			t.Error("the port belongs to somebody else")
		}
		c.close()
	}
	for name := range seen {
		if err := d.ClosePort(name); err != nil {
			t.Error(err)
		}
		want(t, d.ClosePort(name), mpierr.ErrPort)
		if _, err := dial(socketOf(name)); err == nil {
			t.Error("a closed port is open")
		}
	}
	want(t, d.ClosePort(strings.Repeat("x", 5000)), mpierr.ErrPort)
}

func TestNames(t *testing.T) {
	var a, b Ports // two processes
	for _, name := range []string{unique("ocean"), unique(strings.Repeat("long ", 200)), unique("")} {
		port := strings.Repeat("p", MaxPort-1)
		_, err := Lookup(name)
		want(t, err, mpierr.ErrName)
		if err := a.Publish(name, port); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if got, err := Lookup(name); err != nil || got != port {
				t.Fatalf("%q, %v", got, err)
			}
		}
		want(t, a.Publish(name, port), mpierr.ErrService)
		want(t, b.Publish(name, port), mpierr.ErrService)
		want(t, b.Unpublish(name, port), mpierr.ErrService)
		want(t, a.Unpublish(name, "another"), mpierr.ErrService)
		if err := a.Unpublish(name, port); err != nil {
			t.Error(err)
		}
		_, err = Lookup(name)
		want(t, err, mpierr.ErrName)
		want(t, a.Unpublish(name, port), mpierr.ErrService)
		if err := b.Publish(name, "p"); err != nil { // at once, by another one
			t.Error(err)
		}
		b.Close()
		_, err = Lookup(name)
		want(t, err, mpierr.ErrName)
	}
	want(t, a.Publish(unique("x"), strings.Repeat("p", MaxPort)), mpierr.ErrPort)
}

// Another service at the same address is not taken for the one that is looked for.
func TestAnswersAreChecked(t *testing.T) {
	name := unique("impostor")
	at, err := listen(addressOf(name))
	if err != nil {
		t.Fatal(err)
	}
	s := &service{name: "another", port: "p", at: at, ended: make(chan struct{})}
	go s.serve()
	defer s.end()
	_, err = Lookup(name)
	want(t, err, mpierr.ErrName)
}

func TestNamesFromManyThreads(t *testing.T) {
	var d Ports
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for round := range 30 {
				name, port := unique(fmt.Sprint("thread ", i)), fmt.Sprint(round)
				if err := d.Publish(name, port); err != nil {
					t.Error(err)
					return
				}
				if got, err := Lookup(name); err != nil || got != port {
					t.Errorf("%q, %v", got, err)
				}
				if err := d.Unpublish(name, port); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// A name of any length is found again with its port, whole, or cannot be published.
func TestLongNames(t *testing.T) {
	var d Ports
	defer d.Close()
	port := strings.Repeat("p", MaxPort-1)
	found := 0
	for n := 1 << 10; n <= 1<<20; n += n / 7 {
		name := unique(strings.Repeat("n", n))
		err := d.Publish(name, port)
		if err != nil {
			want(t, err, mpierr.ErrService)
			_, err = Lookup(name)
			want(t, err, mpierr.ErrName)
			continue
		}
		found++
		if got, err := Lookup(name); err != nil || got != port {
			t.Errorf("a name of %d characters has a port of %d characters, %v", n, len(got), err)
		}
	}
	if found == 0 {
		t.Error("no name can be published")
	}
}

// What a service says whose answer was cut off is no port.
func TestAnswersThatAreCutOff(t *testing.T) {
	name := unique("cut")
	whole := (&service{name: name, port: "gompi://somewhere"}).answer()
	for n := range len(whole) {
		at, err := listen(addressOf(name))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if c, ok := at.accept(); ok {
				c.send(whole[:n])
				c.close()
			}
		}()
		_, err = Lookup(name)
		want(t, err, mpierr.ErrName)
		<-done
		at.close()
	}
}
