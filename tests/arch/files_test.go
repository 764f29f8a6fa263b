package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the root of the sources.
var root, _ = filepath.Abs("../..")

// sources calls visit for every source file, by its path below the root.
func sources(t *testing.T, visit func(path string)) {
	t.Helper()
	found := false
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path == filepath.Join(root, "build") || name == ".git" || name == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".c", ".h", ".s", ".sh", ".cmake":
			relative, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			found = true
			visit(filepath.ToSlash(relative))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		t.Fatal("no source file found")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// goImports returns what a Go file imports.
func goImports(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, read(t, path), parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return nil
	}
	var imports []string
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Error(err)
		}
		imports = append(imports, name)
	}
	return imports
}

// unsafeName matches the names that may import unsafe. Go wants _linux at the
// end, so files with pointers and system calls end in _unsafe_linux.go.
var unsafeName = regexp.MustCompile(`_unsafe(_linux)?(_amd64|_arm64)?\.go$`)

// linuxName matches the names that may make system calls.
var linuxName = regexp.MustCompile(`_linux(_amd64|_arm64)?\.go$`)

// linuxWithoutSuffix are folders whose files may make system calls under any
// name, with the reason.
var linuxWithoutSuffix = map[string]string{
	"bench":             "tools for developers, which measure processes",
	"examples":          "programs for any MPI, no part of gompi",
	"tests/conformance": "a tool for developers, which ends process groups",
}

// A reader knows by a file's name whether it contains pointer casts or system
// calls. Tests are exempt: they become a part of nothing.
func TestDangerShowsInTheName(t *testing.T) {
	sources(t, func(path string) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		imports := goImports(t, path)
		if slices.Contains(imports, "unsafe") && !unsafeName.MatchString(path) {
			t.Errorf("%s imports unsafe: its name has to end in _unsafe.go", path)
		}
		for _, calls := range []string{"syscall", "golang.org/x/sys/unix"} {
			if slices.Contains(imports, calls) && !linuxName.MatchString(path) && !within(path, linuxWithoutSuffix) {
				t.Errorf("%s imports %s: its name has to end in _linux.go", path, calls)
			}
		}
	})
}

func within(path string, folders map[string]string) bool {
	for folder := range folders {
		if strings.HasPrefix(path, folder+"/") {
			return true
		}
	}
	return false
}

// meaningless matches names that say nothing about what is inside.
var meaningless = regexp.MustCompile(`^(utils?|misc|helpers?|common|stuff|tools?_misc)([_.-].*)?$`)

func TestNamesSaySomething(t *testing.T) {
	sources(t, func(path string) {
		for _, part := range strings.Split(path, "/") {
			if meaningless.MatchString(part) {
				t.Errorf("%s: the name %s does not say what is inside", path, part)
			}
		}
	})
	for name, bad := range map[string]bool{
		"util.go": true, "utils_linux.go": true, "misc": true, "common.h": true, "helper_test.go": true,
		"utilization.go": false, "commit.go": false, "miscount.go": false, "tool": false,
	} {
		if meaningless.MatchString(name) != bad {
			t.Errorf("the name %s is judged wrongly", name)
		}
	}
}

// maxLines is the length beyond which a file has more than one subject.
const maxLines = 500

var generatedLine = regexp.MustCompile(`(?m)^(//|/\*|#|--) ?Code generated .* DO NOT EDIT\.`)

func TestFilesAreShort(t *testing.T) {
	sources(t, func(path string) {
		text := read(t, path)
		if lines := bytes.Count(text, []byte{'\n'}); lines > maxLines && !generatedLine.Match(text) {
			t.Errorf("%s has %d lines, the limit is %d", path, lines, maxLines)
		}
	})
}

// Every package says what it is for.
func TestPackagesAreExplained(t *testing.T) {
	explained := make(map[string]bool)
	sources(t, func(path string) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		folder := parent(path)
		file, err := parser.ParseFile(token.NewFileSet(), path, read(t, path), parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Error(err)
			return
		}
		explained[folder] = explained[folder] || hasPackageComment(file)
	})
	for folder, ok := range explained {
		if !ok {
			t.Errorf("no file of %s has a package comment", folder)
		}
	}
}

func hasPackageComment(file *ast.File) bool {
	return file.Doc != nil && len(strings.Fields(file.Doc.Text())) >= 5
}
