// Command site makes the web site: the pages of docs and those of the manual, with one frame around all, an
// index to search, and no link that leads nowhere. It is a module of its own, so that what it takes to read
// Markdown is no matter of the library's.
//
//	site ROOT MANUAL OUT
//
// ROOT is the tree of sources, MANUAL the file manual.json that internal/apigen writes, and OUT the folder
// for the site, whose former content goes.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"gompi/internal/manual"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: site ROOT MANUAL OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(root, manualFile, out string) error {
	text, err := os.ReadFile(manualFile)
	if err != nil {
		return err
	}
	m, err := manual.Decode(text)
	if err != nil {
		return err
	}
	s := newSite(root)
	s.version = m.Version
	if err := s.readPages(); err != nil {
		return err
	}
	s.addManual(m)
	files, err := s.files()
	if err != nil {
		return err
	}
	if err := checkLinks(files); err != nil {
		return err
	}
	return store(files, out)
}

// store puts the files into a folder that holds nothing else.
func store(files map[string][]byte, out string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
