package object

import "gompi/runtime/info"

// Hint is a hint that objects of some kind understand.
type Hint struct {
	Key string
	// value in force while none is set; with "" the hint is listed only when it is set
	Default string
	// tells values that are understood from others, which are passed over; nil for any value
	Valid func(value string) bool
}

// Truth is the Valid of hints that are true or false.
func Truth(value string) bool { return value == "true" || value == "false" }

// SetHints takes over those of the hints that are known, and have a value that is understood
// (MPI_Comm_set_info and its kin). from may be nil.
func (b *Base) SetHints(known []Hint, from *info.Info) {
	if from == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listed = nil
	for _, h := range known {
		v, ok, err := from.Get(h.Key)
		if err != nil || !ok || h.Valid != nil && !h.Valid(v) {
			continue
		}
		if b.hints == nil {
			b.hints = map[string]string{}
		}
		b.hints[h.Key] = v
	}
}

// Hint is the value of a hint that was set; ok is false when none was.
func (b *Base) Hint(key string) (value string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	value, ok = b.hints[key]
	return value, ok
}

// Hints lists the known hints that are in force, in their order (MPI_Comm_get_info and its kin).
func (b *Base) Hints(known func() []Hint) *info.Info {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listed == nil {
		b.listed = new(info.Info)
		for _, h := range known() {
			v, ok := b.hints[h.Key]
			if !ok {
				v = h.Default
			}
			if ok || v != "" {
				_ = b.listed.Set(h.Key, v) // it came out of an info object, or is short
			}
		}
	}
	return b.listed.Dup()
}
