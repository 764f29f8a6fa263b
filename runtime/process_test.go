package runtime

import (
	"testing"

	"gompi/runtime/mpierr"
	"gompi/shm"
)

// A job of several nodes must be told, not left to fail at the first message.
func TestSeveralNodes(t *testing.T) {
	seg, err := shm.CreateJob(2)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	if _, err := New(Config{Rank: 0, Size: 4, Node: []int{0, 1},
		Segment: seg}); mpierr.CodeOf(err) != int(mpierr.ErrOther) {
		t.Errorf("error %v", err)
	}
}
