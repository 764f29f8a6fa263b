package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var reader = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

func escape(s string) string { return html.EscapeString(s) }

// markdown makes the page of a file of Markdown. Its links lead to the pages of the files that they name.
func (s *site) markdown(p *page, file string, source []byte) error {
	document := reader.Parser().Parse(text.NewReader(source))
	current := -1
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			heading := plain(n, source)
			if p.title == "" {
				p.title = heading
			}
			anchor, _ := n.AttributeString("id")
			id, _ := anchor.([]byte)
			p.sections = append(p.sections, section{heading: heading, anchor: string(id)})
			current = len(p.sections) - 1
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			target, err := s.target(file, string(n.Destination))
			n.Destination = []byte(target)
			return ast.WalkContinue, err
		case *ast.Image:
			target, err := s.target(file, string(n.Destination))
			n.Destination = []byte(target)
			return ast.WalkContinue, err
		case *ast.Text:
			if current >= 0 {
				p.sections[current].text += string(n.Segment.Value(source))
				if n.SoftLineBreak() {
					p.sections[current].text += " "
				}
			}
		case *ast.Paragraph, *ast.TextBlock, *east.TableCell:
			if current >= 0 {
				p.sections[current].text += " "
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := reader.Renderer().Render(&b, source, document); err != nil {
		return err
	}
	// Wide tables are moved sideways by themselves.
	p.body = strings.NewReplacer("<table>", `<div class="wide"><table>`, "</table>", "</table></div>").Replace(b.String())
	if p.title == "" {
		p.title = strings.TrimSuffix(path.Base(file), ".md")
	}
	return nil
}

// named matches a link of which the text is the name of a file of Markdown.
var named = regexp.MustCompile(`<a href="([^"#]*)(#[^"]*)?">[\w./-]+\.md</a>`)

// titled is the body of a page with the titles of other pages in the place of their files' names. All pages
// are read.
func (s *site) titled(p *page) string {
	return named.ReplaceAllStringFunc(p.body, func(link string) string {
		m := named.FindStringSubmatch(link)
		to := s.pages[path.Join(path.Dir(p.file), m[1])]
		if to == nil {
			return link
		}
		return fmt.Sprintf(`<a href="%s%s">%s</a>`, m[1], m[2], escape(to.label()))
	})
}

// plain is the text of a node without marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// target is the address on the site, relative to that of a file, of what a link of that file names.
func (s *site) target(file, link string) (string, error) {
	name, anchor, _ := strings.Cut(link, "#")
	if name == "" || strings.Contains(name, "://") || strings.HasPrefix(name, "mailto:") {
		return link, nil
	}
	below := path.Join(path.Dir(file), name)
	info, err := os.Stat(filepath.Join(s.root, below))
	if err != nil || strings.HasPrefix(below, "../") {
		return "", fmt.Errorf("%s: the link to %s leads nowhere", file, link)
	}
	if info.IsDir() {
		if below, err = s.folder(below); err != nil {
			return "", fmt.Errorf("%s: the link to %s: %w", file, link, err)
		}
	}
	to := relative(address(file), s.want(below))
	if anchor != "" {
		to += "#" + anchor
	}
	return to, nil
}

// folder is the file that stands for a folder.
func (s *site) folder(below string) (string, error) {
	for _, name := range []string{"README.md", "overview.md"} {
		if _, err := os.Stat(filepath.Join(s.root, below, name)); err == nil {
			return path.Join(below, name), nil
		}
	}
	return "", fmt.Errorf("the folder has no page")
}

// relative is the address of one file of the site as another one names it.
func relative(from, to string) string {
	up, err := filepath.Rel(path.Dir(from), to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(up)
}
