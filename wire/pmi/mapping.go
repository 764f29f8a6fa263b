package pmi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MappingKey is the key under which every server offers the placement of the ranks.
const MappingKey = "PMI_process_mapping"

// ErrMapping is wrapped by the errors of [ParseMapping].
var ErrMapping = errors.New("not a process mapping of the form (vector,(node,nodes,ranks),...)")

// ParseMapping reads a process mapping and returns the node of each of the n ranks. A mapping for fewer ranks
// than n repeats from its beginning, as cyclic placements are written.
func ParseMapping(text string, n int) ([]int, error) {
	body, ok := strings.CutPrefix(text, "(vector,")
	if !ok || !strings.HasSuffix(body, ")") {
		return nil, fmt.Errorf("%w: %q", ErrMapping, clip(text))
	}
	body = body[:len(body)-1]
	var blocks [][3]int
	for body != "" {
		body = strings.TrimPrefix(body, ",")
		end := strings.IndexByte(body, ')')
		if !strings.HasPrefix(body, "(") || end < 0 {
			return nil, fmt.Errorf("%w: %q", ErrMapping, clip(text))
		}
		fields := strings.Split(body[1:end], ",")
		body = body[end+1:]
		if len(fields) != 3 {
			return nil, fmt.Errorf("%w: %q", ErrMapping, clip(text))
		}
		var b [3]int
		for i, f := range fields {
			v, err := strconv.Atoi(f)
			if err != nil || v < 0 || v > 1<<24 || (i > 0 && v == 0) {
				return nil, fmt.Errorf("%w: %q", ErrMapping, clip(text))
			}
			b[i] = v
		}
		blocks = append(blocks, b)
	}
	if len(blocks) == 0 {
		return nil, fmt.Errorf("%w: %q", ErrMapping, clip(text))
	}
	nodes := make([]int, 0, n)
	for {
		for _, b := range blocks {
			for node := b[0]; node < b[0]+b[1]; node++ {
				for i := 0; i < b[2]; i++ {
					if len(nodes) == n {
						return nodes, nil
					}
					nodes = append(nodes, node)
				}
			}
		}
	}
}

// FormatMapping writes the mapping of ranks to nodes, nodes[r] being the node of rank r.
func FormatMapping(nodes []int) string {
	var out strings.Builder
	out.WriteString("(vector")
	for i := 0; i < len(nodes); {
		// One block covers as many following nodes as hold the same number of ranks.
		first, per := nodes[i], run(nodes, i)
		count, next := 1, i+per
		for next < len(nodes) && nodes[next] == first+count && run(nodes, next) == per {
			count++
			next += per
		}
		fmt.Fprintf(&out, ",(%d,%d,%d)", first, count, per)
		i = next
	}
	out.WriteByte(')')
	return out.String()
}

// run counts the ranks from i on that share a node.
func run(nodes []int, i int) int {
	n := 1
	for i+n < len(nodes) && nodes[i+n] == nodes[i] {
		n++
	}
	return n
}
