package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"slices"
	"strings"
)

//go:embed assets
var assets embed.FS

var frame = template.Must(template.ParseFS(assets, "assets/frame.html"))

// listed is a group of the list of pages.
type listed struct {
	Title string
	Pages []listedPage
}

type listedPage struct{ File, Title string }

// framed is the file of a page.
func (s *site) framed(p *page, list []listed) ([]byte, error) {
	type link struct {
		Title, To string
		Here      bool
	}
	type part struct {
		Title string
		Open  bool
		Links []link
	}
	var parts []part
	for _, l := range list {
		next := part{Title: l.Title}
		for _, q := range l.Pages {
			next.Links = append(next.Links, link{q.Title, relative(p.file, q.File), q.File == p.file})
		}
		parts = append(parts, next)
	}
	title := p.title + " · gompi"
	if p.file == "index.html" {
		title = "gompi: an implementation of MPI"
	}
	var b bytes.Buffer
	err := frame.Execute(&b, map[string]any{
		"Title": title, "Parts": parts, "Body": template.HTML(s.titled(p)), "Version": s.version,
		"Root": strings.TrimSuffix(relative(p.file, "index.html"), "index.html"), "Top": relative(p.file, "index.html"),
	})
	return b.Bytes(), err
}

// mostText bounds what the search knows of the text below a heading, in bytes.
const mostText = 600

// searchIndex is the pages as a list for the search: title, heading, address, and the begin of the text.
func (s *site) searchIndex() ([]byte, error) {
	var entries [][4]string
	for _, p := range s.pages {
		seen := map[string]bool{} // reports have the same heading for each kind of processor
		for i, x := range p.sections {
			if seen[x.heading] {
				continue
			}
			seen[x.heading] = true
			to := p.file
			if x.anchor != "" && i > 0 {
				to += "#" + x.anchor
			}
			text := strings.Join(strings.Fields(x.text), " ")
			if len(text) > mostText {
				text = strings.ToValidUTF8(text[:mostText], "")
			}
			entries = append(entries, [4]string{p.label(), x.heading, to, text})
		}
	}
	slices.SortFunc(entries, func(a, b [4]string) int { return strings.Compare(a[2], b[2]) })
	list, err := json.Marshal(entries)
	return append(append([]byte("globalThis.gompiPages = "), list...), ";\n"...), err
}
