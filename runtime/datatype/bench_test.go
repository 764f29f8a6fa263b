package datatype

import (
	"fmt"
	"testing"
	"time"
)

// One megabyte of data in the layouts of the figures.
func layouts() map[string]*Type {
	double := ByHandle(0x214)
	const n = 1 << 17
	all := map[string]*Type{}
	for _, block := range []int64{1, 2, 8, 64} {
		all[fmt.Sprintf("vector%d", block)], _ = Vector(n/block, block, 2*block, double, false)
	}
	for _, d := range []string{"x", "y", "z"} {
		sub := []int64{100, 100, 100}
		sub[d[0]-'x'] = 1
		all["face-"+d], _ = Subarray([]int64{100, 100, 100}, sub, []int64{0, 0, 0}, OrderC, double, false)
	}
	var displs []int64
	for i := range int64(n / 4) {
		displs = append(displs, 8*i+i*i%5)
	}
	all["indexed4"], _ = IndexedBlock(4, displs, double, false)
	pair, _ := Struct([]int64{1, 1}, []int64{0, 8}, []*Type{ByHandle(0x209), double}, false)
	all["structs"], _ = Contiguous(n/2, pair, false)
	all["contiguous"], _ = Contiguous(n, double, false)
	return all
}

func BenchmarkPack(b *testing.B)   { benchmark(b, Buffer.Pack) }
func BenchmarkUnpack(b *testing.B) { benchmark(b, Buffer.Unpack) }

func benchmark(b *testing.B, move func(Buffer, int64, []byte) int) {
	for name, t := range layouts() {
		b.Run(name, func(b *testing.B) {
			mem, stream := fill(t.trueUB, 1), fill(t.size, 2)
			buf := Buffer{Addr: addressOf(mem), Count: 1, Type: t}
			b.SetBytes(t.size)
			best := time.Hour
			for b.Loop() {
				begin := time.Now()
				move(buf, 0, stream)
				best = min(best, time.Since(begin))
			}
			b.ReportMetric(float64(best.Nanoseconds()), "best-ns/op") // what a busy machine does not spoil
		})
	}
}

func BenchmarkCommitOfManyBlocks(b *testing.B) {
	double := ByHandle(0x214)
	n, displs := make([]int64, 1e5), make([]int64, 1e5)
	for i := range n {
		n[i], displs[i] = int64(1+i%3), int64(i*4+i%2)
	}
	best := time.Hour
	for b.Loop() {
		begin := time.Now()
		if _, err := Indexed(n, displs, double, false); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(begin))
	}
	b.ReportMetric(float64(best.Nanoseconds()), "best-ns/op")
}
