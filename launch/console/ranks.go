package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostRanks bounds the numbers of ranks.
const mostRanks = 1 << 20

// ParseRanks reads a list of ranks such as "0,2-5".
func ParseRanks(text string) (all []int, err error) {
	for _, item := range strings.Split(text, ",") {
		first, last, ranged := strings.Cut(strings.TrimSpace(item), "-")
		a, err := strconv.Atoi(first)
		z := a
		if ranged && err == nil {
			z, err = strconv.Atoi(last)
		}
		if err != nil || a < 0 || z < a || z >= mostRanks {
			return nil, fmt.Errorf("%q is no list of ranks such as 0,2-5", text)
		}
		for ; a <= z; a++ {
			all = append(all, a)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// FormatRanks is a sorted list of ranks, as ParseRanks reads it.
func FormatRanks(ranks []int) string {
	var parts []string
	for k := 0; k < len(ranks); {
		end := k + 1
		for end < len(ranks) && ranks[end] == ranks[k]+end-k {
			end++
		}
		switch n := end - k; n {
		case 1:
			parts = append(parts, strconv.Itoa(ranks[k]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", ranks[k], ranks[end-1]))
		}
		k = end
	}
	return strings.Join(parts, ",")
}
