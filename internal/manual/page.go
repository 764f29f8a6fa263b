// Package manual is pages of a manual: their form, and how they are written for man and for the web.
package manual

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Page is one page.
type Page struct {
	Name    string // of the file and in the title, such as MPI_Send
	Section int    // of the manual: 1, 3 or 7
	Names   []string
	Title   string // what it does, for the line of names: no full stop
	Group   string // what it stands with in a list of all pages
	Parts   []Part
}

// Part is what stands below one heading.
type Part struct {
	Heading string
	Blocks  []Block
}

// Block is a paragraph, lines of code, or a list; one of the three.
type Block struct {
	Text  string   `json:",omitempty"`
	Code  []string `json:",omitempty"`
	Items []Item   `json:",omitempty"`
}

// Item is one line of a list.
type Item struct {
	Term string
	Note string `json:",omitempty"` // stands behind the term
	Text string // may have several lines
}

// Text is a paragraph.
func Text(sentences ...string) Block {
	var all []string
	for _, s := range sentences {
		if s != "" {
			all = append(all, s)
		}
	}
	return Block{Text: strings.Join(all, " ")}
}

// Add appends a part unless it is empty.
func (p *Page) Add(heading string, blocks ...Block) {
	var all []Block
	for _, b := range blocks {
		if b.Text != "" || b.Code != nil || b.Items != nil {
			all = append(all, b)
		}
	}
	if all != nil {
		p.Parts = append(p.Parts, Part{heading, all})
	}
}

// Manual is a set of pages.
type Manual struct {
	Version string
	Pages   []Page
}

// Encode writes a manual for other programs.
func (m *Manual) Encode() ([]byte, error) { return json.MarshalIndent(m, "", " ") }

// Decode reads what Encode has written.
func Decode(text []byte) (*Manual, error) {
	m := new(Manual)
	return m, json.Unmarshal(text, m)
}

// Sections are the sections that pages are in, by the places of all names.
func (m *Manual) Sections() map[string]int {
	sections := map[string]int{}
	for _, p := range m.Pages {
		for _, name := range p.Names {
			sections[name] = p.Section
		}
	}
	return sections
}

// reference matches what a text may name: a function of MPI, or a page with its section.
var reference = regexp.MustCompile(`\bMPIX?_[A-Z][a-z]\w*|\bMPI_T_[a-z]\w*|\b[a-z][a-z-]+\([137]\)`)

// refers is the page that a reference leads to, and whether there is one.
func refers(sections map[string]int, text string) (page string, section int, ok bool) {
	name, _, _ := strings.Cut(text, "(")
	section, ok = sections[name]
	return name, section, ok
}
