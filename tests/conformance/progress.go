package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"gompi/tests/conformance/report"
	"gompi/tests/conformance/suite"
)

// redrawInterval is the time between two updates of the live line.
const redrawInterval = 500 * time.Millisecond

// progress shows how far a run is: one line per failed test, and, on a terminal, a live line below them. It
// may be used from several goroutines.
type progress struct {
	mu             sync.Mutex
	out            io.Writer
	width          int // of the terminal; 0 where there is none
	total          int
	passed, failed int
	running        []string
	start          time.Time
	stop           chan struct{}
	stopped        sync.WaitGroup
}

// newProgress begins to show the progress of a run of so many tests.
func newProgress(out io.Writer, total int) *progress {
	p := &progress{out: out, total: total, start: time.Now(), stop: make(chan struct{})}
	if f, ok := out.(*os.File); ok {
		p.width = terminalWidth(f)
	}
	if p.width > 0 {
		p.stopped.Go(p.redraw)
	}
	return p
}

// redraw keeps the clock of the live line going.
func (p *progress) redraw() {
	tick := time.NewTicker(redrawInterval)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			p.mu.Lock()
			p.draw()
			p.mu.Unlock()
		}
	}
}

// draw writes the live line. p.mu is held.
func (p *progress) draw() {
	if p.width == 0 {
		return
	}
	line := fmt.Sprintf("[%*d/%d] %d passed, %d failed, %v: %s", len(fmt.Sprint(p.total)), p.passed+p.failed, p.total, p.passed, p.failed,
		time.Since(p.start).Round(time.Second), strings.Join(p.running, ", "))
	if r := []rune(line); len(r) >= p.width {
		line = string(r[:p.width-1])
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", line)
}

// begin notes that a test runs.
func (p *progress) begin(t suite.Test) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = append(p.running, t.ID())
	p.draw()
}

// end notes what a test came to.
func (p *progress) end(t suite.Test, r report.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.running, t.ID()); i >= 0 {
		p.running = slices.Delete(p.running, i, i+1)
	}
	if r.Passed() {
		p.passed++
	} else {
		p.failed++
		if p.width > 0 {
			fmt.Fprint(p.out, "\r\x1b[K")
		}
		fmt.Fprintf(p.out, "%-6s %s: %s\n", r.Kind, r.Test, r.Detail)
	}
	p.draw()
}

// done ends the live line.
func (p *progress) done() {
	close(p.stop)
	p.stopped.Wait()
	if p.width > 0 {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	fmt.Fprintf(p.out, "%d passed, %d failed, %v\n", p.passed, p.failed, time.Since(p.start).Round(time.Second))
}
