package boot

import (
	"os/exec"
	"sync/atomic"
	"testing"

	"gompi/shm"
)

// pretendProcess makes a process of its own stand for a rank, and returns what ends it.
func pretendProcess(t *testing.T, j *Job) (end func()) {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	block := j.Segment.Base + shm.RankOffset(j.NodeRank)
	atomic.StoreUint32(shm.Word32(block+shm.RankProcess), uint32(cmd.Process.Pid))
	ended := false
	end = func() {
		if !ended {
			ended = true
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	t.Cleanup(end)
	return end
}
