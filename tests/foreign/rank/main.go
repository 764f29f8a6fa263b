// Command rank joins its job as the library does, with PMIx, exchanges cards with all other ranks, checks
// what it gets, and says where it is.
package main

import (
	"fmt"
	"os"

	"gompi/pmix"
	"gompi/runtime/boot"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "rank:", err)
		os.Exit(99)
	}
}

// card is the card of a rank.
func card(rank int) string { return fmt.Sprintf("card of rank %0*d", 1+rank%40, rank) }

func run() error {
	job, err := boot.Join(boot.Config{OpenPMIx: func(file string) (boot.PMIx, error) {
		p, err := pmix.Open(file)
		if err != nil {
			return nil, err
		}
		return p, nil
	}})
	if err != nil {
		return err
	}
	job.Watch(func() { os.Exit(98) }, nil)
	if err := job.Exchange([]byte(card(job.Rank))); err != nil {
		return err
	}
	for r := range job.Size {
		got, err := job.Card(r)
		if err != nil {
			return err
		}
		if string(got) != card(r) {
			return fmt.Errorf("the card of rank %d is %q", r, got)
		}
	}
	if err := job.Barrier(); err != nil {
		return err
	}
	fmt.Printf("rank %d of %d on node %d of %d, with %d others\n", job.Rank, job.Size, job.Node(job.Rank), len(job.Leaders), job.NodeSize-1)
	return job.Finalize()
}
