package output

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gompi/launch/loop"

	"golang.org/x/sys/unix"
)

// outputTest is a job whose standard output and error go to one pipe.
type outputTest struct {
	*Relay
	reader  int
	streams []*Stream
}

func newOutputTest(t *testing.T) *outputTest {
	t.Helper()
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	l, err := loop.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(pipe[0]); unix.Close(pipe[1]); unix.Close(l.Fd) })
	return &outputTest{Relay: Open(l, make([]byte, 64<<10), pipe[1], pipe[1]), reader: pipe[0]}
}

func (o *outputTest) stream(_ int, label string) *Stream {
	s := o.Stdout.Stream(-1, label, false)
	o.streams = append(o.streams, s)
	return s
}

// shown is what has arrived in the pipe since the last call.
func (o *outputTest) shown() string {
	unix.SetNonblock(o.reader, true)
	buf := make([]byte, 1<<16)
	n, _ := unix.Read(o.reader, buf)
	return string(buf[:max(n, 0)])
}

func (o *outputTest) expect(t *testing.T, want string) {
	t.Helper()
	if got := o.shown(); got != want {
		t.Errorf("shown %q, want %q", got, want)
	}
}

// pause lets the time pass after which unfinished lines show.
func (o *outputTest) pause() { o.Expire(time.Now().Add(2*idleFlush), slices.Values(o.streams)) }

// lapse lets the time pass for which others wait for the end of an unfinished line.
func (o *outputTest) lapse() { o.expire(time.Now().Add(2 * holdLong)) }

// expire looks at the unfinished line as if it were now.
func (o *outputTest) expire(now time.Time) { o.Stdout.display.expire(now) }

// A line that shows in pieces is still one line: others wait for its end.
func TestOutputWaitsForTheEndOfALine(t *testing.T) {
	o := newOutputTest(t)
	a, b, c := o.stream(0, ""), o.stream(1, ""), o.stream(2, "[2] ")
	a.Take([]byte("one "))
	o.pause()
	b.Take([]byte("b1\nb2\nb"))
	c.Take([]byte("c\n"))
	b.Take([]byte("3\n"))
	o.expect(t, "one ")
	a.Take([]byte("line\nand"))
	o.expect(t, "line\nb1\nb2\nb3\n[2] c\n")
	// Of two unfinished lines, the second waits for the first.
	o.pause()
	o.expect(t, "and")
	b.Take([]byte("half "))
	o.pause()
	o.expect(t, "")
	a.Take([]byte(" on\n"))
	o.pause()
	o.expect(t, " on\nhalf ")
	b.Take([]byte("whole\n"))
	o.expect(t, "half whole\n"[5:])
	a.Take([]byte("and"))
	// At the end of its rank nothing waits.
	o.pause()
	o.expect(t, "and")
	b.Take([]byte("last\nwords"))
	b.ShowPartial()
	o.expect(t, "\nlast\nwords")
}

// A line that stands still because the reader of the output does has its time when the reader goes on.
func TestOutputWaitsForTheReader(t *testing.T) {
	o := newOutputTest(t)
	a, b := o.stream(0, ""), o.stream(1, "")
	line := strings.Repeat("a", longestLine+1)
	a.Take([]byte(line))
	b.Take([]byte("b\n"))
	o.lapse()
	o.Stdout.display.until = time.Now() // and its time is almost over when the reader goes on
	text := ""
	for len(text) < len(line) {
		text += o.shown()
		o.loop.Wait(time.Now())
	}
	o.expire(time.Now().Add(holdOthers / 2))
	o.expect(t, "")
	a.Take([]byte("end\n"))
	o.expect(t, "end\nb\n")
	if text != line {
		t.Errorf("of a line of %d bytes %d came first", len(line), len(text))
	}
}

// A line that paused once has its time anew as long as it grows by more than a prompt does.
func TestOutputWaitsWhileALineGrows(t *testing.T) {
	o := newOutputTest(t)
	a, b := o.stream(0, ""), o.stream(1, "")
	text := strings.Repeat("a", longPiece+1)
	a.Take([]byte("begin"))
	o.pause()
	o.expect(t, "begin")
	b.Take([]byte("b\n"))
	o.Stdout.display.until = time.Now() // its time is almost over
	a.Take([]byte(text))
	o.expire(time.Now().Add(holdOthers / 2))
	if shown := o.shown(); shown != text {
		t.Errorf("%d bytes are shown of a line that grew by %d", len(shown), len(text))
	}
	o.lapse()
	o.expect(t, "\nb\n")
}

// A launcher that comes late itself reads the rest of a line before others may cut it.
func TestOutputLateLauncher(t *testing.T) {
	o := newOutputTest(t)
	a, b := o.stream(0, ""), o.stream(1, "")
	a.Take([]byte("one "))
	o.pause()
	o.Stdout.display.until = time.Now()
	b.Take([]byte("two\n"))
	a.Take([]byte("line\n"))
	o.expect(t, "one line\ntwo\n")
}

func TestOutputWholeLines(t *testing.T) {
	o := newOutputTest(t)
	a, b := o.stream(0, ""), o.stream(1, "")
	a.Take([]byte("one "))
	b.Take([]byte("two\nthree"))
	o.expect(t, "two\n")
	a.Take([]byte("more\n"))
	o.expect(t, "one more\n")
	b.Take([]byte("\n"))
	o.expect(t, "three\n")
}

func TestOutputPromptShows(t *testing.T) {
	o := newOutputTest(t)
	a, b := o.stream(0, ""), o.stream(1, "")
	a.Take([]byte("name? "))
	o.expect(t, "")
	o.pause()
	o.expect(t, "name? ")
	a.Take([]byte("again? "))
	o.pause()
	o.expect(t, "again? ")
	b.Take([]byte("other\nand ")) // must not stand in the prompt's line
	o.expect(t, "")
	o.lapse()
	o.expect(t, "\nother\n")
	b.Take([]byte("more\n"))
	o.expect(t, "and more\n")
	a.Take([]byte("rest\n"))
	o.expect(t, "rest\n")
	a.Take([]byte("end"))
	o.pause()
	a.Take([]byte("ing\n"))
	o.expect(t, "ending\n")
	a.Take([]byte("open"))
	o.pause()
	o.Say("mpiexec: news\n")
	o.expect(t, "open\nmpiexec: news\n")
}

func TestOutputLabels(t *testing.T) {
	o := newOutputTest(t)
	a, b := o.stream(0, "[0] "), o.stream(1, "[1] ")
	a.Take([]byte("x\ny\nz"))
	o.expect(t, "[0] x\n[0] y\n")
	o.pause()
	o.expect(t, "[0] z")
	b.Take([]byte("b\n"))
	o.lapse()
	o.expect(t, "\n[1] b\n")
	a.Take([]byte("zz\n\n")) // its line was broken, so it begins anew
	o.expect(t, "[0] zz\n[0] \n")
}

func TestOutputLastLineWithoutNewline(t *testing.T) {
	o := newOutputTest(t)
	a := o.stream(0, "")
	a.Take([]byte("tail"))
	a.ShowPartial()
	o.expect(t, "tail")
}

// A regular file never gets a line in pieces, however long the pause.
func TestOutputFileKeepsLines(t *testing.T) {
	o := newOutputTest(t)
	f, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o.Stdout = NewQueue(o.Relay, int(f.Fd()))
	a, b := o.stream(0, ""), o.stream(1, "")
	a.Take([]byte("half"))
	o.pause()
	b.Take([]byte("whole\n"))
	a.Take([]byte(" and half\n"))
	got, _ := os.ReadFile(f.Name())
	if string(got) != "whole\nhalf and half\n" {
		t.Errorf("file holds %q", got)
	}
}

// Whatever the pieces in which ranks write, every line arrives whole and in its rank's order, through a
// reader that is slower than the ranks.
func TestOutputLinesUnderLoad(t *testing.T) {
	o := newOutputTest(t)
	random := rand.New(rand.NewSource(1))
	const ranks, lines = 8, 400
	text := make([][]byte, ranks)
	for r := range ranks {
		var b bytes.Buffer
		for i := range lines {
			fmt.Fprintf(&b, "%d %d %s\n", r, i, strings.Repeat(string(rune('a'+r)), random.Intn(3000)))
		}
		text[r] = b.Bytes()
	}
	read := make(chan []byte)
	go func() {
		unix.SetNonblock(o.reader, false)
		var all []byte
		buf := make([]byte, 5000)
		for {
			n, err := unix.Read(o.reader, buf)
			if err != nil || n <= 0 {
				break
			}
			all = append(all, buf[:n]...)
			if bytes.HasSuffix(all, []byte("THE END\n")) {
				break
			}
		}
		read <- all
	}()
	streams := make([]*Stream, ranks)
	for r := range ranks {
		streams[r] = o.stream(r, "")
	}
	want := 0
	for r := range text {
		want += len(text[r])
	}
	for left := ranks; left > 0; {
		r := random.Intn(ranks)
		n := min(len(text[r]), 1+random.Intn(9000))
		if n == 0 {
			continue
		}
		streams[r].Take(text[r][:n])
		if text[r] = text[r][n:]; len(text[r]) == 0 {
			left--
		}
		if random.Intn(50) == 0 {
			o.loop.Wait(time.Now())
		}
	}
	streams[0].Take([]byte("THE END\n"))
	o.Flush(func() bool { return true })
	all := <-read
	if len(all) != want+len("THE END\n") {
		t.Errorf("%d bytes arrived of %d", len(all), want)
	}
	next := make([]int, ranks)
	for _, line := range strings.Split(strings.TrimSuffix(string(all), "\nTHE END\n"), "\n") {
		var r, i int
		var rest string
		fmt.Sscanf(line, "%d %d %s", &r, &i, &rest)
		if next[r] != i || strings.Trim(rest, string(rune('a'+r))) != "" {
			t.Fatalf("line %.40q where line %d of rank %d was due", line, next[r], r)
		}
		next[r]++
	}
}

// A queue whose reader stands still holds its streams back instead of hoarding all they write.
func TestOutputBackpressure(t *testing.T) {
	o := newOutputTest(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stop := make(chan struct{})
	go func() {
		defer w.Close()
		line := []byte(strings.Repeat("y", 999) + "\n")
		for range 16 << 10 {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
		<-stop
	}()
	fd, err := unix.FcntlInt(r.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	unix.SetNonblock(fd, true)
	s := o.stream(0, "")
	s.Fd = fd
	o.Stdout.Join(s)
	turn := func() { o.loop.Wait(time.Now().Add(time.Millisecond)) }
	for until := time.Now().Add(2 * time.Minute); !o.Stdout.Full() && time.Now().Before(until); {
		turn()
	}
	for range 50 { // it would go on
		turn()
	}
	if n := len(o.Stdout.queue); n < queueHigh/2 || n > 4*queueHigh {
		t.Errorf("%d bytes are queued for a reader that stands still", n)
	}
	go func() {
		unix.SetNonblock(o.reader, false)
		buf := make([]byte, 1<<16)
		for {
			if n, err := unix.Read(o.reader, buf); err != nil || n <= 0 {
				return
			}
		}
	}()
	deadline := time.Now().Add(2 * time.Minute)
	for (len(o.Stdout.queue) > 0 || len(o.Stdout.held) > 0) && time.Now().Before(deadline) {
		o.loop.Wait(time.Now().Add(10 * time.Millisecond))
	}
	if len(o.Stdout.queue) > 0 || len(o.Stdout.held) > 0 {
		t.Error("the reader reads again, and the stream is still held back")
	}
	close(stop)
	s.close()
}
