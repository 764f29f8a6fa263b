// Package info is the info object (MPI 5.0, chapter 10): an ordered list of keys with values. It knows no
// key.
package info

import (
	"slices"
	"strings"
	"sync"

	"gompi/runtime/mpierr"
)

// Lengths that a key and a value must stay below, the final zero included (MPI 5.0, 20.3).
const (
	MaxKey   = 256
	MaxValue = 1024
)

// Info is an info object. The zero Info is empty and ready for use, by several threads.
type Info struct {
	mu      sync.RWMutex
	entries []entry // in the order in which the keys came
}

type entry struct{ key, value string }

func checkKey(key string) error {
	if key == "" || len(key) >= MaxKey {
		return mpierr.New(mpierr.ErrInfoKey, "key has %d characters, must have from 1 to %d", len(key), MaxKey-1)
	}
	return nil
}

func (i *Info) find(key string) int {
	return slices.IndexFunc(i.entries, func(e entry) bool { return e.key == key })
}

// Set adds a key, or gives one that is there another value (MPI_Info_set). Blanks around either do not count
// (MPI 5.0, chapter 10).
func (i *Info) Set(key, value string) error {
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if err := checkKey(key); err != nil {
		return err
	}
	if len(value) >= MaxValue {
		return mpierr.New(mpierr.ErrInfoValue, "value of %q has %d characters, at most %d are allowed", key, len(value), MaxValue-1)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if at := i.find(key); at >= 0 {
		i.entries[at].value = value
	} else {
		i.entries = append(i.entries, entry{key, value})
	}
	return nil
}

// Get is the value of a key (MPI_Info_get_string); ok is false when the key is not there.
func (i *Info) Get(key string) (value string, ok bool, err error) {
	key = strings.TrimSpace(key)
	if err := checkKey(key); err != nil {
		return "", false, err
	}
	i.mu.RLock()
	defer i.mu.RUnlock()
	at := i.find(key)
	if at < 0 {
		return "", false, nil
	}
	return i.entries[at].value, true, nil
}

// Delete takes a key out (MPI_Info_delete).
func (i *Info) Delete(key string) error {
	key = strings.TrimSpace(key)
	if err := checkKey(key); err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	at := i.find(key)
	if at < 0 {
		return mpierr.New(mpierr.ErrInfoNokey, "there is no key %q", key)
	}
	i.entries = slices.Delete(i.entries, at, at+1)
	return nil
}

// Len is the number of keys (MPI_Info_get_nkeys).
func (i *Info) Len() int {
	i.mu.RLock()
	defer i.mu.RUnlock()
	return len(i.entries)
}

// Key is the n-th key, counted from 0 (MPI_Info_get_nthkey).
func (i *Info) Key(n int) (string, error) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	if n < 0 || n >= len(i.entries) {
		return "", mpierr.New(mpierr.ErrArg, "n is %d, must be from 0 to %d: the object has %d keys", n, len(i.entries)-1, len(i.entries))
	}
	return i.entries[n].key, nil
}

// Dup is a copy with the same order (MPI_Info_dup).
func (i *Info) Dup() *Info {
	i.mu.RLock()
	defer i.mu.RUnlock()
	return &Info{entries: slices.Clone(i.entries)}
}
