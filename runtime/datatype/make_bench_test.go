package datatype

import "testing"

// BenchmarkMake makes small types of each constructor.
func BenchmarkMake(b *testing.B) {
	integer, double, char := ByHandle(0x209), ByHandle(0x214), ByHandle(0x207)
	var lengths, displs []int64
	for i := range int64(8) {
		lengths, displs = append(lengths, 1+i%2), append(displs, 3*i)
	}
	vector, _ := Vector(4, 2, 5, integer, false)
	for _, c := range []struct {
		name string
		make func() (*Type, error)
	}{
		{"contiguous", func() (*Type, error) { return Contiguous(4, integer, false) }},
		{"vector", func() (*Type, error) { return Vector(4, 2, 5, integer, false) }},
		{"dup", func() (*Type, error) { return Dup(vector), nil }},
		{"resized", func() (*Type, error) { return Resized(vector, 0, 80, false) }},
		{"indexed", func() (*Type, error) { return Indexed(lengths, displs, integer, false) }},
		{"struct", func() (*Type, error) {
			return Struct([]int64{1, 2, 3}, []int64{0, 8, 24}, []*Type{integer, double, char}, false)
		}},
		{"subarray", func() (*Type, error) {
			return Subarray([]int64{8, 8}, []int64{4, 4}, []int64{2, 2}, OrderC, integer, false)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.make(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
