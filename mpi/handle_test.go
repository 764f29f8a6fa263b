package mpi

import (
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestTable holds a table against a map: every live handle leads to its object, no freed one does.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		objects := table[int]{kind: kindErrhandler}
		live, freed := map[uintptr]*int{}, []uintptr{}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				object := new(int)
				h := objects.put(object)
				if h <= maxPredefined || h>>30 != 0 {
					t.Fatalf("handle %#x is predefined or has more than 30 bits", h)
				}
				if live[h] != nil {
					t.Fatalf("handle %#x is given twice", h)
				}
				live[h] = object
			},
			"remove": func(t *rapid.T) {
				for h, object := range live {
					if objects.remove(h) != object {
						t.Fatalf("remove(%#x) returns another object", h)
					}
					delete(live, h)
					freed = append(freed, h)
					break
				}
			},
			"": func(t *rapid.T) {
				for h, object := range live {
					if objects.get(h) != object {
						t.Fatalf("get(%#x) returns another object", h)
					}
				}
				for _, h := range freed {
					if live[h] == nil && (objects.get(h) != nil || objects.remove(h) != nil) {
						t.Fatalf("handle %#x lives on after it was freed", h)
					}
				}
			},
		})
	})
}

func TestForeignHandles(t *testing.T) {
	objects := table[int]{kind: kindErrhandler}
	h := objects.put(new(int))
	for _, bad := range []uintptr{0, 1, 0x101, h + 1, h ^ 1<<genShift, h ^ 1<<KindShift, h | requestFlag,
		h | 1<<30, ^uintptr(0), h | 1<<63} {
		if objects.get(bad) != nil {
			t.Errorf("get(%#x) finds the object of %#x", bad, h)
		}
	}
}

func TestTableIsFull(t *testing.T) {
	objects := table[int]{kind: kindErrhandler}
	objects.used = most
	if h := objects.put(new(int)); h != 0 {
		t.Errorf("a full table gives handle %#x", h)
	}
}

// TestTableThreads looks handles up while others come and go.
func TestTableThreads(t *testing.T) {
	objects := table[int]{kind: kindErrhandler}
	steady := new(int)
	h := objects.put(steady)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 2000 {
				own := new(int)
				g := objects.put(own)
				if objects.get(g) != own || objects.get(h) != steady {
					t.Error("a handle leads to another object")
				}
				objects.remove(g)
			}
		})
	}
	wg.Wait()
}
