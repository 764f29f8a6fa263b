package mpierr

import "testing"

func TestClasses(t *testing.T) {
	for i := 1; i < len(classes); i++ {
		if classes[i-1].class >= classes[i].class {
			t.Errorf("%s and %s are not in rising order", classes[i-1].name, classes[i].name)
		}
	}
	for _, c := range []struct {
		class      Class
		name, text string
		predefined bool
	}{
		{0, "MPI_SUCCESS", "no error", true},
		{ErrRank, "MPI_ERR_RANK", "invalid rank", true},
		{TErrNotSupported, "MPI_T_ERR_NOT_SUPPORTED", "not supported by the tool interface", true},
		{16383, "MPI_ERR_LASTCODE", "last predefined error code", true},
		{-1, "MPI_ERR_UNKNOWN", "unknown error", false},
		{63, "MPI_ERR_UNKNOWN", "unknown error", false},
	} {
		if c.class.Name() != c.name || c.class.Text() != c.text || c.class.Predefined() != c.predefined {
			t.Errorf("class %d is %s, %q, predefined %v", c.class, c.class.Name(), c.class.Text(), c.class.Predefined())
		}
	}
}

func TestError(t *testing.T) {
	e := New(ErrRank, "rank %d is not there", 7)
	e.Func = "MPI_Send"
	if got, want := e.Error(), "MPI_Send: rank 7 is not there (MPI_ERR_RANK)"; got != want || CodeOf(e) != int(ErrRank) || CodeOf(nil) != 0 {
		t.Errorf("got %q, code %d", got, CodeOf(e))
	}
}
