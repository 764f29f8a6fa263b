package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// bar is the last line of a terminal, which tells how far a run is, below the lines that are written. On
// anything else there are those lines alone.
type bar struct {
	out   io.Writer
	width int // of the terminal; 0 where there is none
	line  string
}

// newBar is the bar of an output.
func newBar(out io.Writer) *bar {
	b := &bar{out: out}
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			b.width = width
		}
	}
	return b
}

// Write writes lines above the bar.
func (b *bar) Write(p []byte) (int, error) {
	line := b.line
	b.put("")
	n, err := b.out.Write(p)
	b.put(line)
	return n, err
}

// show says that so many of all are done, and what is on its way.
func (b *bar) show(done, all int, what string) {
	if b == nil || b.width == 0 {
		return
	}
	const cells = 24
	full := cells * done / max(all, 1)
	line := fmt.Sprintf("[%s%s] %d/%d %s", strings.Repeat("#", full), strings.Repeat("-", cells-full), done, all, what)
	if len(line) >= b.width {
		line = line[:b.width-1]
	}
	b.put(line)
}

// put writes the line in the place of the one before; "" takes it away.
func (b *bar) put(line string) {
	if b.width > 0 && (line != "" || b.line != "") {
		fmt.Fprint(b.out, "\r\x1b[K", line)
	}
	b.line = line
}

// end takes the bar away.
func (b *bar) end() {
	if b != nil {
		b.put("")
	}
}
