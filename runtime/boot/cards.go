package boot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"gompi/shm"
)

// A card is what a rank tells all others before it can talk to those on other nodes: its address, and what
// they need to know to use it. Ranks hand theirs to the leader of their node through shared memory. Leaders
// exchange them through the launcher's store, so that the launcher carries a few values for each node and
// not some for each rank, and give their node what the others have put. Ahead of its cards each leader puts
// the ID of its segment: that of the first node becomes the ID of all, by which the ranks of the job know
// each other.

// MaxCard is the longest card in bytes.
const MaxCard = shm.MaxCard

// cardsKey is the key under which the leader of a node puts its cards, followed by the number of the node.
const cardsKey = "gompi-"

// Exchange gives this rank's card to all others and gets theirs, for Card. All ranks of the job call it,
// once; where the launcher is Late, beside what else they do.
func (j *Job) Exchange(card []byte) error {
	if len(card) > MaxCard {
		return fmt.Errorf("a card of %d bytes, of at most %d", len(card), MaxCard)
	}
	shm.SetCard(j.Segment, j.NodeRank, card)
	if err := j.nodeBarrier(); err != nil || j.OnOneNode() {
		return err
	}
	s, err := j.values()
	if err != nil {
		return err
	}
	if j.Rank == j.leader() {
		err = j.putCards(s)
	}
	if j.ours {
		s = patient{s, j.Segment}
	} else {
		// Others would wait for a leader that stayed away because of an error.
		err = errors.Join(err, s.fence())
	}
	if err != nil {
		return fmt.Errorf("exchanging addresses: %w", err)
	}
	if j.Rank == j.leader() {
		if err = j.shareCards(s); err != nil {
			shm.RefuseCards(j.Segment)
		}
	}
	if err := errors.Join(err, j.nodeBarrier()); err != nil {
		return fmt.Errorf("exchanging addresses: %w", err)
	}
	if j.cards, err = shm.OpenCards(j.Segment, j.Size); err != nil {
		return fmt.Errorf("exchanging addresses: %w", err)
	}
	return nil
}

// putCards publishes the cards of this node, one behind the other, each with its size ahead.
func (j *Job) putCards(s store) error {
	id := j.Segment.ID()
	all := id[:]
	for k, r := range j.Neighbours() {
		card, err := shm.Card(j.Segment, k)
		if err != nil {
			return fmt.Errorf("the card of rank %d: %w", r, err)
		}
		all = append(binary.AppendUvarint(all, uint64(len(card))), card...)
	}
	return putText(s, cardsKey+strconv.Itoa(j.Node(j.Rank)), all)
}

// shareCards gets the cards of all other nodes and gives them to the ranks of this one.
func (j *Job) shareCards(s store) error {
	cards := make([][]byte, j.Size)
	texts := make([][]byte, len(j.Leaders))
	for node, leader := range j.Leaders {
		if leader == j.Rank {
			continue
		}
		var err error
		if texts[node], err = getText(s, leader, cardsKey+strconv.Itoa(node)); err != nil {
			return fmt.Errorf("the cards of node %d, from rank %d: %w", node, leader, err)
		}
		if len(texts[node]) < shm.JobIDSize {
			return malformedCards(node, leader)
		}
		if node == 0 {
			shm.SetID(j.Segment, shm.JobID(texts[node]))
		}
		texts[node] = texts[node][shm.JobIDSize:]
	}
	for r := range cards {
		node := j.Node(r)
		if node == j.Node(j.Rank) {
			continue
		}
		size, n := binary.Uvarint(texts[node])
		if n <= 0 || size > MaxCard || uint64(len(texts[node])-n) < size {
			return malformedCards(node, j.Leaders[node])
		}
		cards[r] = texts[node][n : n+int(size)]
		texts[node] = texts[node][n+int(size):]
	}
	return shm.ShareCards(j.Segment, cards)
}

func malformedCards(node, leader int) error {
	return fmt.Errorf("the cards of node %d, from rank %d, are malformed", node, leader)
}

// Card is the card of a rank of the job. Preconditions: Exchange has succeeded.
func (j *Job) Card(rank int) ([]byte, error) {
	if rank < 0 || rank >= j.Size {
		return nil, fmt.Errorf("the card of rank %d of %d", rank, j.Size)
	}
	if j.Node(rank) != j.Node(j.Rank) {
		if j.cards == nil {
			return nil, fmt.Errorf("the card of rank %d: none have been exchanged", rank)
		}
		return j.cards.Card(rank)
	}
	nodeRank := 0
	for r := range rank {
		if j.Node(r) == j.Node(rank) {
			nodeRank++
		}
	}
	card, err := shm.Card(j.Segment, nodeRank)
	if err != nil {
		return nil, fmt.Errorf("rank %d: %w", rank, err)
	}
	return card, nil
}
