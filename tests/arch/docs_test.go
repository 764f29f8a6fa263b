package arch

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// texts calls visit for every text of the tree that may name a page: sources, scripts, tables and the pages
// themselves, by its path below the root.
func texts(t *testing.T, visit func(path, text string)) {
	t.Helper()
	pages := 0
	err := filepath.WalkDir(root, func(full string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() {
			if below == "build" || name == ".git" || name == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		below = filepath.ToSlash(below)
		if !entry.Type().IsRegular() || !isText(below) {
			return nil
		}
		if path.Ext(below) == ".md" {
			pages++
		}
		visit(below, string(read(t, below)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages == 0 {
		t.Fatal("no page found")
	}
}

func isText(file string) bool {
	switch path.Ext(file) {
	case ".go", ".c", ".h", ".s", ".sh", ".cmake", ".txt", ".md", ".in", ".supp", ".map":
		return true
	case "":
		return path.Base(file) == "Makefile" || path.Base(file) == "testlist" || strings.HasPrefix(file, "scripts/")
	}
	return false
}

func exists(below string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(below)))
	return err == nil
}

// named matches a page that a text names by its path below the root, and the chapter of it that may follow in
// quotation marks.
var named = regexp.MustCompile(`\b(docs/[A-Za-z0-9_/-]+\.md)(?:[, (]+"([^"\n]+)")?`)

func TestPagesThatAreNamedAreThere(t *testing.T) {
	texts(t, func(file, text string) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			switch {
			case !exists(m[1]):
				t.Errorf("%s names %s, which is not there", file, m[1])
			case m[2] != "" && !strings.Contains(string(read(t, m[1])), m[2]):
				t.Errorf("%s names %q in %s, where that does not stand", file, m[2], m[1])
			}
		}
	})
}

// source matches a source file that a page names with a folder: by its path below the root, or below runtime.
var source = regexp.MustCompile("`((?:[a-z0-9_]+/)+[A-Za-z0-9_]+\\.(?:go|c|h|s))`")

func TestSourcesThatPagesNameAreThere(t *testing.T) {
	found := 0
	texts(t, func(file, text string) {
		if path.Ext(file) != ".md" || !strings.HasPrefix(file, "docs/") {
			return
		}
		for _, m := range source.FindAllStringSubmatch(text, -1) {
			found++
			if !exists(m[1]) && !exists("runtime/"+m[1]) {
				t.Errorf("%s names %s, which is not there", file, m[1])
			}
		}
	})
	if found == 0 {
		t.Error("no page names a source file")
	}
}

// A link is what Markdown writes as [text](target). Code is no link.
var (
	link = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	code = regexp.MustCompile("(?ms)^```.*?^```|^    .*?$|`[^`\n]*`")
)

// broken is the links of a page that lead nowhere within the tree.
func broken(file, text string) (targets []string) {
	for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
		target, anchor, _ := strings.Cut(m[1], "#")
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue
		}
		page := file
		if target != "" {
			page = path.Join(path.Dir(file), target)
		}
		there, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
		switch {
		case !exists(page):
		case anchor != "" && (err != nil || !hasAnchor(string(there), anchor)):
		default:
			continue
		}
		targets = append(targets, m[1])
	}
	return targets
}

var (
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	dropped = regexp.MustCompile("[^a-z0-9 _-]")
)

// hasAnchor reports whether a page has a heading to which an anchor leads: its words in small letters, joined
// by hyphens.
func hasAnchor(page, anchor string) bool {
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		words := dropped.ReplaceAllString(strings.ToLower(m[1]), "")
		if strings.ReplaceAll(words, " ", "-") == anchor {
			return true
		}
	}
	return false
}

func TestLinksLeadSomewhere(t *testing.T) {
	texts(t, func(file, text string) {
		if path.Ext(file) != ".md" {
			return
		}
		for _, target := range broken(file, text) {
			t.Errorf("%s: the link to %s leads nowhere", file, target)
		}
	})
}

func TestBrokenLinksAreFound(t *testing.T) {
	for text, bad := range map[string]bool{
		"[a](design.md)":                      false,
		"[a](../README.md)":                   false,
		"[a](https://www.mpi-forum.org/docs)": false,
		"[a](design.md#the-house)":            false,
		"[a](internals)":                      false,
		"`[a](nowhere.md)`":                   false,
		"    [a](nowhere.md)":                 false,
		"```\n[a](nowhere.md)\n```\n":         false,
		"[a](nowhere.md)":                     true,
		"```\ncode\n```\n[a](nowhere.md)":     true,
		"[a](README.md)":                      true,
		"[a](design.md#no-such-heading)":      true,
		"[a](#no-such-heading)":               true,
	} {
		if got := len(broken("docs/design.md", text)) > 0; got != bad {
			t.Errorf("%q is broken: %v", text, got)
		}
	}
}
