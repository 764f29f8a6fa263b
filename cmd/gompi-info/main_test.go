package main

import (
	"strings"
	"testing"

	"gompi/runtime/tool"
)

func TestShow(t *testing.T) {
	var b strings.Builder
	if err := show(&b, func(name string) string { return map[string]string{"GOMPI_EAGER": "4096"}[name] }); err != nil {
		t.Fatal(err)
	}
	for _, c := range tool.Controls() {
		if !strings.Contains(b.String(), c.Env) {
			t.Errorf("%s is left out", c.Env)
		}
	}
	if !strings.Contains(b.String(), "* GOMPI_EAGER") || !strings.Contains(b.String(), "4096") || !strings.Contains(b.String(), "  GOMPI_SPIN") {
		t.Errorf("page\n%s", b.String())
	}
	if err := show(&b, func(string) string { return "nonsense" }); err == nil || !strings.Contains(err.Error(), "GOMPI_EAGER") {
		t.Errorf("error %v", err)
	}
}
