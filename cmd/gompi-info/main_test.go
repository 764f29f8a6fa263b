package main

import (
	"encoding/json"
	"strings"
	"testing"

	"gompi/runtime/tool"
)

// call runs the command with some environment.
func call(t *testing.T, env map[string]string, args ...string) (code int, out, problems string) {
	t.Helper()
	var o, p strings.Builder
	code = run(args, &o, &p, func(name string) string { return env[name] })
	return code, o.String(), p.String()
}

func TestPage(t *testing.T) {
	code, out, problems := call(t, map[string]string{"GOMPI_EAGER": "4096", "GOMPI_FAST_PATH": "0"})
	if code != 0 || problems != "" {
		t.Fatalf("exit code %d, %s", code, problems)
	}
	for _, c := range tool.Controls() {
		if !strings.Contains(out, c.Env) {
			t.Errorf("%s is left out", c.Env)
		}
	}
	for _, p := range tool.Performances() {
		if !strings.Contains(out, "\n  "+p.Name+" ") {
			t.Errorf("%s is left out", p.Name)
		}
	}
	for _, e := range tool.Events() {
		if !strings.Contains(out, e.Name) {
			t.Errorf("%s is left out", e.Name)
		}
	}
	if !strings.HasPrefix(out, "gompi "+version+", MPI 5.0") || !strings.Contains(out, "* GOMPI_EAGER") || !strings.Contains(out, "4096") ||
		!strings.Contains(out, "  GOMPI_SPIN") || !strings.Contains(out, "* GOMPI_FAST_PATH           off") {
		t.Errorf("page\n%s", out)
	}
}

// Each option shows its part and nothing else.
func TestParts(t *testing.T) {
	for option, want := range map[string][3]bool{
		"--settings": {true, false, false}, "--counters": {false, true, false}, "--events": {false, false, true},
	} {
		code, out, _ := call(t, nil, option)
		got := [3]bool{strings.Contains(out, "GOMPI_EAGER "), strings.Contains(out, "eager_messages "), strings.Contains(out, "rendezvous_begun ")}
		if code != 0 || got != want || strings.Contains(out, "MPI 5.0") {
			t.Errorf("%s: exit code %d,\n%s", option, code, out)
		}
	}
	if code, out, _ := call(t, nil, "--version"); code != 0 || out != version+"\n" {
		t.Errorf("--version: %q", out)
	}
	if code, out, _ := call(t, nil, "--help"); code != 0 || out != usage {
		t.Errorf("--help: %q", out)
	}
}

func TestNames(t *testing.T) {
	code, out, _ := call(t, map[string]string{"GOMPI_EAGER": "100"}, "GOMPI_EAGER", "win_kernel_bytes", "rendezvous_begun")
	for _, want := range []string{"100 (set here)", "65536", "can be written", "aggregate", "window", "destination (MPI_INT)"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "GOMPI_SPIN") {
		t.Errorf("more than was asked for:\n%s", out)
	}
	if code, out, problems := call(t, nil, "GOMPI_NONSENSE"); code != 1 || out != "" || !strings.Contains(problems, "GOMPI_NONSENSE") {
		t.Errorf("exit code %d, %q, %q", code, out, problems)
	}
}

func TestJSON(t *testing.T) {
	var v inventory
	code, out, _ := call(t, map[string]string{"GOMPI_SPIN": "7"}, "--json")
	if err := json.Unmarshal([]byte(out), &v); code != 0 || err != nil {
		t.Fatalf("exit code %d, %v\n%s", code, err, out)
	}
	if v.Version != version || len(v.Settings) != len(tool.Controls()) ||
		len(v.Counters) != len(tool.Performances()) || len(v.Events) != len(tool.Events()) {
		t.Errorf("%d settings, %d variables, %d events", len(v.Settings), len(v.Counters), len(v.Events))
	}
	for _, s := range v.Settings {
		if (s.Name == "GOMPI_SPIN") != s.Set || s.Set && s.Value != "7" || s.Help == "" {
			t.Errorf("%+v", s)
		}
	}
	for _, c := range v.Counters {
		if c.Class == "" || c.Type == "" || c.Help == "" || (c.Object == "") == (strings.HasPrefix(c.Name,
			"win_") || strings.HasPrefix(c.Name, "comm_")) {
			t.Errorf("%+v", c)
		}
	}
	var one inventory
	if code, out, _ := call(t, nil, "--json", "time_waited"); code != 0 ||
		json.Unmarshal([]byte(out), &one) != nil || len(one.Counters) != 1 ||
		one.Counters[0].Class != "timer" || one.Settings != nil {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// What the library decides is listed, with the settings that pin it here.
func TestChoices(t *testing.T) {
	env := map[string]string{"GOMPI_COPY_CHUNK": "65536", "GOMPI_RENDEZVOUS": "read"}
	code, out, problems := call(t, env, "--choices")
	if code != 0 || problems != "" || !strings.Contains(out, "GOMPI_RENDEZVOUS=read") ||
		strings.Contains(out, "GOMPI_COPY_CHUNK") {
		t.Errorf("exit code %d, %s, page\n%s", code, problems, out)
	}
	_, out, _ = call(t, env, "--choices", "--json")
	var list []choice
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != len(tool.Choices()) {
		t.Fatalf("%v, %d of %d choices", err, len(list), len(tool.Choices()))
	}
	for i, c := range tool.Choices() {
		pinned := strings.Contains(strings.Join(c.Settings, " "), "GOMPI_RENDEZVOUS")
		if list[i].Name != c.Name || (len(list[i].Pinned) > 0) != pinned {
			t.Errorf("choice %d is %+v", i, list[i])
		}
	}
}

// A setting that makes no sense is shown as what it is, and is the error.
func TestNonsense(t *testing.T) {
	code, out, problems := call(t, map[string]string{"GOMPI_EAGER": "nonsense"})
	if code != 1 || !strings.Contains(out, "nonsense") || !strings.Contains(problems, `GOMPI_EAGER="nonsense"`) {
		t.Errorf("exit code %d, %s", code, problems)
	}
	if code, _, problems := call(t, nil, "--nonsense"); code != 2 || !strings.Contains(problems, "usage") {
		t.Errorf("exit code %d, %s", code, problems)
	}
}

// The table of collective operations comes without a launcher, and shows what is pinned.
func TestCollectives(t *testing.T) {
	code, out, problems := call(t, map[string]string{"GOMPI_COLLECTIVES": "bcast=ring"}, "--collectives", "4")
	if code != 0 || problems != "" {
		t.Fatalf("exit code %d, %s", code, problems)
	}
	for _, want := range []string{"of 4 ranks", "\nbcast           node               any ", "chosen by the user",
		"\nallreduce       cells, at_root, steps", "Nothing has been measured"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code, _, problems := call(t, nil, "--collectives", "one"); code != 1 || !strings.Contains(problems, `"one"`) {
		t.Errorf("exit code %d, %s", code, problems)
	}
}
