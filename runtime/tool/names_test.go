package tool

import "testing"

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"genv", "gevn", 1}, {"timeout", "timout", 1}, {"kitten", "sitting", 3}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestMisspelt(t *testing.T) {
	for _, c := range []struct{ variable, meant string }{
		{"GOMPI_EAGR=1", "GOMPI_EAGER"},
		{"GOMPI_SINGEL_COPY=0", "GOMPI_SINGLE_COPY"},
		{"GOMPI_eager=1", "GOMPI_EAGER"},
		{"GOMPI_CHEK=leaks", "GOMPI_CHECK"},
		{"GOMPI_FASTPATH=0", "GOMPI_FAST_PATH"},
		{"GOMPI_HOME=/opt/gompi", ""},
		{"GOMPI_CC=gcc", ""},
		{"GOMPI_EAGER=1", ""},
		{"GOMPI_CORES=2", ""},
		{"OTHER_EAGR=1", ""},
		{"GOMPI_=", ""},
	} {
		name, meant := Misspelt([]string{"PATH=/bin", c.variable, "HOME=/"})
		if meant != c.meant || (meant != "") != (name != "") {
			t.Errorf("%s: %q is meant (%q), want %q", c.variable, meant, name, c.meant)
		}
	}
}
