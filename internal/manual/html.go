package manual

import (
	"fmt"
	"html"
	"strings"
)

// HTML is the page without a frame. link is the address of another page.
func (p *Page) HTML(sections map[string]int, link func(name string, section int) string) string {
	var b strings.Builder
	inline := func(text string) string {
		return reference.ReplaceAllStringFunc(html.EscapeString(text), func(name string) string {
			if page, section, ok := refers(sections, name); ok && page != p.Name {
				return fmt.Sprintf(`<a href="%s"><code>%s</code></a>`, link(page, section), name)
			}
			return "<code>" + name + "</code>"
		})
	}
	fmt.Fprintf(&b, "<h1>%s</h1>\n<p class=\"lead\">%s.</p>\n", html.EscapeString(p.Name), inline(strings.ToUpper(p.Title[:1])+p.Title[1:]))
	for _, part := range p.Parts {
		fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(part.Heading))
		for _, block := range part.Blocks {
			switch {
			case block.Items != nil:
				b.WriteString("<dl>\n")
				for _, item := range block.Items {
					note := ""
					if item.Note != "" {
						note = ` <span class="note">` + html.EscapeString(item.Note) + "</span>"
					}
					text := strings.ReplaceAll(inline(item.Text), "\n", "<br>\n")
					fmt.Fprintf(&b, "<dt><code>%s</code>%s</dt>\n<dd>%s</dd>\n", html.EscapeString(item.Term), note, text)
				}
				b.WriteString("</dl>\n")
			case block.Code != nil:
				fmt.Fprintf(&b, "<pre><code>%s</code></pre>\n", html.EscapeString(strings.Join(block.Code, "\n")))
			default:
				fmt.Fprintf(&b, "<p>%s</p>\n", inline(block.Text))
			}
		}
	}
	return b.String()
}
