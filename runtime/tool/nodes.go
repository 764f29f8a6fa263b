package tool

import (
	"fmt"
	"strconv"
	"strings"
)

// Nodes is which ranks of a job are to believe that they share a machine (GOMPI_PRETEND_NODES). The text is a
// sum of terms, each K for a node of K ranks or NxK for N such nodes: "2x2", "3+1", "2+4x1". Where there are
// more ranks than that, further nodes follow in the same pattern. Nodes hold neighbouring ranks; with
// ":cyclic" behind the sum, ranks are dealt to the nodes one by one, as far as there is room.
type Nodes struct {
	sizes  []int
	cyclic bool
}

// mostNodes bounds what a pattern may name.
const mostNodes = 4096

// ParseNodes reads the text of a pattern; "" stands for a single node.
func ParseNodes(text string) (n Nodes, err error) {
	if text == "" {
		return n, nil
	}
	sum, order, has := strings.Cut(strings.ToLower(text), ":")
	if has && order != "cyclic" {
		return n, fmt.Errorf("%q: behind the colon only cyclic is known", text)
	}
	n.cyclic = has
	for _, term := range strings.Split(sum, "+") {
		count, size := "1", term
		if a, b, found := strings.Cut(term, "x"); found {
			count, size = a, b
		}
		c, err1 := strconv.Atoi(count)
		k, err2 := strconv.Atoi(size)
		if err1 != nil || err2 != nil || c < 1 || k < 1 || c > mostNodes-len(n.sizes) {
			return Nodes{}, fmt.Errorf("%q: a sum of numbers of ranks is wanted, such as 2x2 (two nodes of two ranks), 3+1, or 2x2:cyclic", text)
		}
		for range c {
			n.sizes = append(n.sizes, k)
		}
	}
	return n, nil
}

// Assign is the node of each rank of a job, numbered from 0; nil when all ranks share one.
func (n Nodes) Assign(ranks int) []int {
	var room []int // of the nodes that are needed
	for left := ranks; left > 0 && n.sizes != nil; {
		k := n.sizes[len(room)%len(n.sizes)]
		room = append(room, k)
		left -= k
	}
	if len(room) < 2 {
		return nil
	}
	nodes := make([]int, ranks)
	at := 0
	for r := range nodes {
		for room[at] == 0 {
			at = (at + 1) % len(room)
		}
		nodes[r] = at
		if room[at]--; n.cyclic {
			at = (at + 1) % len(room)
		}
	}
	return nodes
}
