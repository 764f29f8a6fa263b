// Package info is the info object (MPI 5.0, chapter 10): an ordered list of keys with values. It knows no
// key.
package info

import (
	"slices"
	"strings"

	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// Lengths that a key and a value must stay below, the final zero included (MPI 5.0, 20.3).
const (
	MaxKey   = 256
	MaxValue = 1024
)

// Info is an info object. The zero Info is empty and ready for use, by several threads.
type Info struct {
	first  [1]fast.InfoEntry // the list of the first key
	shared fast.InfoList     // in the order in which the keys came
}

// Shared is what C reads.
func (i *Info) Shared() *fast.InfoList { return &i.shared }

func checkKey(key string) error {
	if key == "" || len(key) >= MaxKey {
		return mpierr.New(mpierr.ErrInfoKey, "key has %d characters, must have from 1 to %d", len(key), MaxKey-1)
	}
	return nil
}

func (i *Info) find(key string) int {
	return slices.IndexFunc(i.shared.Entries(), func(x fast.InfoEntry) bool {
		k, _ := x.Strings()
		return k == key
	})
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
	i.shared.Lock()
	defer i.shared.Unlock()
	all := i.shared.Entries()
	at := i.find(key)
	switch {
	case at >= 0 && all[at].Replace(value):
	case at >= 0:
		all = slices.Clone(all) // C may be reading the entry
		all[at] = fast.InfoEntryWithRoom(key, value)
		i.shared.Set(all)
	case len(all) == 0 && i.first[0].Key == nil:
		i.first[0] = fast.NewInfoEntry(key, value)
		i.shared.Set(i.first[:])
	default:
		i.shared.Set(i.shared.With(fast.NewInfoEntry(key, value)))
	}
	return nil
}

// Get is the value of a key (MPI_Info_get_string); ok is false when the key is not there.
func (i *Info) Get(key string) (value string, ok bool, err error) {
	key = strings.TrimSpace(key)
	if err := checkKey(key); err != nil {
		return "", false, err
	}
	i.shared.Lock()
	defer i.shared.Unlock()
	at := i.find(key)
	if at < 0 {
		return "", false, nil
	}
	_, value = i.shared.Entries()[at].Strings()
	return strings.Clone(value), true, nil
}

// Delete takes a key out (MPI_Info_delete).
func (i *Info) Delete(key string) error {
	key = strings.TrimSpace(key)
	if err := checkKey(key); err != nil {
		return err
	}
	i.shared.Lock()
	defer i.shared.Unlock()
	at := i.find(key)
	if at < 0 {
		return mpierr.New(mpierr.ErrInfoNokey, "there is no key %q", key)
	}
	i.shared.Set(slices.Delete(slices.Clone(i.shared.Entries()), at, at+1))
	return nil
}

// Len is the number of keys (MPI_Info_get_nkeys).
func (i *Info) Len() int {
	i.shared.Lock()
	defer i.shared.Unlock()
	return len(i.shared.Entries())
}

// Key is the n-th key, counted from 0 (MPI_Info_get_nthkey).
func (i *Info) Key(n int) (string, error) {
	i.shared.Lock()
	defer i.shared.Unlock()
	all := i.shared.Entries()
	if n < 0 || n >= len(all) {
		return "", mpierr.New(mpierr.ErrArg, "n is %d, must be from 0 to %d: the object has %d keys", n, len(all)-1, len(all))
	}
	key, _ := all[n].Strings()
	return key, nil
}

// Dup is a copy with the same order (MPI_Info_dup).
func (i *Info) Dup() *Info {
	i.shared.Lock()
	defer i.shared.Unlock()
	d := new(Info)
	d.shared.Set(i.shared.Copy())
	return d
}
