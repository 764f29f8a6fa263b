package launcher

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStdinGoesToRankZero(t *testing.T) {
	run(t, "from outside\n", "-n", "3", "sh", "-c", "read line; echo $PMI_RANK:$line").
		want(t, 0, "0:from outside\n", "")
	r := run(t, "from outside\n", "-n", "3", "sh", "-c", "cat; echo end $PMI_RANK")
	if strings.Count(r.out, "from outside") != 1 || strings.Count(r.out, "end ") != 3 {
		t.Errorf("stdout %q", r.out)
	}
	r = run(t, "for one\n", "--stdin", "1", "-n", "2", "sh", "-c", "read line; echo $PMI_RANK:$line")
	r.want(t, 0, "1:for one\n", "")
	r = run(t, "for none\n", "--stdin", "none", "-n", "2", "sh", "-c", "cat")
	if r.out != "" {
		t.Errorf("stdout %q", r.out)
	}
}

// A job that does not read leaves the input to whoever does: the loop sees every line.
func TestStdinIsNotEaten(t *testing.T) {
	script := "while read line; do " + mpiexec + " -n 2 sh -c 'test $PMI_RANK = 1 || echo job'; echo line $line; done"
	r := runCommand(t, "one\ntwo\nthree\n", "sh", "-c", script)
	r.want(t, 0, "job\nline one\njob\nline two\njob\nline three\n", "")
	r.silent(t)
}

func TestStdinMayBeClosed(t *testing.T) {
	runCommand(t, "", "sh", "-c", mpiexec+" -n 2 echo fine <&-").want(t, 0, "fine\nfine\n", "")
	runCommand(t, "", "sh", "-c", mpiexec+" -n 2 true >&- 2>&-").want(t, 0, "", "")
}

func TestLabels(t *testing.T) {
	r := run(t, "", "-l", "-n", "2", "sh", "-c", "echo a; echo b; echo problem >&2; printf rest")
	r.want(t, 0, "", "[1] problem\n")
	for _, label := range []string{"[0] ", "[1] "} {
		var own []string
		for _, line := range strings.Split(r.out, "\n") {
			if text, ok := strings.CutPrefix(line, label); ok {
				own = append(own, text)
			}
		}
		if strings.Join(own, "|") != "a|b|rest" {
			t.Errorf("lines %q of %s in %q", own, label, r.out)
		}
	}
	run(t, "", "--tag-output", "-n", "1", "sh", "-c", "echo a; echo b >&2").want(t, 0, "[0]<stdout> a\n", "[0]<stderr> b\n")
	run(t, "", "--merge-stderr-to-stdout", "-n", "2", "sh", "-c", "echo b >&2").want(t, 0, "b\nb\n", "")
}

func TestOutputFiles(t *testing.T) {
	dir := t.TempDir()
	r := run(t, "", "-outfile-pattern", dir+"/out.%r", "-n", "2", "sh", "-c", "echo rank $PMI_RANK; echo seen >&2")
	r.want(t, 0, "", "seen\nseen\n")
	got := runCommand(t, "", "cat", dir+"/out.0", dir+"/out.1")
	if got.out != "rank 0\nrank 1\n" {
		t.Errorf("files hold %q", got.out)
	}
	run(t, "", "-outfile-pattern", "/no/such/place/%r", "-n", "2", "true").want(t, 1, "", "output file")
}

// A prompt shows although no newline follows, and the answer to it arrives.
func TestPromptWithoutNewline(t *testing.T) {
	cmd := exec.Command(mpiexec, "-n", "2", "sh", "-c", "test $PMI_RANK = 0 || exit 0; printf 'name? '; read name; echo hello $name")
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	prompt := make([]byte, 6)
	if _, err := io.ReadFull(out, prompt); err != nil || string(prompt) != "name? " {
		t.Errorf("prompt %q, %v", prompt, err)
	}
	io.WriteString(in, "gopher\n")
	rest, _ := io.ReadAll(out)
	if string(rest) != "hello gopher\n" {
		t.Errorf("answer %q", rest)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// Long lines of eight ranks at once, in pieces, through a pipe: each arrives whole.
func TestLinesUnderLoad(t *testing.T) {
	script := `i=0; while [ $i -lt 200 ]; do printf '%s %s ' $PMI_RANK $i; printf '%03000d' $PMI_RANK; echo; i=$((i+1)); done`
	cmd := exec.Command(mpiexec, "-n", "8", "sh", "-c", script)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	next := make([]int, 8)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var r, i, tail int
		if n, _ := fmt.Sscanf(lines.Text(), "%d %d %d", &r, &i, &tail); n != 3 || r > 7 || next[r] != i ||
			tail != r || len(lines.Text()) < 3000 {
			t.Fatalf("line %.60q", lines.Text())
		}
		next[r]++
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	for r, n := range next {
		if n != 200 {
			t.Errorf("%d of 200 lines of rank %d", n, r)
		}
	}
}

// When the reader has seen enough, the job ends without a word.
func TestReaderLeaves(t *testing.T) {
	for _, n := range []string{"1", "2"} {
		r := runCommand(t, "", "sh", "-c", mpiexec+" -n "+n+" yes | head -n 2")
		r.want(t, 0, "y\ny\n", "")
		r.silent(t)
	}
}

// A reader that stands still holds the ranks up, not the launcher's memory, and the job can still be ended.
func TestReaderStandsStill(t *testing.T) {
	r := runCommand(t, "", "sh", "-c", "{ "+mpiexec+" --timeout 0.5 -n 2 yes; echo code $? >&2; } | { sleep 2; cat >/dev/null; }")
	r.want(t, 0, "", "code 124")
}

// When standard output cannot be written, that is said, and it is a failure.
func TestOutputOnFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	word := mark(t)
	command := mpiexec + " -n 2 sh -c 'echo line; sleep 3000; : " + word + "' > /dev/full"
	r := runCommand(t, "", "sh", "-c", command)
	r.want(t, 1, "", "mpiexec: standard output: no space left on device\n")
	if len(r.ownLines()) != 1 {
		t.Errorf("stderr %q", r.err)
	}
	gone(t, word)
	for _, option := range []string{"--help", "--version"} {
		runCommand(t, "", "sh", "-c", mpiexec+" "+option+" > /dev/full").want(t, 1, "", "mpiexec: standard output: no space left on device\n")
	}
}

// However long a line is, and however slow the reader, no other line stands within it.
func TestLongLines(t *testing.T) {
	script := `letter=$(echo abc | cut -c $((PMI_RANK + 1)))
		if test $PMI_RANK = 2; then for i in $(seq 2000); do echo ccc; done; sleep 0.2; yes ccc | head -n 500000
		else head -c 40000000 /dev/zero | tr '\0' $letter; echo; fi`
	file := filepath.Join(t.TempDir(), "out")
	slow := "| { head -c 18000000; sleep 1.5; cat; } > " + file
	for _, to := range []string{"> " + file, "| cat > " + file, slow} {
		runCommand(t, "", "sh", "-c", fmt.Sprintf("%s -n 3 sh -c \"$0\" %s", mpiexec, to), script).want(t, 0, "", "")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
			if len(line) != 3 && len(line) != 40_000_000 || bytes.Count(line, line[:1]) != len(line) {
				t.Fatalf("%s: a line of %d bytes, %.10q to %.10q", to, len(line), line, line[max(0, len(line)-10):])
			}
		}
		if len(text) != 2*40_000_001+502_000*4 {
			t.Errorf("%s: %d bytes in all", to, len(text))
		}
	}
}
