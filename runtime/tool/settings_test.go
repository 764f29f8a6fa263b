package tool

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	env := map[string]string{"GOMPI_EAGER": "4096", "GOMPI_SINGLE_COPY": "off"}
	s, err := Read(func(k string) string { return env[k] })
	if err != nil || s.Eager != 4096 || !s.NoSingleCopy || s.Spin != 0 || s.NoAreas {
		t.Fatalf("got %+v, %v", s, err)
	}
}

func TestReadBad(t *testing.T) {
	for name, value := range map[string]string{"GOMPI_EAGER": "big", "GOMPI_SPIN": "-1", "GOMPI_SINGLE_COPY": "maybe"} {
		_, err := Read(func(k string) string {
			if k == name {
				return value
			}
			return ""
		})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), value) {
			t.Errorf("%s=%s: error %v", name, value, err)
		}
	}
}
