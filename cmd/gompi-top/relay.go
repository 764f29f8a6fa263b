package main

import (
	"bufio"
	"io"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// relay brings what a job writes to the terminal: above the table while that is shown, and as it is
// afterwards. No line is lost or overtakes another one.
type relay struct {
	come  func() // tells that there is something to be shown
	done  chan struct{}
	mu    sync.Mutex
	queue []string  // lines that have not been shown
	out   io.Writer // where they go as they are; nil while the table is shown
	// Of the view: lines are being shown; it is to end when they have been.
	showing, ending bool
}

// What the view hears of output.
type (
	written struct{} // there is some
	shown   struct{} // what has been given to the terminal is there
)

func newRelay(come func()) *relay { return &relay{come: come, done: make(chan struct{})} }

// run takes in what the job writes, to its end. done is closed then.
func (r *relay) run(from io.Reader) {
	defer close(r.done)
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if line != "" && r.add(line) {
			r.come()
		}
		if err != nil { // on a terminal the end is an error
			return
		}
	}
}

// add takes a line in and reports whether it is for the view to show.
func (r *relay) add(line string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out != nil {
		_, _ = io.WriteString(r.out, line) // a terminal that has gone ends the job by a signal
		return false
	}
	r.queue = append(r.queue, line)
	return true
}

// plain has what has not been shown, and what is still to come, be written as it is.
func (r *relay) plain(out io.Writer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = io.WriteString(out, strings.Join(r.queue, ""))
	r.queue, r.out = nil, out
}

// show has the lines that have come be shown above the table of that width, one portion after the other.
func (r *relay) show(width int) tea.Cmd {
	if r.showing || width == 0 {
		return nil
	}
	r.mu.Lock()
	text := strings.TrimRight(strings.ReplaceAll(strings.Join(r.queue, ""), "\r\n", "\n"), "\n")
	some := len(r.queue) > 0
	r.queue = nil
	r.mu.Unlock()
	if !some {
		return nil
	}
	r.showing = true
	return tea.Sequence(tea.Println(ansi.Hardwrap(text, width, true)), func() tea.Msg { return shown{} })
}

// leave ends the view when all that has come so far has been shown.
func (r *relay) leave(width int) tea.Cmd {
	r.ending = true
	if c := r.show(width); c != nil {
		return c
	}
	if r.showing {
		return nil
	}
	return tea.Quit
}

// next goes on when a portion has been shown.
func (r *relay) next(width int) tea.Cmd {
	r.showing = false
	if r.ending {
		return r.leave(width)
	}
	return r.show(width)
}
