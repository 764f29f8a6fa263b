// Command show puts two grey pictures side by side into the terminal, with the
// figures that it reads from its standard input beside or below them:
//
//	mpiexec -n 4 ./heat2d cup.pgm result.pgm | show cup.pgm result.pgm
//
// Where the terminal has colours a picture is drawn with half-block characters,
// two pixels each, in the colours of a glowing body; elsewhere (a pipe, a log, a
// plain terminal, NO_COLOR) with plain characters.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(0)
		}
		fmt.Fprintln(os.Stderr, "show:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout *os.File) error {
	flags := flag.NewFlagSet("show", flag.ContinueOnError)
	colour := flags.String("colour", "auto", "`mode`: auto, none, 256 or 24bit")
	width := flags.Int("width", 0, "`columns` to fill, 0 for the terminal's")
	height := flags.Int("height", 0, "`rows` to fill, 0 for the terminal's")
	captions := flags.String("captions", "before,after", "`texts` above the pictures")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: show [flags] before.pgm after.pgm < figures")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		return errors.New("two pictures are needed: show before.pgm after.pgm < figures")
	}

	screen := findScreen(stdout, os.Getenv)
	if *width > 0 {
		screen.width = *width
	}
	if *height > 0 {
		screen.height = *height
	}
	if *colour != "auto" {
		depth, err := parseDepth(*colour)
		if err != nil {
			return err
		}
		screen.depth = depth
	}

	before, err := loadPGM(flags.Arg(0))
	if err != nil {
		return err
	}
	after, err := loadPGM(flags.Arg(1))
	if err != nil {
		return err
	}
	figures, err := readFigures(stdin)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	left, right, _ := strings.Cut(*captions, ",")
	writePage(out, screen, before, after, [2]string{left, right}, figures)
	return out.Flush()
}
