package boot

import (
	"fmt"
	"strconv"
	"strings"

	"gompi/wire/pmi"
)

// Which ranks share a node. Nodes are numbered in the order of their lowest ranks, their leaders.

// place notes the node of each rank, under any numbers, and what follows from it for this rank.
func (j *Job) place(nodes []int) {
	j.Nodes, j.Leaders, j.Sizes = make([]int, len(nodes)), nil, nil
	number := map[int]int{}
	for r, node := range nodes {
		k, known := number[node]
		if !known {
			k = len(j.Leaders)
			number[node] = k
			j.Leaders, j.Sizes = append(j.Leaders, r), append(j.Sizes, 0)
		}
		if r == j.Rank {
			j.NodeRank = j.Sizes[k]
		}
		j.Nodes[r] = k
		j.Sizes[k]++
	}
	j.NodeSize = j.Sizes[j.Nodes[j.Rank]]
	if len(j.Leaders) == 1 {
		j.Nodes = nil
	}
}

// placeTogether notes that all ranks share this node.
func (j *Job) placeTogether() { j.place(make([]int, j.Size)) }

// Node is the number of the node of a rank.
func (j *Job) Node(rank int) int {
	if j.Nodes == nil {
		return 0
	}
	return j.Nodes[rank]
}

// leader is the lowest rank of our node.
func (j *Job) leader() int { return j.Leaders[j.Node(j.Rank)] }

// Neighbours are the ranks of our node, in rising order.
func (j *Job) Neighbours() []int {
	var ranks []int
	for r := range j.Size {
		if j.Node(r) == j.Node(j.Rank) {
			ranks = append(ranks, r)
		}
	}
	return ranks
}

// findNodes finds out which ranks share a node, under a launcher that speaks PMI 1.1.
func (j *Job) findNodes(env environ, s store) error {
	text, err := s.get(0, pmi.MappingKey)
	if err == nil {
		nodes, err := pmi.ParseMapping(text, j.Size)
		if err != nil {
			return fmt.Errorf("%s from the launcher: %w", pmi.MappingKey, err)
		}
		j.place(nodes)
		return nil
	}
	if j.Size == 1 || env.optional(pmi.EnvNodeSize, 0) == j.Size {
		j.placeTogether()
		return nil
	}
	return j.askNodes(s)
}

// Keys under which ranks tell each other where they are.
const (
	machineKey = "gompi-machine-" // and the rank: what machineName says there
	mapKey     = "gompi-map"      // of rank 0: the mapping of all ranks, as pmi.FormatMapping writes it
)

// askNodes has the ranks tell each other where they are: each one tells rank 0, which tells all.
func (j *Job) askNodes(s store) error {
	own, err := machineName()
	if err == nil {
		err = s.put(machineKey+strconv.Itoa(j.Rank), own)
	}
	if err != nil {
		return err
	}
	if err := s.fence(); err != nil {
		return err
	}
	if j.Rank == 0 {
		number := map[string]int{}
		nodes := make([]int, j.Size)
		for r := range nodes {
			name, err := s.get(r, machineKey+strconv.Itoa(r))
			if err != nil {
				return fmt.Errorf("where rank %d is: %w", r, err)
			}
			if _, known := number[name]; !known {
				number[name] = len(number)
			}
			nodes[r] = number[name]
		}
		if err := putText(s, mapKey, []byte(pmi.FormatMapping(nodes))); err != nil {
			return err
		}
	}
	if err := s.fence(); err != nil {
		return err
	}
	text, err := getText(s, 0, mapKey)
	if err != nil {
		return fmt.Errorf("which ranks share a node, from rank 0: %w", err)
	}
	nodes, err := pmi.ParseMapping(string(text), j.Size)
	if err != nil {
		return fmt.Errorf("which ranks share a node, from rank 0: %w", err)
	}
	j.place(nodes)
	return nil
}

// formatRanks writes rising numbers as ranges, "0-3,6".
func formatRanks(ranks []int) string {
	var out strings.Builder
	for i := 0; i < len(ranks); {
		last := i
		for last+1 < len(ranks) && ranks[last+1] == ranks[last]+1 {
			last++
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strconv.Itoa(ranks[i]))
		if last > i {
			out.WriteString("-" + strconv.Itoa(ranks[last]))
		}
		i = last + 1
	}
	return out.String()
}

// parseRanks reads rising ranks below n, as formatRanks or PMIx writes them.
func parseRanks(text string, n int) ([]int, error) {
	var ranks []int
	for _, word := range strings.Split(text, ",") {
		low, high, isRange := strings.Cut(word, "-")
		from, err := strconv.Atoi(low)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from < 0 || to < from || to >= n || len(ranks) > 0 && from <= ranks[len(ranks)-1] {
			return nil, fmt.Errorf("%q is no list of rising ranks below %d", short(text), n)
		}
		for r := from; r <= to; r++ {
			ranks = append(ranks, r)
		}
	}
	return ranks, nil
}
