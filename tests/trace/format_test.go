package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// The rules of the trace event format for what a run has: which members each phase needs and may have.
var phases = map[string]struct{ needs, may []string }{
	"M": {[]string{"name", "ph", "pid", "tid", "args"}, nil},
	"X": {[]string{"name", "ph", "pid", "tid", "cat", "ts", "dur"}, []string{"args"}},
	"s": {[]string{"name", "ph", "pid", "tid", "cat", "id", "ts"}, []string{"args"}},
	"f": {[]string{"name", "ph", "pid", "tid", "cat", "id", "ts", "bp"}, []string{"args"}},
}

// members reads one object and refuses a name that comes twice, which parsers resolve differently.
func members(d *json.Decoder) (map[string]any, error) {
	all := map[string]any{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		if _, twice := all[name.(string)]; twice {
			return nil, fmt.Errorf("%v comes twice", name)
		}
		if name == "args" {
			if _, err = d.Token(); err == nil {
				all["args"], err = members(d)
			}
		} else {
			var value any
			err = d.Decode(&value)
			all[name.(string)] = value
		}
		if err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return all, err
}

// misformed says what is wrong with an event.
func misformed(e map[string]any) string {
	phase, _ := e["ph"].(string)
	rules, known := phases[phase]
	if !known {
		return "no such phase"
	}
	allowed := map[string]bool{}
	for _, name := range rules.needs {
		allowed[name] = true
		if _, there := e[name]; !there {
			return name + " is missing"
		}
	}
	for _, name := range rules.may {
		allowed[name] = true
	}
	for name, value := range e {
		if !allowed[name] {
			return name + " does not belong there"
		}
		switch name {
		case "pid", "tid", "id":
			if n, ok := value.(json.Number); !ok || bytes.ContainsAny([]byte(n), ".eE-") {
				return name + " is no number of a thing"
			}
		case "ts", "dur":
			n, ok := value.(json.Number)
			if f, err := n.Float64(); !ok || err != nil || f < 0 {
				return name + " is no time"
			}
		case "args":
			if _, ok := value.(map[string]any); !ok {
				return "args is no object"
			}
		case "bp":
			if value != "e" {
				return "an arrow that ends at the next slice"
			}
		default:
			if s, ok := value.(string); !ok || s == "" {
				return name + " is no text"
			}
		}
	}
	if phase == "M" && e["name"] != "process_name" && e["name"] != "process_sort_index" && e["name"] != "thread_name" {
		return "metadata that no viewer knows"
	}
	return ""
}

// Every file keeps the rules of the format: viewers are more lenient, each in its own way.
func TestFormat(t *testing.T) {
	for _, words := range [][]string{{"./mix"}, {"./late"}, {"./threads"}} {
		_, file, _ := traced(t, 2, 0, words...)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		d := json.NewDecoder(f)
		d.UseNumber()
		for _, want := range []any{json.Delim('{'), "displayTimeUnit", "ns", "otherData", json.Delim('{'), "producer", "gompi",
			json.Delim('}'), "traceEvents", json.Delim('[')} {
			if got, err := d.Token(); err != nil || got != want {
				t.Fatalf("%q: %v where %v belongs, %v", words, got, want, err)
			}
		}
		count, named, arrow := 0, map[string]bool{}, map[string]string{}
		for d.More() {
			if _, err := d.Token(); err != nil {
				t.Fatal(err)
			}
			e, err := members(d)
			if err != nil {
				t.Fatalf("%q: event %d: %v", words, count, err)
			}
			if wrong := misformed(e); wrong != "" {
				t.Errorf("%q: event %d: %s: %v", words, count, wrong, e)
			}
			pid := fmt.Sprint(e["pid"])
			switch e["ph"] {
			case "M":
				named[pid] = true
			case "s":
				if id := fmt.Sprint(e["id"]); arrow[id] != "" {
					t.Errorf("two arrows have the number %s", id)
				} else {
					arrow[id] = fmt.Sprint(e["name"], e["cat"])
				}
			case "f":
				if arrow[fmt.Sprint(e["id"])] != fmt.Sprint(e["name"], e["cat"]) {
					t.Errorf("the end of an arrow has another name than its start: %v", e)
				}
			}
			if !named[pid] {
				t.Errorf("process %s has no name", pid)
			}
			count++
		}
		for _, want := range []any{json.Delim(']'), json.Delim('}')} {
			if got, err := d.Token(); err != nil || got != want {
				t.Errorf("%q: the end is %v, %v", words, got, err)
			}
		}
		if d.More() || count < 10 {
			t.Errorf("%q: %d events, and something behind them", words, count)
		}
	}
}
