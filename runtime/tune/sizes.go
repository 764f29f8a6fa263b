package tune

import (
	"math"
	"math/bits"
)

// sizeClasses is how many sizes of operations are told apart: those of a Sizes' least and below, and each
// power of two above it, the last one with all that is larger.
const sizeClasses = 12

// Sizes is choices between the same options for operations of all sizes. The zero value with a Least has
// tried nothing yet.
type Sizes struct {
	Least   int // binary logarithm of the largest size of the first class
	choices [sizeClasses]Choice
}

// Of is the choice for operations of n bytes. The first of a size begin with what is known of the sizes next
// to it.
func (s *Sizes) Of(n int64) *Choice {
	i := s.Index(n)
	c := &s.choices[i]
	for d := 1; !c.Known() && d < sizeClasses; d++ {
		for _, j := range [...]int{i - d, i + d} {
			if j >= 0 && j < sizeClasses && s.choices[j].Known() && !c.Known() {
				c.Resemble(&s.choices[j])
			}
		}
	}
	return c
}

// Index is the number of the class of n bytes, from 0 for the least on.
func (s *Sizes) Index(n int64) int {
	return min(max(bits.Len64(uint64(max(n-1, 0)))-s.Least, 0), sizeClasses-1)
}

// Class is the smallest and the largest size for which there is the same choice as for n bytes.
func (s *Sizes) Class(n int64) (least, most int64) {
	least, most = 1, math.MaxInt64
	i := s.Index(n)
	if i > 0 {
		least = 1<<(s.Least+i-1) + 1
	}
	if i < sizeClasses-1 {
		most = 1 << (s.Least + i)
	}
	return least, most
}
