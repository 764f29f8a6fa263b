package info

import (
	"strings"
	"testing"

	"gompi/runtime/mpierr"
	"pgregory.net/rapid"
)

// TestAgainstList holds Info against a slice of pairs.
func TestAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var i Info
		var keys []string
		values := map[string]string{}
		key := rapid.SampledFrom([]string{"a", "b", "c", "dd", "e f"})
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				k, v := key.Draw(t, "key"), rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "value")
				if err := i.Set(" "+k, v+"\t"); err != nil {
					t.Fatal(err)
				}
				if _, ok := values[k]; !ok {
					keys = append(keys, k)
				}
				values[k] = v
			},
			"delete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				_, ok := values[k]
				if err := i.Delete(k); (err == nil) != ok {
					t.Fatalf("deleting %q: %v", k, err)
				}
				delete(values, k)
				for at := range keys {
					if keys[at] == k {
						keys = append(keys[:at:at], keys[at+1:]...)
						break
					}
				}
			},
			"dup": func(t *rapid.T) {
				d := i.Dup()
				if err := d.Set("new", "x"); err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) {
				if i.Len() != len(keys) {
					t.Fatalf("%d keys, want %d", i.Len(), len(keys))
				}
				for n, k := range keys {
					if got, err := i.Key(n); err != nil || got != k {
						t.Fatalf("key %d is %q, want %q", n, got, k)
					}
					if v, ok, err := i.Get(k); err != nil || !ok || v != values[k] {
						t.Fatalf("value of %q is %q, want %q", k, v, values[k])
					}
				}
			},
		})
	})
}

func TestLimits(t *testing.T) {
	var i Info
	for _, c := range []struct {
		key, value string
		want       mpierr.Class
	}{
		{strings.Repeat("k", MaxKey-1), strings.Repeat("v", MaxValue-1), 0},
		{strings.Repeat("k", MaxKey), "v", mpierr.ErrInfoKey},
		{"", "v", mpierr.ErrInfoKey},
		{"  ", "v", mpierr.ErrInfoKey},
		{"k", strings.Repeat("v", MaxValue), mpierr.ErrInfoValue},
	} {
		if err := i.Set(c.key, c.value); mpierr.CodeOf(err) != int(c.want) {
			t.Errorf("key of %d, value of %d characters: %v", len(c.key), len(c.value), err)
		}
	}
	if _, err := i.Key(1); mpierr.CodeOf(err) != int(mpierr.ErrArg) {
		t.Errorf("key 1 of 1: %v", err)
	}
	if err := i.Delete("none"); mpierr.CodeOf(err) != int(mpierr.ErrInfoNokey) {
		t.Errorf("deleting what is not there: %v", err)
	}
}

// A duplicate has the keys that it was made with, and those that are set later.
func TestSetOnDuplicate(t *testing.T) {
	var i Info
	for _, key := range []string{"a", "b"} {
		if err := i.Set(key, key); err != nil {
			t.Fatal(err)
		}
	}
	d := i.Dup()
	if err := d.Set("c", "c"); err != nil {
		t.Fatal(err)
	}
	if d.Len() != 3 || i.Len() != 2 {
		t.Errorf("the duplicate has %d keys, the original %d", d.Len(), i.Len())
	}
	for n, want := range []string{"a", "b", "c"} {
		if key, err := d.Key(n); err != nil || key != want {
			t.Errorf("key %d is %q, %v", n, key, err)
		}
	}
}
