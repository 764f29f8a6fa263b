package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"
)

// depth is how many colours a terminal shows.
type depth int

const (
	plain     depth = iota // none: characters only
	colour256              // the 256 colours of xterm
	colour24               // 24 bits
)

func parseDepth(name string) (depth, error) {
	switch name {
	case "none":
		return plain, nil
	case "256":
		return colour256, nil
	case "24bit":
		return colour24, nil
	}
	return plain, fmt.Errorf("unknown colour mode %q: auto, none, 256 or 24bit is possible", name)
}

// screen is what can be drawn on, in character cells.
type screen struct {
	width, height int
	depth         depth
}

// findScreen asks the terminal behind out, if there is one, and the environment.
func findScreen(out *os.File, getenv func(string) string) screen {
	s := screen{width: 80, height: 50}
	if !term.IsTerminal(int(out.Fd())) {
		return s
	}
	if w, h, err := term.GetSize(int(out.Fd())); err == nil && w > 0 && h > 0 {
		s.width, s.height = w, h
	}
	s.depth = terminalDepth(getenv)
	return s
}

// terminalDepth follows the conventions of NO_COLOR, COLORTERM and TERM. A
// locale that names another encoding than UTF-8 rules half-blocks out; one that
// names none, as is usual in containers, says nothing about the terminal.
func terminalDepth(getenv func(string) string) depth {
	kind := getenv("TERM")
	if getenv("NO_COLOR") != "" || kind == "" || kind == "dumb" || !takesUTF8(getenv) {
		return plain
	}
	switch getenv("COLORTERM") {
	case "truecolor", "24bit":
		return colour24
	}
	for _, part := range []string{"direct", "kitty", "ghostty", "alacritty", "wezterm", "foot"} {
		if strings.Contains(kind, part) {
			return colour24
		}
	}
	if strings.Contains(kind, "256color") || strings.HasPrefix(kind, "tmux") || strings.HasPrefix(kind, "screen") {
		return colour256
	}
	if strings.HasPrefix(kind, "xterm") || strings.HasPrefix(kind, "rxvt") {
		return colour256
	}
	return plain
}

func takesUTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := getenv(name)
		if locale == "" {
			continue
		}
		_, encoding, named := strings.Cut(locale, ".")
		encoding = strings.ToLower(strings.ReplaceAll(encoding, "-", ""))
		return !named || strings.HasPrefix(encoding, "utf8")
	}
	return true
}
